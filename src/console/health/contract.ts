import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { OutsideSystem } from './schemas.ts'

export const getOutsideSystems = defineCall<typeof schemas.getOutsideSystems>()({
  id: 'getOutsideSystems',
  method: 'GET',
  path: '/api/programs/:program/outside-systems',
  access: 'operator',
  permission: 'jobs.read',
})

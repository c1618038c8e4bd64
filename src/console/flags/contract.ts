import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Flag, Flags } from './schemas.ts'

export const listFlags = defineCall<typeof schemas.listFlags>()({
  id: 'listFlags',
  method: 'GET',
  path: '/api/programs/:program/flags',
  access: 'operator',
  permission: 'flags.read',
})

export const setFlag = defineCall<typeof schemas.setFlag>()({
  id: 'setFlag',
  method: 'PUT',
  path: '/api/programs/:program/flags/:kind/:name',
  access: 'operator',
  permission: 'program.edit',
})

export const setMaintenance = defineCall<typeof schemas.setMaintenance>()({
  id: 'setMaintenance',
  method: 'PUT',
  path: '/api/programs/:program/maintenance',
  access: 'operator',
  permission: 'program.edit',
})

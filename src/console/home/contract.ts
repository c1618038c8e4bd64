import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Home } from './schemas.ts'

export const getHome = defineCall<typeof schemas.getHome>()({
  id: 'getHome',
  method: 'GET',
  path: '/api/programs/:program/home',
  access: 'operator',
  permission: 'self',
})

export const listHomes = defineCall<typeof schemas.listHomes>()({
  id: 'listHomes',
  method: 'GET',
  path: '/api/home',
  access: 'operator',
  permission: 'self',
})

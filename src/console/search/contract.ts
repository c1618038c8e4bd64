import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { Found } from './schemas.ts'

const found = {
  method: 'GET',
  access: 'operator',
  permission: ['members.read', 'transactions.read', 'restaurants.read', 'claims.read'],
} as const

export const searchProgram = defineCall<typeof schemas.searchProgram>()({
  id: 'searchProgram',
  path: '/api/programs/:program/search',
  ...found,
})

export const searchPrograms = defineCall<typeof schemas.searchPrograms>()({
  id: 'searchPrograms',
  path: '/api/search',
  ...found,
})

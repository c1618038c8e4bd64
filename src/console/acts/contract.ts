import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ActDetail, ListedAct } from './schemas.ts'

const acts = '/api/programs/:program/acts'
const allActs = '/api/acts'

export const listActs = defineCall<typeof schemas.listActs>()({
  id: 'listActs',
  method: 'GET',
  path: acts,
  access: 'operator',
  permission: 'audit.read',
})

export const getAct = defineCall<typeof schemas.getAct>()({
  id: 'getAct',
  method: 'GET',
  path: `${acts}/:id`,
  access: 'operator',
  permission: 'audit.read',
})

export const exportActs = defineCall<typeof schemas.exportActs>()({
  id: 'exportActs',
  method: 'GET',
  path: '/api/programs/:program/acts.csv',
  access: 'operator',
  permission: 'audit.read',
  audited: true,
})

export const listAllActs = defineCall<typeof schemas.listAllActs>()({
  id: 'listAllActs',
  method: 'GET',
  path: allActs,
  access: 'operator',
  permission: 'audit.read',
})

export const getAnyAct = defineCall<typeof schemas.getAnyAct>()({
  id: 'getAnyAct',
  method: 'GET',
  path: `${allActs}/:id`,
  access: 'operator',
  permission: 'audit.read',
})

export const exportAllActs = defineCall<typeof schemas.exportAllActs>()({
  id: 'exportAllActs',
  method: 'GET',
  path: '/api/acts.csv',
  access: 'operator',
  permission: 'audit.read',
  audited: true,
})

export const getActsCheck = defineCall<typeof schemas.getActsCheck>()({
  id: 'getActsCheck',
  method: 'GET',
  path: '/api/acts-check',
  access: 'operator',
  permission: 'audit.read',
})

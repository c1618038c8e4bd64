import { defineCall } from '../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { StagingMember } from './schemas.ts'

export const listStagingCards = defineCall<typeof schemas.listStagingCards>()({
  id: 'listStagingCards',
  method: 'GET',
  path: '/api/staging/cards',
  access: 'anyone',
})

export const setFlag = defineCall<typeof schemas.setFlag>()({
  id: 'setFlag',
  method: 'PUT',
  path: '/api/staging/flags',
  access: 'anyone',
})

export const sendDine = defineCall<typeof schemas.sendDine>()({
  id: 'sendDine',
  method: 'POST',
  path: '/api/staging/dine',
  access: 'anyone',
})

export const loadPartnerCards = defineCall<typeof schemas.loadPartnerCards>()({
  id: 'loadPartnerCards',
  method: 'POST',
  path: '/api/staging/partner-cards',
  access: 'member',
})

export const barDiner = defineCall<typeof schemas.barDiner>()({
  id: 'barDiner',
  method: 'PUT',
  path: '/api/staging/barred-diners',
  access: 'anyone',
})

export const listStagingMembers = defineCall<typeof schemas.listStagingMembers>()({
  id: 'listStagingMembers',
  method: 'GET',
  path: '/api/staging/members',
  access: 'anyone',
})

export const makeMember = defineCall<typeof schemas.makeMember>()({
  id: 'makeMember',
  method: 'POST',
  path: '/api/staging/members',
  access: 'anyone',
  memberOnly: true,
})

export const becomeMember = defineCall<typeof schemas.becomeMember>()({
  id: 'becomeMember',
  method: 'POST',
  path: '/api/staging/session',
  access: 'anyone',
  memberOnly: true,
})

/** Loads members as a partner's file does. */
export const loadMembers = defineCall<typeof schemas.loadMembers>()({
  id: 'loadMembers',
  method: 'POST',
  path: '/api/staging/activations',
  access: 'anyone',
  memberOnly: true,
})

export const getClock = defineCall<typeof schemas.getClock>()({
  id: 'getClock',
  method: 'GET',
  path: '/api/staging/clock',
  access: 'anyone',
})

export const setClock = defineCall<typeof schemas.setClock>()({
  id: 'setClock',
  method: 'PUT',
  path: '/api/staging/clock',
  access: 'anyone',
})

export const listFlags = defineCall<typeof schemas.listFlags>()({
  id: 'listFlags',
  method: 'GET',
  path: '/api/staging/flags',
  access: 'anyone',
})

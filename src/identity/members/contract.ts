import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { ActiveBonus, ConsentCenter, DiningProgress, KnownMember, Member } from './schemas.ts'

export const getMember = defineCall<typeof schemas.getMember>()({
  id: 'getMember',
  method: 'GET',
  path: '/api/Member',
  access: 'member',
})

export const getKnownMember = defineCall<typeof schemas.getKnownMember>()({
  id: 'getKnownMember',
  method: 'GET',
  path: '/api/Member/:publicId',
  access: 'anyone',
  csrf: true,
})

export const getConsents = defineCall<typeof schemas.getConsents>()({
  id: 'getConsents',
  method: 'GET',
  path: '/api/Member/Consents',
  access: 'member',
})

export const chooseConsent = defineCall<typeof schemas.chooseConsent>()({
  id: 'chooseConsent',
  method: 'PUT',
  path: '/api/Member/Consents',
  access: 'member',
})

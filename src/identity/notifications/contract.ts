import { defineCall } from '../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { NotificationPreferences } from './schemas.ts'

export const getNotificationPreferences = defineCall<typeof schemas.getNotificationPreferences>()({
  id: 'getNoticeChoices',
  method: 'GET',
  path: '/api/Member/Notices',
  access: 'member',
})

export const setNotificationPreference = defineCall<typeof schemas.setNotificationPreference>()({
  id: 'chooseNotice',
  method: 'PUT',
  path: '/api/Member/Notices',
  access: 'member',
})

export const subscribePush = defineCall<typeof schemas.subscribePush>()({
  id: 'subscribePush',
  method: 'POST',
  path: '/api/Member/Push',
  access: 'member',
  // An operator's browser does not belong to the member.
  memberOnly: true,
})

export const unsubscribePush = defineCall<typeof schemas.unsubscribePush>()({
  id: 'unsubscribePush',
  method: 'POST',
  path: '/api/Member/Push/Remove',
  access: 'member',
})

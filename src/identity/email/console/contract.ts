import { defineCall } from '../../../platform/call.ts'
import type * as schemas from './schemas.ts'

export type { EmailDetail, ListedEmail, ResendEffect } from './schemas.ts'

const emails = '/api/programs/:program/emails'

export const listEmails = defineCall<typeof schemas.listEmails>()({
  id: 'listEmails',
  method: 'GET',
  path: emails,
  access: 'operator',
  permission: 'emails.read',
})

export const getEmail = defineCall<typeof schemas.getEmail>()({
  id: 'getEmail',
  method: 'GET',
  path: `${emails}/:id`,
  access: 'operator',
  permission: 'emails.read',
})

export const readEmailText = defineCall<typeof schemas.readEmailText>()({
  id: 'readEmailText',
  method: 'GET',
  path: `${emails}/:id/text`,
  access: 'operator',
  permission: 'emails.read',
  audited: true,
})

export const readEmailHtml = defineCall<typeof schemas.readEmailHtml>()({
  id: 'readEmailHtml',
  method: 'GET',
  path: `${emails}/:id/html`,
  access: 'operator',
  permission: 'emails.read',
  audited: true,
})

export const previewResend = defineCall<typeof schemas.previewResend>()({
  id: 'previewResend',
  method: 'POST',
  path: `${emails}/resend/preview`,
  access: 'operator',
  permission: 'emails.resend',
  readOnly: true,
})

export const resendEmails = defineCall<typeof schemas.resendEmails>()({
  id: 'resendEmails',
  method: 'POST',
  path: `${emails}/resend`,
  access: 'operator',
  permission: 'emails.resend',
})

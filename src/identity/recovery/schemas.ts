import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema } from '../../platform/form-schema.ts'
import { BotCheckResponse } from '../bot-check/schemas.ts'
import { CodeForm, FixCredentialsForm, NewPassword, RecoverForm } from './forms.ts'

export const requestRecovery = defineSchemas({
  summary: 'Emails a recovery code; the response does not reveal whether a member has this user name',
  body: formSchema(RecoverForm, { gRecaptchaResponse: BotCheckResponse, returnTo: z.string().max(500).optional() }),
  status: 202,
  reply: z.object({ accepted: z.literal(true) }),
  cookies: ['__Host-recovery', '__Host-return'],
  errors: { notOffered: 404, restFirst: 429 },
  perMinute: 10,
})

export const confirmRecovery = defineSchemas({
  summary: 'Exchanges an emailed code for a single-use reset token',
  body: formSchema(CodeForm),
  reply: z.object({ resetToken: z.string() }),
  errors: { notOffered: 404, codeInvalid: 410 },
  perMinute: 10,
})

export const updateRecovery = defineSchemas({
  summary: 'Sets the new password, ends every other way into the account and notifies the member by email',
  body: formSchema(NewPassword, { resetToken: z.string().max(100) }),
  reply: z.object({
    updated: z.literal(true),
    removedPasskeys: z.number().int(),
    /** Cards that stay linked, for the member to check. */
    linkedCards: z.number().int(),
    /** Where the person wanted to go when asking for the code in this browser, within an hour; empty if nowhere. */
    returnTo: z.string(),
  }),
  cookies: ['__Host-return'],
  errors: { notOffered: 404, recoveryOver: 410, busy: 429 },
  perMinute: 10,
})

export const fixCredentials = defineSchemas({
  summary: 'Replaces an email address that is shared or invalid by a personal one',
  body: formSchema(FixCredentialsForm),
  reply: z.object({ email: z.string() }),
  errors: { notOffered: 404, nothingToFix: 409, reauthRequired: 403 },
  perMinute: 10,
})

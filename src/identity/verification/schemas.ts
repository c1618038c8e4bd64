import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema } from '../../platform/form-schema.ts'
import { VerifyForm } from './forms.ts'

const EmailVerification = z.object({
  email: z.string(),
  /** Null until the member has proved that the mailbox is theirs. */
  verifiedAt: z.iso.datetime().nullable(),
})
export type EmailVerification = z.infer<typeof EmailVerification>

export const getVerification = defineSchemas({
  summary: 'Returns the email address of the member, and since when it is verified',
  reply: EmailVerification,
})

export const sendVerification = defineSchemas({
  summary: 'Emails a new code to the address of the member',
  status: 202,
  reply: z.object({ accepted: z.literal(true) }),
  errors: { notOffered: 404, alreadyVerified: 409, tooManyVerifications: 429 },
  perMinute: 10,
})

export const verifyEmail = defineSchemas({
  summary: 'Verifies the email address of the member by the code that was sent to it',
  body: formSchema(VerifyForm),
  reply: EmailVerification,
  errors: { notOffered: 404, verificationCodeInvalid: 410, addressOfAnother: 409 },
  perMinute: 10,
})

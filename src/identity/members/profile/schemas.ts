import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { formSchema } from '../../../platform/form-schema.ts'
import { Member } from '../schemas.ts'
import { ProfileForm } from './forms.ts'

/** The profile with an optional new password. */
export const MemberUpdate = formSchema(ProfileForm, {
  password: z.string().min(1, 'validation.required').max(1024, 'validation.password_rules').optional(),
})

export const updateMember = defineSchemas({
  summary:
    "Saves the profile; fields that the program does not have, and names of a bank's customers, are not changed. " +
    'A new password is cut to 56 characters, requires recent authentication, and ends the other sessions',
  body: MemberUpdate,
  reply: Member,
  errors: { memberOnly: 403, reauthRequired: 403, busy: 429, tooManyChanges: 429 },
  perMinute: 30,
})

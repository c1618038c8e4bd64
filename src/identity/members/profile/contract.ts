import { z } from 'zod'
import { defineCall } from '../../../platform/call.ts'
import { phoneProblem } from '../../../platform/phone.ts'
import { usStates } from '../../../platform/us-states.ts'
import { ZipCode } from '../../../platform/zip-code.ts'
import { Member } from '../contract.ts'

// Separate from the members contract: every page needs the signed-in member, but few have this form.
const text = (max: number) => z.string().trim().max(max, `validation.max_length|${max}`)

/** The submitted profile: every field of the program's form, changed or not. */
export const ProfileForm = z.strictObject({
  firstName: text(20).min(1, 'validation.first_name_missing'),
  lastName: text(20).min(1, 'validation.last_name_missing'),
  address1: text(30).default(''),
  address2: text(30).default(''),
  city: text(20).default(''),
  state: z
    .string()
    .refine((code) => code === '' || usStates.includes(code), 'validation.check')
    .default(''),
  zipCode: ZipCode,
  phoneNumber: z
    .string()
    .trim()
    .max(20, 'validation.phone_format')
    .superRefine((text, issues) => {
      const message = phoneProblem(text)
      if (message !== null) issues.addIssue({ code: 'custom', message })
    })
    .default(''),
  smsOptIn: z.boolean().default(false),
  emailOptIn: z.boolean().default(false),
})
export type ProfileForm = z.output<typeof ProfileForm>

/** The profile with an optional new password. */
export const MemberUpdate = ProfileForm.extend({
  password: z.string().min(1, 'validation.required').max(1024, 'validation.max_length|1024').optional(),
})

export const updateMember = defineCall({
  id: 'updateMember',
  method: 'PUT',
  path: '/api/Member',
  access: 'member',
  summary:
    "Saves the profile; fields that the program does not have, and names of a bank's customers, are not changed. " +
    'A new password is cut to 56 characters, requires recent authentication, and ends the other sessions',
  body: MemberUpdate,
  reply: Member,
  errors: { reauthRequired: 403, busy: 429 },
  perMinute: 30,
})

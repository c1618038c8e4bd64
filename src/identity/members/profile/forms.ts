import { z } from 'zod'
import { phoneProblem } from '../../../platform/phone.ts'
import { usStates } from '../../../platform/us-states.ts'
import { ZipCode } from '../../../platform/zip-code.ts'

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

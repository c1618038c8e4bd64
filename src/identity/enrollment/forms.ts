import { z } from 'zod'
import { usStates } from '../../platform/us-states.ts'
import { ZipCode } from '../../platform/zip-code.ts'
import { BotCheckResponse } from '../bot-check/forms.ts'

const text = (max: number) => z.string().trim().max(max, `validation.max_length|${max}`)
const required = (max: number, missing: string) => text(max).min(1, missing)
const email = required(50, 'validation.email_missing').pipe(z.email('validation.email'))
const mark = z.string().max(200).optional()
/** Marketing parameters of the visit. */
const marketingFields = {
  utmTerm: mark,
  utmMedium: mark,
  utmCampaign: mark,
  utmSource: mark,
  utmContent: mark,
  referrer: mark,
  source: mark,
}

/** The join form. The required fields depend on the program: see `rules.ts`. */
export const JoinForm = z.strictObject({
  email,
  password: z.string().max(1024).default(''),
  passwordConfirm: z.string().max(1024).default(''),
  firstName: required(20, 'validation.first_name_missing'),
  lastName: required(20, 'validation.last_name_missing'),
  zipCode: ZipCode,
  address1: text(30).default(''),
  address2: text(30).default(''),
  city: text(20).default(''),
  state: z
    .string()
    .refine((code) => code === '' || usStates.includes(code), 'validation.check')
    .default(''),
  partnerNumber: text(30).default(''),
  phoneNumber: z.string().trim().max(20, 'validation.phone_format').default(''),
  smsOptIn: z.boolean().optional(),
  smsOptInV2: z.boolean().optional(),
  emailOptIn: z.boolean().default(false),
  termsAccepted: z.literal(true, 'validation.terms'),
  ...marketingFields,
  gRecaptchaResponse: BotCheckResponse,
})
export type JoinForm = z.output<typeof JoinForm>

/** A prospect: an email address of a visitor who may join later. */
export const ProspectForm = z.strictObject({
  email,
  ...marketingFields,
})

export type ProspectForm = z.output<typeof ProspectForm>

import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { formSchema, sentLine } from '../../platform/form-schema.ts'
import { BotCheckResponse } from '../bot-check/schemas.ts'
import { JoinForm, ProspectForm } from './forms.ts'

// From the address that led here, which the visitor has not typed.
const mark = sentLine().max(200).optional()
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

const JoinRequest = formSchema(JoinForm, { ...marketingFields, gRecaptchaResponse: BotCheckResponse })
export type JoinRequest = z.output<typeof JoinRequest>

const Prospect = formSchema(ProspectForm, marketingFields)
export type Prospect = z.output<typeof Prospect>

export const join = defineSchemas({
  maintenance: 'join',
  summary: 'Joins the program (step one, before a card is linked) and signs the new member in',
  body: JoinRequest,
  reply: z.object({ publicId: z.string(), memberType: z.string(), csrfToken: z.string() }),
  cookies: ['__Host-sid', 'session_expiry', '__Host-device'],
  errors: { notOffered: 404, signInFirst: 401, alreadyJoined: 409, busy: 429, tooManyJoins: 429 },
  perMinute: 20,
})

export const registerProspect = defineSchemas({
  maintenance: 'join',
  summary: 'Stores the email address of a prospect; the response does not reveal whether it was known',
  body: Prospect,
  status: 202,
  reply: z.object({ accepted: z.literal(true) }),
  errors: { notOffered: 404 },
  perMinute: 10,
})

export const validateEmail = defineSchemas({
  maintenance: 'join',
  summary: 'Returns whether an email address is available for joining',
  query: z.strictObject({ email: z.string().max(254), usePpn: z.stringbool().optional() }),
  reply: z.object({ isValid: z.boolean() }),
  errors: { notOffered: 404 },
  perMinute: 10,
})

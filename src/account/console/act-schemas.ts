import { z } from 'zod'
import { reason } from '../../console-kit/reason.ts'
import { ProfileForm } from '../../identity/members/profile/forms.ts'
import { defineSchemas } from '../../platform/call.ts'
import { emailPattern, maxEmailLength } from '../../platform/email-address.ts'
import { formSchema } from '../../platform/form-schema.ts'
import { stateCodeOf } from '../../platform/us-state-names.ts'
import { emailParams, MemberDetail, MemberRecords, Moment, params, errors as readErrors } from './record-schemas.ts'
import { maxTagLength, maxTags, tagPattern } from './tags.ts'

/** Nothing is done in an account that was merged into another one. */
const errors = { ...readErrors, mergedAccount: 409 }
const version = z.string().max(40)
const done = z.object({ done: z.literal(true) })

export const MemberNote = z.object({
  id: z.string(),
  by: z.string(),
  /** The signed-in operator has written it, and may remove it. */
  isMine: z.boolean(),
  body: z.string(),
  at: Moment,
})
export type MemberNote = z.infer<typeof MemberNote>

export const listMemberNotes = defineSchemas({
  summary: 'Lists the notes of operators about a member, the latest first',
  params,
  reply: z.array(MemberNote),
  errors,
})

export const addMemberNote = defineSchemas({
  summary: 'Adds a note about a member',
  params,
  body: z.object({
    body: z
      .string()
      .overwrite((text) => text.replaceAll('\r\n', '\n').trim())
      .min(1, 'console.members.note_missing')
      .max(2_000, 'console.members.note_long'),
  }),
  reply: z.array(MemberNote),
  multiline: ['body'],
  errors,
})

export const deleteMemberNote = defineSchemas({
  summary: 'Removes a note that the signed-in operator has written',
  params: params.extend({ note: z.string().max(60) }),
  reply: z.array(MemberNote),
  errors,
})

const Tag = z.string().regex(tagPattern, 'console.members.tag').max(maxTagLength, 'console.members.tag')

export const tagMember = defineSchemas({
  summary: 'Replaces the tags of a member',
  params,
  body: z.object({
    tags: z.array(Tag).max(maxTags, 'console.members.tags_many'),
    /** The tags that the operator saw. */
    expected: z.array(z.string().max(40)).max(100),
  }),
  reply: z.array(z.string()),
  errors: { ...errors, conflict: 409 },
})

/** The fields of the member's own form, except the consents. A state may be given by its name. */
const { smsOptIn: _sms, emailOptIn: _email, ...profile } = ProfileForm
const stateProblem = (state: string) => (state === '' || stateCodeOf(state) ? null : 'console.members.state')
const correctable = { ...profile, state: { ...profile.state, trim: true, problem: stateProblem } }

export const correctMember = defineSchemas({
  summary: 'Corrects the name, the address and the phone number of a member, by the rules of the member’s own form',
  params,
  body: formSchema(correctable, { version, reason }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, conflict: 409, tooManyChanges: 429 },
})
export type Correction = z.output<(typeof correctMember)['body']>

export const changeMemberEmail = defineSchemas({
  summary: 'Changes the email address of a member. Both addresses get an email, and the new one a code to verify it',
  params,
  body: z.object({
    email: z.string().trim().max(maxEmailLength).regex(emailPattern, 'validation.email'),
    version,
    reason,
  }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, conflict: 409, notOffered: 409 },
})

export const endMemberSession = defineSchemas({
  summary: 'Ends a session of a member, or the push messages in a browser',
  params: params.extend({ session: z.uuid() }),
  reply: MemberRecords,
  errors: { ...errors, sessionNotFound: 404 },
})

export const removeMemberPasskey = defineSchemas({
  summary: 'Removes a passkey of a member, who gets an email',
  params: params.extend({ passkey: z.uuid() }),
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: MemberRecords,
  errors: { ...errors, passkeyNotFound: 404 },
})

export const resendMemberEmail = defineSchemas({
  summary: 'Sends a failed email to a member again',
  params: emailParams,
  reply: done,
  errors: { ...errors, notFailed: 409 },
})

export const grantMemberBonus = defineSchemas({
  summary: 'Grants a running bonus that the member does not have',
  params,
  body: z.object({ code: z.string().min(1).max(60), reason }),
  multiline: ['reason'],
  reply: MemberRecords,
  errors: { ...errors, bonusNotFound: 404, bonusNotOffered: 409, bonusHeld: 409 },
})

export const unlockMember = defineSchemas({
  summary: 'Ends the lock that wrong passwords have caused',
  params,
  reply: MemberDetail,
  errors,
})

export const closeMember = defineSchemas({
  summary: 'Closes an account: unlinks its cards and ends its sessions',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, alreadyClosed: 409 },
})

export const reopenMember = defineSchemas({
  summary: 'Opens a closed account again, without a card',
  params,
  body: z.object({ reason }),
  multiline: ['reason'],
  reply: MemberDetail,
  errors: { ...errors, alreadyOpen: 409 },
})

const adjustment = { direction: z.enum(['credit', 'debit']), amount: z.string().max(40) }

export const AdjustmentPreview = z.object({
  amount: z.string(),
  before: z.string(),
  after: z.string(),
  /** It is above what operators do alone within a day: a second one decides. */
  needsApproval: z.boolean(),
  /** For one member. */
  limit: z.string(),
  /** By one operator. */
  dayLimit: z.string(),
})
export type AdjustmentPreview = z.infer<typeof AdjustmentPreview>

export const previewAdjustment = defineSchemas({
  summary: 'Returns what a credit or debit would do',
  params,
  body: z.object(adjustment),
  reply: AdjustmentPreview,
  errors,
})

export const adjustBalance = defineSchemas({
  summary: 'Credits or debits a member; above the program’s limit, asks a second operator',
  params,
  body: z.object({
    ...adjustment,
    /** Chosen by the caller: the same request is posted once. */
    key: z.uuid(),
    /** The balance that the operator saw. */
    expected: z.string().max(60),
    reason,
  }),
  multiline: ['reason'],
  reply: z.object({
    state: z.enum(['posted', 'asked']),
    /** The id of the request, when a second operator decides. */
    approval: z.string().nullable(),
  }),
  errors: { ...errors, conflict: 409 },
})

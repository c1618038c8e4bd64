import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { params, errors as readErrors } from '../record-schemas.ts'

/** What moves with a merge, in the order in which it is shown. */
export const movedThings = [
  'linkedCards',
  'removedCards',
  'loadedCards',
  'transactions',
  'pending',
  'credits',
  'openCredits',
  'bonuses',
  'reservations',
  'claims',
  'reviews',
  'notifications',
  'notes',
  'tags',
  'identities',
] as const

const Party = z.object({ id: z.string(), name: z.string(), number: z.string(), email: z.string() })
const Year = z.object({ dines: z.number().int(), spend: z.string() })

export const MergePreview = z.object({
  /** The account that ends. */
  from: Party,
  /** The account that is kept. */
  into: Party,
  /** Which of its numbers the operator types, so that the right account ends. */
  typed: z.enum(['memberNumber', 'referralCode']),
  /** What moves to the kept account. */
  moves: z.array(
    z.object({
      what: z.enum(movedThings),
      count: z.number().int(),
    }),
  ),
  /** The kept account has no member number, and gets that of the other one. */
  movesNumber: z.boolean(),
  /** Ways to sign in that end. */
  ends: z.object({ passkeys: z.number().int(), sessions: z.number().int(), devices: z.number().int() }),
  /** What stays with the account that ends. */
  stays: z.object({
    emails: z.number().int(),
    consents: z.number().int(),
    bonuses: z.number().int(),
    claims: z.number().int(),
  }),
  /** As text, in each unit: `1,204 miles`. */
  balances: z.array(z.object({ from: z.string(), into: z.string(), after: z.string() })),
  /** What the rules change by themselves for one person. */
  changes: z.array(
    z.object({
      kind: z.enum(['awards', 'bonusTaken', 'bonusEarned', 'reservations', 'claims', 'payout', 'debt']),
      amount: z.string(),
      count: z.number().int(),
    }),
  ),
  /** The current year of the program, which decides about VIP. */
  year: z.object({ from: Year, into: Year, after: Year }),
  /** Of the kept account. */
  tier: z.object({
    before: z.string(),
    after: z.string(),
    vipFrom: z.iso.date().nullable(),
    vipUntil: z.iso.date().nullable(),
  }),
  fingerprint: z.string(),
})
export type MergePreview = z.infer<typeof MergePreview>

/** Why two accounts cannot be merged. */
const errors = {
  ...readErrors,
  mergedAccount: 409,
  mergeSame: 409,
  mergeClosed: 409,
  mergeNotActivated: 409,
  mergeTwoIdentities: 409,
  mergeDebt: 409,
  mergeRequestOpen: 409,
  mergeTables: 409,
  mergeClaims: 409,
}

const into = z.string().min(1).max(60)

export const previewMerge = defineSchemas({
  summary: 'Returns what a merge of an account into another one of the same person would do',
  params,
  body: z.object({ into }),
  reply: MergePreview,
  errors,
})

export const mergeMember = defineSchemas({
  summary: 'Asks a second operator to merge an account into another one of the same person',
  params,
  body: z.object({
    /** The public id of the account to keep. */
    into,
    /** The member number of the account that ends; its referral code where it has no number. */
    memberNumber: z.string().min(1, 'console.members.merge_number').max(60),
    /** Of the outcome that the operator saw. */
    fingerprint: z.string().max(60),
    reason,
  }),
  multiline: ['reason'],
  reply: z.object({
    /** The id of the request. */
    approval: z.string(),
  }),
  errors: { ...errors, conflict: 409 },
})

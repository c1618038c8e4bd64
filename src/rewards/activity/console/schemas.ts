import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'
import { readSoughtDollars } from '../../../platform/money.ts'

const AwardStatus = z.enum(['Awarded', 'Pending', 'Forfeit', 'Paid', 'Deferred'])

const Person = z.object({ id: z.string(), name: z.string() })

export const ListedTransaction = z.object({
  id: z.string(),
  networkId: z.string(),
  dinedAt: z.iso.datetime(),
  merchantName: z.string(),
  /** Null while it is unknown. */
  merchantId: z.string().nullable(),
  /** Null while its card is unknown. */
  member: Person.nullable(),
  cardLastFour: z.string(),
  cents: z.number().int(),
  refundedCents: z.number().int(),
  /** As text: `144 miles`. */
  reward: z.string(),
  awardStatus: AwardStatus,
  /** As members are shown it. */
  status: z.string(),
  reasonCode: z.string(),
})
export type ListedTransaction = z.infer<typeof ListedTransaction>

/** As cents. */
const Dollars = filterText
  .refine((typed) => typed === undefined || readSoughtDollars(typed) !== null, 'console.transactions.amount')
  .transform((typed) => (typed === undefined ? undefined : (readSoughtDollars(typed) ?? undefined)))

const filters = {
  /** An id of the transaction, ours or the network's, or the last four digits of its card. */
  q: filterText,
  restaurant: filterText,
  member: filterText,
  from: Day.optional(),
  to: Day.optional(),
  status: z.enum(['any', ...AwardStatus.options]).default('any'),
  reason: z.string().max(60).default('any'),
  min: Dollars,
  max: Dollars,
}

export const listTransactions = defineSchemas({
  summary: 'Lists transactions, the latest first',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(ListedTransaction),
})

export const exportTransactions = defineSchemas({
  summary: 'Returns the same list as a CSV file',
  query: z.object(filters),
  reply: z.unknown(),
  replyType: 'text/csv',
})

const params = z.object({ id: z.string().max(60) })

const Posting = z.object({
  account: z.string(),
  amount: z.string(),
})

const JournalEntry = z.object({
  id: z.number().int(),
  /** In words, as the accounts of its postings. */
  kind: z.string(),
  postedAt: z.iso.datetime(),
  reasonCode: z.string(),
  postings: z.array(Posting),
})

const RawMessage = z.object({
  /** Names it in calls about it. */
  key: z.string(),
  event: z.string(),
  networkId: z.string(),
  receivedAt: z.iso.datetime(),
  outcome: z.string(),
  /** As JSON, indented. Tokens are masked. */
  body: z.string(),
})

export const TransactionDetail = ListedTransaction.extend({
  locationId: z.string(),
  stage: z.enum(['authorized', 'cleared', 'refunded']),
  isBonus: z.boolean(),
  isManual: z.boolean(),
  clearedAt: z.iso.datetime().nullable(),
  paidAt: z.iso.datetime().nullable(),
  ticketCents: z.number().int(),
  clearedCents: z.number().int(),
  unmatched: z.enum(['card', 'merchant']).nullable(),
  /** Why, in the words that the member reads. */
  memberWords: z.string(),
  /** From the bill to the reward, a line each; empty where there is no calculation. */
  sum: z.array(z.object({ label: z.string(), amount: z.string() })),
  /** What decided it: names and values. */
  inputs: z.array(z.object({ name: z.string(), value: z.string() })),
  /** What happened, and what is expected next. */
  steps: z.array(z.object({ at: z.iso.datetime(), text: z.string(), by: z.string().nullable() })),
  next: z.string().nullable(),
  journal: z.array(JournalEntry),
  messages: z.array(RawMessage),
})
export type TransactionDetail = z.infer<typeof TransactionDetail>

export const getTransaction = defineSchemas({
  summary: 'Returns a transaction with its award, journal entries and raw messages',
  params,
  reply: TransactionDetail,
  errors: { notFound: 404 },
})

/** One transaction, or all of some days, of one restaurant where given. Days are UTC. */
const Scope = z
  .object({
    transaction: z.string().max(60).optional(),
    restaurant: z.string().max(100).optional(),
    from: Day.optional(),
    to: Day.optional(),
  })
  .refine(
    ({ transaction, from, to }) => transaction !== undefined || (from !== undefined && to !== undefined && from <= to),
    'console.transactions.span',
  )

export const RecalculationPreview = z.object({
  count: z.number().int(),
  /** What the differences cost, as text; with a minus sign where members lose. */
  cost: z.string(),
  members: z.number().int(),
  /** Every difference. */
  differences: z.array(
    z.object({
      id: z.string(),
      merchantName: z.string(),
      dinedAt: z.iso.datetime(),
      was: z.string(),
      wasCode: z.string(),
      is: z.string(),
      isCode: z.string(),
      /** Changed terms, a line each. */
      terms: z.array(z.string()),
    }),
  ),
  fingerprint: z.string(),
})
export type RecalculationPreview = z.infer<typeof RecalculationPreview>

const errors = { notFound: 404, tooManyMembers: 422 } as const

export const previewRecalculation = defineSchemas({
  summary: 'Returns every award that differs under the current terms. Stores nothing',
  body: z.object({ scope: Scope }),
  reply: RecalculationPreview,
  errors,
})

export const recalculateTransactions = defineSchemas({
  summary: 'Calculates awards again under the current terms, and posts the differences',
  body: z.object({ scope: Scope, reason, fingerprint: z.string().max(100) }),
  multiline: ['reason'],
  reply: RecalculationPreview,
  errors: { ...errors, conflict: 409 },
})

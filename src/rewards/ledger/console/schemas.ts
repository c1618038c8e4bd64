import { z } from 'zod'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'
import { readSoughtAmount } from '../../../platform/money.ts'

const Account = z.enum(['member', 'program', 'payout', 'restaurant', 'partner', 'platform', 'debt', 'bank'])
const Source = z.enum(['transaction', 'statement-credit', 'adjustment', 'debt', 'payment', 'merge'])

const Posting = z.object({
  account: Account,
  /** As text: `144 miles`, `−$4.21`. */
  amount: z.string(),
})

export const ListedEntry = z.object({
  id: z.number().int(),
  postedAt: z.iso.datetime(),
  source: Source,
  kind: z.string(),
  /** Null for an entry that concerns no member. */
  member: z.object({ id: z.string(), name: z.string() }).nullable(),
  postings: z.array(Posting),
})
export type ListedEntry = z.infer<typeof ListedEntry>

/** Dollars, such as `$4.21`, or a whole number, which also counts miles and points. */
const Amount = filterText
  .refine((typed) => typed === undefined || readSoughtAmount(typed) !== null, 'console.journal.amount')
  .transform((typed) => (typed === undefined ? undefined : (readSoughtAmount(typed) ?? undefined)))

const filters = {
  /** The number of an entry, or an id of what caused it: a transaction, a statement credit, an adjustment, a debt, a payment. */
  q: filterText,
  member: filterText,
  /** Words of the name or the city of a restaurant, or its id. */
  restaurant: filterText,
  account: z.enum(['any', ...Account.options]).default('any'),
  source: z.enum(['any', ...Source.options]).default('any'),
  amount: Amount,
  from: Day.optional(),
  to: Day.optional(),
}

export const listJournal = defineSchemas({
  summary: 'Lists journal entries with their postings, the latest first',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(ListedEntry),
})

export const exportJournal = defineSchemas({
  summary: 'Returns the postings of the same list as a CSV file',
  query: z.object(filters),
  reply: z.unknown(),
  replyType: 'text/csv',
})

export const JournalDetail = z.object({
  id: z.number().int(),
  postedAt: z.iso.datetime(),
  source: Source,
  kind: z.string(),
  /** The id of what caused it. */
  sourceId: z.string(),
  version: z.number().int(),
  /** Why: the code of the award or debt; empty without one. */
  reasonCode: z.string(),
  /** What an operator gave as the reason. */
  words: z.string(),
  /** The operators who made and approved it. */
  by: z.array(z.string()),
  /** The page of what caused it; null where there is none. */
  cause: z
    .object({ type: z.enum(['transaction', 'credit', 'invoice', 'member']), id: z.string(), label: z.string() })
    .nullable(),
  postings: z.array(
    Posting.extend({
      id: z.number().int(),
      member: z.object({ id: z.string(), name: z.string() }).nullable(),
      restaurant: z.object({ id: z.string(), name: z.string() }).nullable(),
    }),
  ),
  /** All entries of the same cause, the first one first. */
  versions: z.array(
    z.object({ id: z.number().int(), version: z.number().int(), kind: z.string(), postedAt: z.iso.datetime() }),
  ),
})
export type JournalDetail = z.infer<typeof JournalDetail>

export const getJournalEntry = defineSchemas({
  summary: 'Returns a journal entry with its postings and what caused it',
  params: z.object({ id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
  reply: JournalDetail,
  errors: { notFound: 404 },
})

export const TrialBalance = z.object({
  day: z.iso.date(),
  lines: z.array(
    z.object({
      account: Account,
      unit: z.enum(['mile', 'point', 'cent']),
      /** As text. The balance at the beginning of the day, what was taken and added, and the balance at its end. */
      before: z.string(),
      taken: z.string(),
      added: z.string(),
      after: z.string(),
    }),
  ),
  /** By unit: what all accounts sum to, which is zero. */
  sums: z.array(
    z.object({ unit: z.enum(['mile', 'point', 'cent']), before: z.string(), after: z.string(), isZero: z.boolean() }),
  ),
})
export type TrialBalance = z.infer<typeof TrialBalance>

export const getTrialBalance = defineSchemas({
  summary: 'Returns the balance of every account at the beginning and the end of a day (UTC)',
  query: z.object({ day: Day.optional() }),
  reply: TrialBalance,
})

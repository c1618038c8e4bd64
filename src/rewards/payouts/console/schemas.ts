import { z } from 'zod'
import { reason } from '../../../console-kit/reason.ts'
import { defineSchemas } from '../../../platform/call.ts'
import { Day } from '../../../platform/day.ts'
import { filterText, listOf, pageQuery } from '../../../platform/list-call.ts'

const Attention = z.enum([
  'unanswered',
  'unknownThere',
  'unfinished',
  'openAfterReturn',
  'paidAfterReturn',
  'rejectedAfterPaid',
  'leftInClosedAccount',
])

/** Where the money is; `checking`: on its way, and the processor does not answer. */
const State = z.enum(['open', 'checking', 'paid', 'returned'])

export const ListedCredit = z.object({
  id: z.string(),
  orderedAt: z.iso.datetime(),
  cents: z.number().int(),
  member: z.object({ id: z.string(), name: z.string() }),
  state: State,
  /** Why an operator must look at it; null when nothing is to be decided. */
  attention: Attention.nullable(),
  /** `Visa card`, or the brand of a provider that pays by email. Never the number of a card. */
  target: z.string(),
  /** Empty before the first attempt. */
  processor: z.string(),
  unanswered: z.number().int(),
})
export type ListedCredit = z.infer<typeof ListedCredit>

const filters = {
  /** The id of a credit. */
  q: filterText,
  member: filterText,
  from: Day.optional(),
  to: Day.optional(),
  state: z.enum(['any', 'attention', ...State.options]).default('any'),
}

export const listCredits = defineSchemas({
  summary: 'Lists statement credits, the latest first',
  query: z.object({ ...pageQuery, ...filters }),
  reply: listOf(ListedCredit),
})

export const exportCredits = defineSchemas({
  summary: 'Returns the same list as a CSV file',
  query: z.object(filters),
  reply: z.unknown(),
  replyType: 'text/csv',
})

const params = z.object({ id: z.string().max(60) })

const Decision = z.enum(['return', 'paid', 'order', 'acknowledge'])

const CreditEvent = z.object({
  at: z.iso.datetime(),
  /** What happened, or what an operator decided. */
  kind: z.string(),
  /** Of a decision. */
  outcome: z.enum(['done', 'waiting', 'impossible']),
  /** The reason of the processor or the operator. */
  detail: z.string(),
  /** Null for what happened by itself. */
  by: z.string().nullable(),
})

export const CreditDetail = ListedCredit.extend({
  sentAt: z.iso.datetime().nullable(),
  /** When the processor is asked again; null when it is not. */
  nextAttemptAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  /** How often the processor did not know it, and received it again. */
  resubmitted: z.number().int(),
  /** What can be decided now, besides asking the processor. */
  decisions: z.array(Decision),
  events: z.array(CreditEvent),
  journal: z.array(
    z.object({
      id: z.number().int(),
      kind: z.string(),
      postedAt: z.iso.datetime(),
      /** The change of the member's balance. */
      cents: z.number().int(),
    }),
  ),
})
export type CreditDetail = z.infer<typeof CreditDetail>

export const getCredit = defineSchemas({
  summary: 'Returns a statement credit with its history and the processor’s answers',
  params,
  reply: CreditDetail,
  errors: { notFound: 404 },
})

export const askProcessor = defineSchemas({
  summary: 'Asks the processor for the outcome now',
  params,
  reply: CreditDetail,
  errors: { notFound: 404, conflict: 409 },
})

/** What a decision does, from a dry run. */
export const DecisionPreview = z.object({
  stateAfter: State,
  attentionAfter: Attention.nullable(),
  /** The member's balance. */
  centsBefore: z.number().int(),
  centsAfter: z.number().int(),
  /** New credits. */
  ordered: z.array(z.object({ cents: z.number().int(), target: z.string() })),
  fingerprint: z.string(),
})
export type DecisionPreview = z.infer<typeof DecisionPreview>

const errors = { notFound: 404, conflict: 409, accountBusy: 409 } as const

export const previewCreditDecision = defineSchemas({
  summary: 'Returns what a decision would do. Stores nothing',
  params,
  body: z.object({ decision: Decision }),
  reply: DecisionPreview,
  errors,
})

export const decideCredit = defineSchemas({
  summary: 'Decides a statement credit whose outcome is unknown or disputed',
  params,
  body: z.object({ decision: Decision, reason, fingerprint: z.string().max(60) }),
  multiline: ['reason'],
  reply: CreditDetail,
  errors,
})

import { z } from 'zod'
import { defineSchemas } from '../../platform/call.ts'
import { listOf, pageQuery } from '../../platform/list-call.ts'

/** The balance of the member, as text, before and after what is asked for. */
const Effect = z.object({ before: z.string(), after: z.string() })

export const Approval = z.object({
  id: z.string(),
  kind: z.string(),
  summary: z.string(),
  reason: z.string(),
  /** The member that it is about: public id and name. Null for an account that was deleted since. */
  memberId: z.string().nullable(),
  memberName: z.string().nullable(),
  askedBy: z.string(),
  /** The signed-in operator asked for it, and cannot decide it. */
  isMine: z.boolean(),
  askedAt: z.iso.datetime(),
  state: z.enum(['open', 'approved', 'refused']),
  decidedBy: z.string(),
  decidedAt: z.iso.datetime().nullable(),
  decisionReason: z.string(),
  /** What the one who asked was shown. */
  asked: Effect.nullable(),
})
export type Effect = z.infer<typeof Effect>
export type Approval = z.infer<typeof Approval>

export const listApprovals = defineSchemas({
  summary: 'Lists what operators have asked for: open requests, the oldest first, or decided ones, the latest first',
  query: z.object({
    ...pageQuery,
    state: z.enum(['open', 'decided']).default('open'),
    /** Who asked for it. The operator decides those of others. */
    asker: z.enum(['anybody', 'others', 'me']).default('anybody'),
    q: z.string().max(120).optional(),
  }),
  reply: listOf(Approval),
})

const ApprovalDetail = Approval.extend({
  /** What approving does now; null for a decided request, and for one that can no longer be carried out. */
  effect: Effect.nullable(),
})
export type ApprovalDetail = z.infer<typeof ApprovalDetail>

const params = z.object({ id: z.string().max(60) })

export const getApproval = defineSchemas({
  summary: 'Returns a request, with what approving it does now',
  params,
  reply: ApprovalDetail,
  errors: { notFound: 404 },
})

export const decideApproval = defineSchemas({
  summary: 'Approves a request, which carries it out, or refuses it. Nobody decides their own',
  params,
  body: z.object({
    decision: z.enum(['approve', 'refuse']),
    /** The balance that the operator saw. An approval is refused when it is another one by then. */
    expected: z.string().max(200).optional(),
    reason: z.string().trim().max(200, 'console.reason_long').default(''),
  }),
  multiline: ['reason'],
  reply: ApprovalDetail,
  errors: {
    notFound: 404,
    ownRequest: 403,
    dependentOperator: 403,
    conflict: 409,
    // Why what was asked for cannot be carried out any more.
    claimDecided: 409,
    mergedAccount: 409,
    mergeClosed: 409,
    mergeNotActivated: 409,
    mergeTwoIdentities: 409,
    mergeDebt: 409,
    mergeRequestOpen: 409,
    mergeTables: 409,
    mergeClaims: 409,
  },
})

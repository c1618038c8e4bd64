import { askApproval } from '../../console-kit/approvals/service.ts'
import { lockMember, type MemberRow } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { formatReward, isMoney } from '../../programs/partners/rates.ts'
import { postAdjustment } from '../../rewards/awards/adjustment.ts'
import { aloneLimits, lockOperatorLimit, needsSecondOperator } from '../../rewards/awards/operator-limits.ts'
import { rewardFieldFor } from '../../rewards/claims/console/service.ts'
import { unitOf } from '../../rewards/earning/terms.ts'
import { getBalance } from '../../rewards/ledger/entries.ts'
import { objectOf, requireStanding } from './acts.ts'
import { findMember } from './detail.ts'
import type { AdjustmentPreview } from './schemas.ts'

export interface AdjustmentForm {
  direction: 'credit' | 'debit'
  /** As typed: `1.25` dollars, or `1,200` miles. */
  amount: string
}

/** Returns the change of the balance, in the smallest unit. Throws a field error. */
function readAmount(ctx: OperatorCtx, { direction, amount }: AdjustmentForm): number {
  const { config } = ctx.program
  const value = rewardFieldFor(config).parse(amount)
  if (value === null) {
    const message = isMoney(config) ? 'console.members.amount_money' : 'console.members.amount_count'
    throw new ValidationError([{ field: 'amount', message }])
  }
  return direction === 'credit' ? value : -value
}

/** Returns what an adjustment would do. Throws `notFound`, and a field error. */
export async function preview(ctx: OperatorCtx, id: string, form: AdjustmentForm): Promise<AdjustmentPreview> {
  const member = await findMember(ctx, id)
  return previewOf(ctx, member, readAmount(ctx, form))
}

async function previewOf(
  ctx: OperatorCtx,
  member: MemberRow,
  amount: number,
  db: OperatorCtx['db'] | Tx = ctx.db,
): Promise<AdjustmentPreview> {
  const { config } = ctx.program
  const before = await getBalance(db, member.id, unitOf(config.currencyType))
  const limits = aloneLimits(config)
  return {
    amount: formatReward(config, Math.abs(amount)),
    before: formatReward(config, before),
    after: formatReward(config, before + amount),
    needsApproval: await needsSecondOperator(db, ctx, { memberId: member.id, amount }),
    limit: formatReward(config, limits.ofMember),
    dayLimit: formatReward(config, limits.ofOperator),
  }
}

export interface AdjustmentRequest extends AdjustmentForm {
  /** Chosen by the page: the same request is posted once. */
  key: string
  /** The balance that the operator saw. */
  expected: string
  reason: string
}

interface Payload {
  adjustment: string
  memberId: number
  amount: number
}

/**
 * Posts a credit or a debit; one above the limit becomes a request for a second operator. Throws `notFound`, and
 * `conflict` when the balance is not the one that the operator saw, or the request was made before.
 */
export async function adjust(
  ctx: OperatorCtx,
  id: string,
  { key, expected, reason, ...form }: AdjustmentRequest,
): Promise<{ state: 'posted' | 'asked'; approval: string | null }> {
  const { id: memberId } = await findMember(ctx, id)
  const amount = readAmount(ctx, form)
  return inTransaction(ctx.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    if (!member || member.deleted_at) throw new ApiError('notFound')
    requireStanding(member)
    await lockOperatorLimit(tx, ctx)
    const dry = await previewOf(ctx, member, amount, tx)
    if (dry.before !== expected) throw new ApiError('conflict')
    const payload: Payload = { adjustment: key, memberId, amount }
    const act = { object: objectOf(member), memberId, reason, before: { balance: dry.before } }
    if (dry.needsApproval) {
      const what = form.direction === 'credit' ? 'Credit' : 'Debit'
      const summary = `${what} of ${dry.amount}`
      const asked = { before: dry.before, after: dry.after }
      const request = { kind: 'adjustment', subject: key, payload, asked, summary, reason, memberId }
      const approval = await askApproval(tx, ctx, request)
      await ctx.record(tx, { ...act, after: { asked: summary, approval } })
      return { state: 'asked', approval }
    }
    await postAdjustment(tx, ctx, { id: key, memberId, amount, words: reason, by: [ctx.operator.name] })
    await ctx.record(tx, { ...act, after: { [form.direction]: dry.amount, balance: dry.after } })
    return { state: 'posted', approval: null }
  })
}

/**
 * Posts an approved adjustment, in the transaction of the approval. Returns the balance before and after. Throws `notFound`
 * for a deleted account, and `conflict` when it was posted before.
 */
export async function executeAdjustment(
  tx: Tx,
  ctx: OperatorCtx,
  { payload, reason, askedBy }: { payload: unknown; reason: string; askedBy: string },
): Promise<{ before: string; after: string }> {
  const { adjustment, memberId, amount } = payload as Payload
  const member = await lockMember(tx, memberId)
  if (!member || member.deleted_at) throw new ApiError('notFound')
  requireStanding(member)
  const { config } = ctx.program
  const balance = async () => formatReward(config, await getBalance(tx, memberId, unitOf(config.currencyType)))
  const before = await balance()
  await postAdjustment(tx, ctx, { id: adjustment, memberId, amount, words: reason, by: [askedBy, ctx.operator.name] })
  return { before, after: await balance() }
}

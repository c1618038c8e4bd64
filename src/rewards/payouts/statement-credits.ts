import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { ClaimedJob } from '../../platform/jobs/workers.ts'
import { type Answer, executeDecisions, recordAnswer } from './outcomes.ts'
import type { CreditProcessor } from './processor.ts'
import { placeOf } from './rules.ts'
import * as store from './store.ts'

export { listWaitingRests, payOutBalances, payOutRest } from './order-credits.ts'
export { enqueueOverdue as enqueueOverdueCredits } from './store.ts'

/**
 * Carries out what operators have decided about a credit, submits it to its processor or asks for its outcome, outside
 * any transaction, and records the answer. The processor knows the credit by its id, so that a repetition pays nothing
 * twice. Without an answer, the credit stays open and gets a later job; it never returns to the balance by itself.
 */
export async function executeCredit(
  ctx: Ctx,
  processor: CreditProcessor,
  { id }: Pick<ClaimedJob, 'id'>,
): Promise<void> {
  await executeDecisions(ctx, Number(id))
  const credit = await store.findAskedCredit(ctx.db, Number(id))
  if (!credit) return
  const isFirst = placeOf(credit.status) === 'open' && (await store.markSubmitted(ctx.db, credit.id, ctx.now()))
  const answer = await ask(ctx, processor, credit, isFirst)
  await inTransaction(ctx.db, (tx) => recordAnswer(tx, ctx, credit, processor, answer))
}

/** Returns what the processor says, or `unknown` when it says nothing. */
async function ask(ctx: Ctx, processor: CreditProcessor, credit: store.CreditRow, isFirst: boolean): Promise<Answer> {
  const order = store.toOrder(credit)
  try {
    if (isFirst) return await processor.submit(ctx, order)
    // An earlier attempt may have reached the processor: its outcome is asked for, even where it would not remember the
    // id of a repetition for days.
    const answer = await processor.check(ctx, order)
    const isMissing = answer.outcome === 'notReceived' && placeOf(credit.status) === 'open'
    return isMissing ? { ...(await processor.submit(ctx, order)), isResubmitted: true } : answer
  } catch (error) {
    ctx.log.warn({ err: error, credit: credit.public_id }, 'a payout processor did not answer')
    return { outcome: 'unknown', error: (error instanceof Error ? error.message : 'unknown').slice(0, 200) }
  }
}

import { lockMember } from '../../identity/members/service.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { listTimedOut } from './pending-store.ts'
import { recomputeAward } from './recompute-award.ts'
import { findTransactionById } from './store.ts'
import { redecideTransaction, statusToStore } from './transaction-decision.ts'
import { writeTransactions } from './write-transactions.ts'

/** Days after which no final amount is expected; a later one is processed nevertheless. */
export const clearingDays = 30
/** Days to wait for an unknown card or restaurant. */
export const matchingDays = 14

/** Expires pending transactions by time: releases deferred rewards and closes what never cleared or matched. */
export async function expirePending(ctx: Ctx): Promise<void> {
  const timeouts = { clearing: clearingDays, matching: matchingDays }
  for (const id of await listTimedOut(ctx.db, ctx.now(), timeouts)) {
    await inTransaction(ctx.db, async (tx) => {
      const memberId = (await findTransactionById(tx, id))?.member_id ?? null
      if (memberId !== null) await lockMember(tx, memberId)
      // Read under the lock: it may have been cleared or refunded concurrently.
      const transaction = await findTransactionById(tx, id)
      if (transaction?.award_status !== 'Pending' && transaction?.award_status !== 'Deferred') return
      if (memberId !== null) return recomputeAward(tx, ctx, transaction, { waiting: 'over' })
      const decision = redecideTransaction(transaction, { waiting: 'over' })
      if (decision) await writeTransactions(tx, [{ ...decision, status: statusToStore(decision) }])
    })
  }
}

import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { AwardInput } from '../earning/terms.ts'
import { applyAwardEffects } from './award-effects.ts'
import { decideAndWrite } from './decide-awards.ts'
import type { TransactionRow } from './store.ts'
import { redecideTransaction } from './transaction-decision.ts'

/**
 * Computes the award of a stored transaction again after a change, with all its effects. Manual entries stay as the
 * operator decided. The caller holds the member's lock and has read the transaction under it.
 */
export async function recomputeAward(
  tx: Tx,
  ctx: Ctx,
  transaction: TransactionRow,
  change: Partial<AwardInput>,
): Promise<void> {
  const decision = redecideTransaction(transaction, change)
  if (!decision) return
  await applyAwardEffects(tx, ctx, await decideAndWrite(tx, [decision]))
}

import { lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { listCarriers, settleDebts, writeOffUnreachable } from '../debts/service.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { listWaitingRests, payOutBalances } from '../payouts/statement-credits.ts'

/** Settles what a member owes or is to get back, and pays out what remains. The caller holds the member's lock. */
export async function settleMember(tx: Tx, ctx: Ctx, memberId: number): Promise<void> {
  const changed = [...(await settleDebts(tx, ctx, [memberId])).changed]
  if (changed.length === 0) return
  await payOutBalances(tx, ctx, new Map(changed.map((id) => [id, null])))
  await publishActivity(tx, ctx.partnerId, changed)
}

/**
 * Carries debts over to accounts that nothing else has found: those of refunds that arrived after their account was
 * deleted and the person had joined again. Then pays out what has waited for them in deleted accounts, and writes off the
 * debts whose hashes have been deleted.
 */
export async function carryOpenDebts(ctx: Ctx): Promise<void> {
  for (const memberId of await listCarriers(ctx)) {
    await inTransaction(ctx.db, async (tx) => {
      if (await lockMember(tx, memberId)) await settleMember(tx, ctx, memberId)
    })
  }
  for (const [memberId, cardId] of await listWaitingRests(ctx)) {
    await inTransaction(ctx.db, async (tx) => {
      if (await lockMember(tx, memberId)) await payOutBalances(tx, ctx, new Map([[memberId, cardId]]))
    })
  }
  await writeOffUnreachable(ctx)
}

import { lockMember } from '../../identity/members/service.ts'
import { inTransaction } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { settleMember } from '../awards/carry-debts.ts'
import { findHolder } from '../awards/match-context.ts'
import { rematchUnmatched } from './receive-events.ts'

/**
 * Completes the link of a card, after its transaction: first carries over what the card owes, then matches transactions
 * that were waiting for it.
 */
export async function completeLink(ctx: Ctx, cardToken: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const memberId = await findHolder(tx, cardToken)
    if (memberId !== undefined && (await lockMember(tx, memberId))) await settleMember(tx, ctx, memberId)
  })
  await rematchUnmatched(ctx, { cardToken })
}

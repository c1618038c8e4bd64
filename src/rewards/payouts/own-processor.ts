import type { CreditOrder, CreditProcessor } from './processor.ts'
import { findOrder, insertOrder, type StoredOrder } from './store.ts'

/** The processor that comes with Dineback: it pays an order when it receives it, and reports it at the next check. */
export const ownProcessor: CreditProcessor = {
  name: 'dineback',
  checkEvery: 0,
  async submit(ctx, order) {
    await insertOrder(ctx.db, order.creditId, order.amountCents, ctx.now())
    rejectOtherAmount(await findOrder(ctx.db, order.creditId), order)
    return { outcome: 'accepted' }
  },
  async check(ctx, order) {
    const stored = await findOrder(ctx.db, order.creditId)
    if (!stored) return { outcome: 'notReceived' }
    rejectOtherAmount(stored, order)
    return { outcome: stored.paidAt === null ? 'accepted' : 'completed' }
  },
}

function rejectOtherAmount(stored: StoredOrder | undefined, { creditId, amountCents }: CreditOrder): void {
  if (stored?.amountCents !== amountCents) throw new Error(`order ${creditId} has another amount`)
}

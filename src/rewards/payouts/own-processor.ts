import type { CreditProcessor } from './processor.ts'
import { insertOrder, markOrderPaid } from './store.ts'

/** The processor that comes with Dineback: it stores an order, and reports it paid at the next check. */
export const ownProcessor: CreditProcessor = {
  name: 'dineback',
  checkEvery: 0,
  async submit(ctx, { creditId, amountCents }) {
    await insertOrder(ctx.db, creditId, amountCents)
    return 'pending_received'
  },
  async check(ctx, { creditId }) {
    return (await markOrderPaid(ctx.db, creditId, ctx.now())) ? 'completed' : 'error'
  },
}

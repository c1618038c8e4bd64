import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays, dayIn } from '../../platform/time.ts'
import * as store from './store.ts'

/** Days in which restaurants pay, of programs that say nothing else. */
const usualInvoiceDays = 30

/**
 * Issues the invoices of a month that is being closed, in the same transaction. They are due some days after today, the
 * day of the program.
 */
export function issueInvoices(
  tx: Tx,
  ctx: Pick<Ctx, 'now' | 'program'>,
  closing: { month: string; days: { from: string; to: string } },
): Promise<store.Issued> {
  const { timeZone, invoiceDays = usualInvoiceDays } = ctx.program.config
  const at = ctx.now()
  return store.issueInvoices(tx, { ...closing, dueOn: addDays(dayIn(at, timeZone), invoiceDays), at })
}

import { acquireAdvisoryLock, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { fingerprintOf, tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { formatCents } from '../../../platform/money.ts'
import { countOpen, findClosedMonth, findFirstOpenMonth, insertClosedMonth } from '../month-store.ts'
import type { DayRange } from '../store.ts'
import type { ClosePreview } from './contract.ts'
import { daysOf, getSettlementMonth } from './service.ts'

export interface CloseDeps {
  /** Issues the invoices of the month. Returns how many there are, and what restaurants are asked to pay. */
  issueInvoices: (
    tx: Tx,
    ctx: OperatorCtx,
    closing: { month: string; days: DayRange },
  ) => Promise<ClosePreview['invoices']>
}

/** Returns what closing a month would do, and what is open. Throws as the act. */
export function previewClose(ctx: OperatorCtx, deps: CloseDeps, month: string): Promise<ClosePreview> {
  return carryOut(ctx, deps, { month, reason: 'a dry run', isDry: true })
}

/**
 * Closes a month of settlement: no entry is posted in it any more, and its invoices are issued. Throws `monthNotOver`, `earlierMonthOpen`,
 * `monthClosed`, and `conflict` when its totals are not those that the operator was shown.
 */
export async function closeMonth(
  ctx: OperatorCtx,
  deps: CloseDeps,
  closing: { month: string; reason: string; fingerprint: string },
): Promise<ClosePreview> {
  return carryOut(ctx, deps, { ...closing, isDry: false })
}

async function carryOut(
  ctx: OperatorCtx,
  { issueInvoices }: CloseDeps,
  { month, reason, isDry, fingerprint }: { month: string; reason: string; isDry: boolean; fingerprint?: string },
): Promise<ClosePreview> {
  return tryOrDo({ isDry }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      // An entry that began in the month and is being posted is waited for, and later ones wait.
      await acquireAdvisoryLock(tx, `months:${ctx.partnerId}`)
      if (await findClosedMonth(tx, month)) throw new ApiError('monthClosed')
      const shown = await getSettlementMonth({ ...ctx, db: tx }, month)
      if (!shown.isOver) throw new ApiError('monthNotOver')
      const first = await findFirstOpenMonth(tx)
      if (first !== undefined && first < month) throw new ApiError('earlierMonthOpen')
      const { timeZone } = ctx.program.config
      const open = await countOpen(tx, { ...daysOf(month), timeZone })
      const { totals } = shown
      await insertClosedMonth(tx, { month, by: ctx.operator.name, reason, at: ctx.now() })
      const invoices = await issueInvoices(tx, ctx, { month, days: daysOf(month) })
      const preview = { month, totals, open, invoices, fingerprint: fingerprintOf({ month, totals, invoices }) }
      if (isDry) return finish(preview)
      if (preview.fingerprint !== fingerprint) throw new ApiError('conflict')
      await ctx.record(tx, {
        object: { type: 'settlement-month', id: month },
        before: { state: 'open' },
        after: {
          state: 'closed',
          restaurantsOwe: formatCents(totals.owesCents),
          partnerIsOwed: formatCents(totals.partnerCents),
          invoices: invoices.count,
          open,
        },
        reason,
      })
      return finish(preview)
    }),
  )
}

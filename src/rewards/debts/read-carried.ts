import type { MemberCtx } from '../../platform/http/context.ts'
import { formatCents, formatCount } from '../../platform/money.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { type RewardUnit, unitOf } from '../earning/terms.ts'
import type { CarriedDebt } from './contract.ts'
import { listCarried } from './store.ts'

/** Returns why the signed-in member's balance began below zero, and what has changed that since; the newest first. */
export async function readCarriedDebts(ctx: MemberCtx): Promise<CarriedDebt[]> {
  const rows = await listCarried(ctx.db, ctx.actor.memberId)
  return rows.map(({ id, at, code, unit, amount }) => ({
    id: String(id),
    at: at.toISOString(),
    key: `debts.${code}`,
    params: { amount: amountText(ctx, unit, Math.abs(amount)) },
  }))
}

/** A debt keeps its unit when the program changes its currency. */
function amountText({ program: { config } }: MemberCtx, unit: RewardUnit, amount: number): string {
  if (unitOf(config.currencyType) === unit) return formatReward(config, amount)
  return unit === 'cent' ? formatCents(amount) : `${formatCount(amount)} ${amount === 1 ? unit : `${unit}s`}`
}

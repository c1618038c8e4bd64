import { memberRow } from '../../identity/members/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { instantOf } from '../../platform/time.ts'
import { readTerms } from '../awards/lookups.ts'
import type { Why } from '../earning/contract.ts'
import { explain } from '../earning/explain.ts'
import { decideAward } from '../earning/rules.ts'
import { imagineMeal } from './imagine-meal.ts'

/** The assumed local time when the time of payment is unknown. */
const dinnerMinutes = 19 * 60

export interface MissedMeal {
  memberId: number
  /** The restaurant's public id. */
  merchantId: string
  /** The restaurant's local date. */
  date: string
  cents: number
  cardLinkedAt: Date
}

/**
 * Returns what an unreported transaction would have earned, by the same function as reported ones. Throws error code
 * `merchantNotFound`.
 */
export async function judgeMissing(ctx: Ctx, missed: MissedMeal): Promise<{ benefit: number; reason: Why }> {
  const { config } = ctx.program
  const merchant = await readTerms(ctx.db, missed.merchantId)
  const guest = await memberRow(ctx.db, missed.memberId)
  if (!merchant || !guest) throw new Refusal('merchantNotFound')
  const dinedAt = instantOf(missed.date, dinnerMinutes, merchant.terms.timeZone) ?? new Date(`${missed.date}T19:00:00Z`)
  const { cents, cardLinkedAt } = missed
  const dinner = await imagineMeal(ctx.db, config, { merchant, guest, dinedAt, cents, cardLinkedAt })
  const { benefit, awardStatus, reason } = decideAward(dinner)
  return { benefit, reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }) }
}

import { findMemberRow } from '../../identity/members/service.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { toInstant } from '../../platform/time.ts'
import { getMerchantTerms } from '../awards/current-terms.ts'
import type { AwardExplanation } from '../earning/contract.ts'
import { explain } from '../earning/explain.ts'
import { computeAward } from '../earning/rules.ts'
import { buildHypotheticalInput } from './hypothetical-input.ts'

/** The assumed local time when the time of payment is unknown. */
const defaultDiningMinutes = 19 * 60
const quartersOfDay = 24 * 4

export interface MissedTransaction {
  memberId: number
  /** The restaurant's public id. */
  merchantId: string
  /** The restaurant's local date. */
  date: string
  cents: number
  cardLinkedAt: Date
}

/**
 * Returns what an unreported transaction would have earned, by the same function as reported ones, and the most that it
 * would have earned at another time of that day: the time of payment is unknown. Throws error code `merchantNotFound`.
 */
export async function evaluateMissing(
  ctx: Ctx,
  missed: MissedTransaction,
): Promise<{ benefit: number; reason: AwardExplanation; mostOfDay: number }> {
  const { config } = ctx.program
  const merchant = await getMerchantTerms(ctx.db, missed.merchantId)
  const member = await findMemberRow(ctx.db, missed.memberId)
  if (!merchant || !member) throw new ApiError('merchantNotFound')
  const dinedAt =
    toInstant(missed.date, defaultDiningMinutes, merchant.terms.timeZone) ?? new Date(`${missed.date}T19:00:00Z`)
  const { cents, cardLinkedAt } = missed
  const input = await buildHypotheticalInput(ctx.db, config, {
    merchant,
    memberOrTier: member,
    dinedAt,
    cents,
    cardLinkedAt,
  })
  const { benefit, awardStatus, reason } = computeAward(input)
  const times = Array.from({ length: quartersOfDay }, (_, quarter) =>
    toInstant(missed.date, quarter * 15, merchant.terms.timeZone),
  )
  const ofDay = times.map((time) => (time ? computeAward({ ...input, dinedAt: time.toISOString() }).benefit : 0))
  return {
    benefit,
    reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }),
    mostOfDay: Math.max(benefit, ...ofDay),
  }
}

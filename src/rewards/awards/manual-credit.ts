import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { ruleVersion } from '../earning/rules.ts'
import { unitOf } from '../earning/terms.ts'
import { publishActivity } from '../ledger/announce-activity.ts'
import { type ClaimCredit, type CreditReason, listClaimCredits, settleClaimCredits } from './claim-credits.ts'
import { applyBalanceEffects } from './effects.ts'
import { insertManualEntry } from './extra-entries.ts'
import { areSimilarClaims, type ClaimedMeal } from './meal-match.ts'

export interface ManualCredit extends ClaimedMeal {
  memberId: number
  cardId: number | null
  cardLastFour: string
  /** The claim: it is credited once. */
  claimId: string
  /** In the smallest unit. */
  benefit: number
  /** Network ids of entries that the operator confirmed to be other meals. */
  otherMeals: readonly string[]
}

/** Returns the network id of the credit of a claim. */
export const creditIdOf = (claimId: string) => `manual:claim:${claimId}`

/**
 * Credits a transaction that no network reported: a manual entry, posted at once. Returns false when nothing was
 * credited: another claim for a similar meal was, or the transaction itself has earned and takes the credit's place.
 * Both only when the operator has not confirmed that it was another meal. The caller holds the member's lock.
 */
export async function postManualCredit(
  tx: Tx,
  ctx: Ctx,
  { claimId, otherMeals, ...credit }: ManualCredit,
): Promise<boolean> {
  const { currencyType, settlement } = ctx.program.config
  const { memberId, cardId, benefit } = credit
  const networkId = creditIdOf(claimId)
  const before = await listClaimCredits(tx, [memberId])
  const isOther = (other: ClaimCredit) => other.networkId === networkId || otherMeals.includes(other.networkId)
  // Also one whose meal has taken its place: the meal is paid, and can take only one credit's place.
  const isPaid = ({ benefit: paid, reason }: ClaimCredit) =>
    paid > 0 || (reason.transaction !== undefined && !otherMeals.includes(reason.transaction))
  if (before.some((other) => isPaid(other) && !isOther(other) && areSimilarClaims(credit, other))) return false
  const reason: CreditReason = {
    code: 'creditedByHand',
    rule: ruleVersion,
    ...(settlement && { settlement }),
    credited: benefit,
    otherMeals,
  }
  await insertManualEntry(tx, { ...credit, networkId, publicId: publicId(), unit: unitOf(currencyType), reason })
  const replaced = await settleClaimCredits(tx, await listClaimCredits(tx, [memberId]))
  await applyBalanceEffects(tx, ctx, new Map([[memberId, cardId]]))
  await publishActivity(tx, ctx.partnerId, [memberId])
  return !replaced.has(networkId)
}

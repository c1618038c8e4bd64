import type { Ctx } from '../../kit/server/context.ts'
import type { Tx } from '../../kit/server/db.ts'
import { publicId } from '../../kit/server/ids.ts'
import { localMoment } from '../../kit/time.ts'
import { lockMember } from '../../members/service.ts'
import type { TierLevel } from '../../partners/contract.ts'
import { programTerms } from '../program-terms.ts'
import { type Dinner, decideAward, type MemberTerms, type MerchantTerms, type ProgramTerms } from '../rules.ts'
import { settleBonuses } from '../settle-bonuses.ts'
import { monthOf, settleAlone, settleMonth } from '../settle-meals.ts'
import { payOutBalance } from '../statement-credits.ts'
import { announceActivity, changeMeal, findMeal, insertMeal, type MealFacts, type MealRow, reasonOf } from '../store.ts'
import { tellOfMeal } from '../tell-member.ts'
import type { Meal } from './fold.ts'
import { instantOf } from './instant.ts'
import { cardOfMeal, type FeedLookups } from './lookups.ts'

/**
 * Writes down what is now known of a meal and everything that follows from it: the decision, the ledger, a statement
 * credit. The terms (tier, rates, offers) are those of the first message that found card and restaurant, so that a
 * refund months later takes back what the meal earned then. Answers whether card and restaurant are known.
 */
export async function keepMeal(tx: Tx, ctx: Ctx, meal: Meal, lookups: FeedLookups): Promise<boolean> {
  const known = await findMeal(tx, meal.networkId)
  const match = await matchMeal(tx, ctx, meal, known, lookups)
  await write(tx, known, meal, match)
  if (match.memberId !== null) {
    await settleAround(tx, known, match, match.memberId)
    await settleBonuses(tx, ctx, match.memberId)
    await payOutBalance(tx, ctx, { memberId: match.memberId, cardId: match.cardId })
    await tellOfMeal(tx, ctx, match.networkId, known)
    await announceActivity(tx, ctx.partnerId, match.memberId)
  }
  return match.member !== null && match.merchant !== null
}

interface Match {
  networkId: string
  dinedAt: Date
  cardId: number | null
  memberId: number | null
  merchantId: number | null
  merchantName: string
  program: ProgramTerms
  member: MemberTerms | null
  merchant: MerchantTerms | null
  flexRate: number
  review: Dinner['review']
}

async function matchMeal(
  tx: Tx,
  ctx: Ctx,
  meal: Meal,
  known: MealRow | undefined,
  lookups: FeedLookups,
): Promise<Match> {
  const kept = known && reasonOf(known).inputs
  const place = await matchMerchant(tx, meal, known, lookups)
  const dinedAt = instantOf(meal.datetime, place.merchant?.timeZone ?? 'UTC')
  const holder = await matchCard(tx, meal, known, dinedAt, lookups)
  return {
    networkId: meal.networkId,
    dinedAt,
    program: kept?.program ?? programTerms(ctx.program.config),
    review: kept?.review,
    ...place,
    ...holder,
    flexRate: await matchFlexOffer(tx, ctx, { ...place, ...holder, dinedAt }, kept, lookups),
  }
}

/** Kept, like all terms, from the first message that found both card and restaurant. */
async function matchFlexOffer(
  tx: Tx,
  ctx: Ctx,
  { merchantId, merchant, member, dinedAt }: Pick<Match, 'merchantId' | 'merchant' | 'member' | 'dinedAt'>,
  kept: Dinner | undefined,
  lookups: FeedLookups,
): Promise<number> {
  if (kept?.member && kept.merchant) return kept.flexRate ?? 0
  if (!ctx.program.config.hasFlexOffers || merchantId === null || !merchant || !member) return 0
  const { date } = localMoment(dinedAt, merchant.timeZone)
  return lookups.flexRate(tx, { merchantId, tier: member.tier, date })
}

type Place = Pick<Match, 'merchantId' | 'merchantName' | 'merchant'>

async function matchMerchant(tx: Tx, meal: Meal, known: MealRow | undefined, lookups: FeedLookups): Promise<Place> {
  if (known?.merchant_id && known.network_location_id === meal.locationId) {
    const { merchant } = reasonOf(known).inputs
    return { merchantId: known.merchant_id, merchantName: known.merchant_name, merchant }
  }
  const found = await lookups.merchantByLocation(tx, meal.locationId)
  return {
    merchantId: found?.id ?? null,
    merchantName: found?.name ?? meal.merchantName,
    merchant: found?.terms ?? null,
  }
}

type Holder = Pick<Match, 'cardId' | 'memberId' | 'member'>

/** Whoever is found is locked: from here on nobody else decides about this member's meals. */
async function matchCard(
  tx: Tx,
  meal: Meal,
  known: MealRow | undefined,
  dinedAt: Date,
  lookups: FeedLookups,
): Promise<Holder> {
  if (known?.member_id) {
    await lockMember(tx, known.member_id)
    return { cardId: known.card_id, memberId: known.member_id, member: reasonOf(known).inputs.member }
  }
  const card = cardOfMeal(await lookups.cardsByToken(tx, meal.cardToken), dinedAt)
  const member = card && (await lockMember(tx, card.memberId))
  if (!card || !member) return { cardId: null, memberId: null, member: null }
  // Removing the last card closes the account: until then it was open.
  const open = (member.active && member.member_type !== 'ClosedAccountMember') || card.removedAt !== null
  const tier = member.tier_level as TierLevel
  return { cardId: card.id, memberId: member.id, member: { tier, open, cardLinkedAt: card.linkedAt.toISOString() } }
}

async function write(tx: Tx, known: MealRow | undefined, meal: Meal, match: Match): Promise<void> {
  const decision = decideAward(dinnerOf(meal, match))
  if (known) await changeMeal(tx, known.id, factsOf(meal, match), decision)
  else await insertMeal(tx, publicId(), factsOf(meal, match), decision)
}

function dinnerOf(meal: Meal, { dinedAt, program, member, merchant, flexRate, review }: Match): Dinner {
  const cleared = meal.clearedAt !== null
  return {
    stage: cleared ? 'cleared' : 'authorized',
    currency: meal.currency,
    cents: cleared ? meal.dineCents : meal.ticketCents,
    refundedCents: meal.refundedCents,
    dinedAt: dinedAt.toISOString(),
    earlierVisits: 0,
    ...(flexRate > 0 && { flexRate }),
    ...(review && { review }),
    program,
    member,
    merchant,
  }
}

function factsOf(meal: Meal, match: Match): MealFacts {
  // The columns hold dollars: an amount in another currency stays in the message alone.
  const dollars = meal.currency === 'USD'
  return {
    network_id: meal.networkId,
    member_id: match.memberId,
    card_id: match.cardId,
    merchant_id: match.merchantId,
    merchant_name: match.merchantName,
    network_location_id: meal.locationId,
    card_token: meal.cardToken,
    card_last_four: meal.lastFour,
    stage: meal.stage,
    ticket_cents: dollars ? meal.ticketCents : 0,
    dine_cents: dollars ? meal.dineCents : 0,
    refunded_cents: dollars ? meal.refundedCents : 0,
    unmatched: match.memberId === null ? 'card' : match.merchantId === null ? 'merchant' : null,
    dined_at: match.dinedAt,
    cleared_at: meal.clearedAt === null ? null : new Date(meal.clearedAt),
  }
}

/** The month of this meal, and the one it was counted in before when a message moved it. */
async function settleAround(tx: Tx, known: MealRow | undefined, match: Match, memberId: number): Promise<void> {
  const before = known?.merchant_id ? reasonOf(known).inputs.merchant : null
  if (match.merchantId !== null && match.merchant) {
    const { timeZone } = match.merchant
    await settleMonth(tx, { memberId, merchantId: match.merchantId, dinedAt: match.dinedAt, timeZone })
  } else {
    const meal = await findMeal(tx, match.networkId)
    if (meal) await settleAlone(tx, memberId, meal)
  }
  if (!known?.merchant_id || !before) return
  const moved =
    known.merchant_id !== match.merchantId ||
    monthOf(known.dined_at, before.timeZone) !== monthOf(match.dinedAt, before.timeZone)
  if (moved) {
    const { timeZone } = before
    await settleMonth(tx, { memberId, merchantId: known.merchant_id, dinedAt: known.dined_at, timeZone })
  }
}

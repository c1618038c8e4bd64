import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { instantOf } from '../../platform/instant.ts'
import { localMoment } from '../../platform/time.ts'
import { isMonthly } from '../earning/offers.ts'
import type { Dinner, MemberTerms, MerchantTerms } from '../earning/terms.ts'
import { type FlexTerms, flexOffersAt, flexRateOf } from './flex-offers.ts'
import { followMeals } from './follow-meals.ts'
import { type Known, lookAround } from './look-around.ts'
import { cardOfMeal, knownNames, merchantOfDay, tierOf } from './lookups.ts'
import type { Meal } from './meal.ts'
import { type OpenMeal, openMeal } from './open-meal.ts'
import { programTerms } from './program-terms.ts'
import { settleMeals } from './settle-meals.ts'
import { type MealRow, reasonOf } from './store.ts'
import type { MealFacts } from './write-meals.ts'

/**
 * Stores transactions and all their effects: awards, the ledger, bonuses, a statement credit. The terms (tier, rates,
 * offers) are those of the first message that matched card and restaurant, so that a refund months later reverses what
 * was earned then. Returns the ids of those with a known card and restaurant.
 */
export async function keepMeals(tx: Tx, ctx: Ctx, meals: readonly Meal[]): Promise<Set<string>> {
  const opened = await openMeals(tx, ctx, meals)
  await keepOpened(tx, ctx, opened)
  return matchedIds(opened)
}

/** Matches transactions and computes their awards; `ahead` holds lookups that were made already. */
export async function openMeals(tx: Tx, ctx: Ctx, meals: readonly Meal[], ahead?: Known): Promise<OpenMeal[]> {
  if (meals.length === 0) return []
  const known = await lookAround(tx, meals, ahead)
  const strangers = meals.filter(({ locationId }) => !known.merchants.has(locationId))
  const brands = await knownNames(tx, unique(strangers.map(({ merchantName }) => merchantName.toLowerCase())))
  const programOn = oncePerDay((date) => programTerms(ctx.program.config, date))
  const matched = meals.map((meal) => matchMeal(meal, { ...known, brands }, programOn))
  const flexOffers = ctx.program.config.hasFlexOffers ? await flexOffersAt(tx, idsOf(matched, 'merchantId')) : []
  return matched.map((match) => openMatched(match, flexOffers))
}

/** Stores the awards of transactions and all their effects. */
export async function keepOpened(tx: Tx, ctx: Ctx, opened: readonly OpenMeal[]): Promise<void> {
  if (opened.length > 0) await followMeals(tx, ctx, await settleMeals(tx, opened))
}

/** Returns the network ids of transactions with a known card and restaurant. */
export function matchedIds(opened: readonly OpenMeal[]): Set<string> {
  return new Set(opened.filter(({ dinner }) => dinner.member && dinner.merchant).map(({ facts }) => facts.network_id))
}

/** Returns the same object for all transactions of a day, so that shared terms are serialized once. */
function oncePerDay<T>(work: (date: string) => T): (date: string) => T {
  const done = new Map<string, T>()
  return (date) => {
    const known = done.get(date) ?? work(date)
    done.set(date, known)
    return known
  }
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

function idsOf(matched: readonly Match[], name: 'merchantId'): number[] {
  return unique(matched.flatMap((match) => match[name] ?? []))
}

interface Match extends Place, Holder {
  meal: Meal
  kept: MealRow | undefined
  /** The inputs of the previous award. */
  inputs: Dinner | undefined
  program: Dinner['program']
}

/** The lookups, with those of the queried names (lower case) that participating restaurants have. */
type KnownBrands = Known & { brands: Set<string> }

function matchMeal(meal: Meal, known: KnownBrands, programOn: (date: string) => Dinner['program']): Match {
  const kept = known.meals.get(meal.networkId)
  const inputs: Dinner | undefined = kept && reasonOf(kept).inputs
  const place = matchMerchant(meal, kept, known)
  const holder = matchCard(meal, kept, place.dinedAt, known)
  const day = () => localMoment(place.dinedAt, place.merchant?.timeZone ?? 'UTC').date
  return {
    meal,
    kept,
    inputs,
    ...place,
    ...holder,
    program: inputs?.program ?? programOn(day()),
  }
}

interface Place {
  dinedAt: Date
  merchantId: number | null
  merchantName: string
  merchant: MerchantTerms | null
  knownBrand: string | undefined
}

function matchMerchant(meal: Meal, kept: MealRow | undefined, { merchants, brands }: KnownBrands): Place {
  const at = (merchant: MerchantTerms | null) => instantOf(meal.datetime, merchant?.timeZone ?? 'UTC')
  if (kept?.merchant_id && kept.network_location_id === meal.locationId) {
    const { merchant } = reasonOf(kept).inputs
    return {
      dinedAt: at(merchant),
      merchantId: kept.merchant_id,
      merchantName: kept.merchant_name,
      merchant,
      knownBrand: undefined,
    }
  }
  const candidates = merchants.get(meal.locationId) ?? []
  const zone = candidates[0]?.terms ?? null
  const found = merchantOfDay(candidates, localMoment(at(zone), zone?.timeZone ?? 'UTC').date)
  const isChain = !found && brands.has(meal.merchantName.toLowerCase())
  return {
    dinedAt: at(found?.terms ?? null),
    merchantId: found?.id ?? null,
    merchantName: found?.name ?? meal.merchantName,
    merchant: found?.terms ?? null,
    knownBrand: isChain ? meal.merchantName : undefined,
  }
}

interface Holder {
  cardId: number | null
  memberId: number | null
  member: MemberTerms | null
}

function matchCard(meal: Meal, kept: MealRow | undefined, dinedAt: Date, known: Known): Holder {
  if (kept?.member_id) {
    return { cardId: kept.card_id, memberId: kept.member_id, member: reasonOf(kept).inputs.member }
  }
  const card = cardOfMeal(known.cards.get(meal.cardToken) ?? [], dinedAt)
  const member = card && known.members.get(card.memberId)
  if (!card || !member) return { cardId: null, memberId: null, member: null }
  // Removing the last card closes the account: it was open until then.
  const open = (member.active && member.member_type !== 'ClosedAccountMember') || card.removedAt !== null
  const tier = tierOf(member, known.former.get(member.id) ?? [], dinedAt)
  return { cardId: card.id, memberId: member.id, member: { tier, open, cardLinkedAt: card.linkedAt.toISOString() } }
}

function openMatched(match: Match, flexOffers: readonly FlexTerms[]): OpenMeal {
  return openMeal(match.kept, factsOf(match), dinnerOf(match, flexOffers))
}

function dinnerOf(match: Match, flexOffers: readonly FlexTerms[]): Dinner {
  const { meal, inputs, dinedAt, program, member, merchant, knownBrand } = match
  const isCleared = meal.clearedAt !== null
  const flexRate = flexRateOfMatch(match, flexOffers)
  // The review stays; `waiting: 'over'` only while the stage is unchanged, so that a late clearing still counts.
  const isOver = inputs?.waiting === 'over' && inputs.stage === (isCleared ? 'cleared' : 'authorized')
  return {
    stage: isCleared ? 'cleared' : 'authorized',
    currency: meal.currency,
    cents: isCleared ? meal.dineCents : meal.ticketCents,
    refundedCents: meal.refundedCents,
    ...(meal.tipCents > 0 && { tipCents: meal.tipCents }),
    ...(meal.taxCents > 0 && { taxCents: meal.taxCents }),
    ...(meal.pinDebit && { pinDebit: true }),
    dinedAt: dinedAt.toISOString(),
    earlierVisits: 0,
    ...(flexRate > 0 && { flexRate }),
    ...(inputs?.review && { review: inputs.review }),
    ...(isOver && { waiting: 'over' as const }),
    program,
    member,
    merchant,
    ...(knownBrand !== undefined && { knownBrand }),
  }
}

/** Fixed, like all terms, by the first message that matched both card and restaurant. */
function flexRateOfMatch(
  { inputs, merchantId, merchant, member, dinedAt }: Match,
  offers: readonly FlexTerms[],
): number {
  if (inputs?.member && inputs.merchant) return inputs.flexRate ?? 0
  if (merchantId === null || !merchant || !member || offers.length === 0) return 0
  const { date } = localMoment(dinedAt, merchant.timeZone)
  return flexRateOf(offers, { merchantId, tier: member.tier, date })
}

function factsOf({ meal, ...match }: Match): MealFacts {
  // The columns hold dollars: an amount in another currency is only in the message.
  const isDollars = meal.currency === 'USD'
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
    ticket_cents: isDollars ? meal.ticketCents : 0,
    dine_cents: isDollars ? meal.dineCents : 0,
    refunded_cents: isDollars ? meal.refundedCents : 0,
    unmatched: match.memberId === null ? 'card' : match.merchantId === null ? 'merchant' : null,
    dined_at: match.dinedAt,
    cleared_at: meal.clearedAt === null ? null : new Date(meal.clearedAt),
    is_limited: match.merchant?.offers.some(isMonthly) ?? false,
  }
}

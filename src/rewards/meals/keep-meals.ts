import type { Ctx } from '../../kit/server/context.ts'
import type { Tx } from '../../kit/server/db.ts'
import { localMoment } from '../../kit/time.ts'
import { lockMembers, type Standing } from '../../members/service.ts'
import type { Meal } from '../feed/fold.ts'
import { instantOf } from '../feed/instant.ts'
import { isMonthly } from '../offers.ts'
import { findMeals, type MealFacts, type MealRow, reasonOf } from '../store.ts'
import type { Dinner, MemberTerms, MerchantTerms } from '../terms.ts'
import { type FlexTerms, flexOffersAt, flexRateOf } from './flex-offers.ts'
import { followMeals } from './follow-meals.ts'
import {
  cardOfMeal,
  cardsByToken,
  type FormerTier,
  formerTiers,
  knownNames,
  type LinkedCard,
  merchantOfDay,
  merchantsByNetworkId,
  type NetworkMerchant,
  tierOf,
} from './lookups.ts'
import { type OpenMeal, openMeal } from './open-meal.ts'
import { programTerms } from './program-terms.ts'
import { settleMeals } from './settle-meals.ts'

/**
 * Writes down what is now known of meals and everything that follows from it: the decisions, the ledger, bonuses, a
 * statement credit. The terms (tier, rates, offers) are those of the first message that found card and restaurant, so
 * that a refund months later takes back what the meal earned then. Answers the ids of those whose card and restaurant
 * are known.
 */
export async function keepMeals(tx: Tx, ctx: Ctx, meals: readonly Meal[]): Promise<Set<string>> {
  if (meals.length === 0) return new Set()
  const known = await lookAround(tx, meals)
  const programOn = oncePerDay((date) => programTerms(ctx.program.config, date))
  const matched = meals.map((meal) => matchMeal(meal, known, programOn))
  const flexOffers = ctx.program.config.hasFlexOffers ? await flexOffersAt(tx, idsOf(matched, 'merchantId')) : []
  const opened = matched.map((match) => openMatched(match, flexOffers))
  const changed = await settleMeals(tx, opened)
  await followMeals(tx, ctx, changed)
  return new Set(opened.filter(({ dinner }) => dinner.member && dinner.merchant).map(({ facts }) => facts.network_id))
}

/** The same object for all meals of a day: terms that are shared are written out once. */
function oncePerDay<T>(work: (date: string) => T): (date: string) => T {
  const done = new Map<string, T>()
  return (date) => {
    const known = done.get(date) ?? work(date)
    done.set(date, known)
    return known
  }
}

/** What there is to match meals with. Whoever is found is locked: nobody else decides about their meals now. */
interface Known {
  meals: Map<string, MealRow>
  merchants: Map<string, NetworkMerchant[]>
  brands: Set<string>
  cards: Map<string, LinkedCard[]>
  members: Map<number, Standing>
  former: Map<number, FormerTier[]>
}

async function lookAround(tx: Tx, meals: readonly Meal[]): Promise<Known> {
  const ids = meals.map(({ networkId }) => networkId)
  const cards = await cardsByToken(tx, unique(meals.map(({ cardToken }) => cardToken)))
  const holders = [...cards.values()].flat().map(({ memberId }) => memberId)
  const members = await lockMembers(tx, unique(holders))
  const merchants = await merchantsByNetworkId(tx, unique(meals.map(({ locationId }) => locationId)))
  const strangers = meals.filter(({ locationId }) => !merchants.has(locationId))
  const changed = [...members.values()].filter(({ tier_since }) => tier_since !== null)
  return {
    cards,
    members,
    merchants,
    brands: await knownNames(tx, unique(strangers.map(({ merchantName }) => merchantName.toLowerCase()))),
    former: await formerTiers(
      tx,
      changed.map(({ id }) => id),
    ),
    meals: await findLocked(tx, ids, members),
  }
}

/** Kept meals, whose members are locked too: a card may since have passed to somebody else. */
async function findLocked(
  tx: Tx,
  ids: readonly string[],
  locked: Map<number, Standing>,
): Promise<Map<string, MealRow>> {
  const found = await findMeals(tx, ids)
  const others = [...found.values()].flatMap(({ member_id }) =>
    member_id && !locked.has(member_id) ? [member_id] : [],
  )
  if (others.length === 0) return found
  for (const [id, member] of await lockMembers(tx, unique(others))) locked.set(id, member)
  // What was read before the lock may have changed.
  return findMeals(tx, ids)
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)]

function idsOf(matched: readonly Match[], name: 'merchantId'): number[] {
  return unique(matched.flatMap((match) => match[name] ?? []))
}

interface Match extends Place, Holder {
  meal: Meal
  kept: MealRow | undefined
  /** What was decided from before. */
  inputs: Dinner | undefined
  program: Dinner['program']
}

function matchMeal(meal: Meal, known: Known, programOn: (date: string) => Dinner['program']): Match {
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

function matchMerchant(meal: Meal, kept: MealRow | undefined, { merchants, brands }: Known): Place {
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
  // Removing the last card closes the account: until then it was open.
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
  // What has become of it by itself stays; but whoever has waited in vain sees what comes after all.
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

/** Kept, like all terms, from the first message that found both card and restaurant. */
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
  // The columns hold dollars: an amount in another currency stays in the message alone.
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

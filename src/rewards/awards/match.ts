import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { instantOf } from '../../platform/instant.ts'
import type { Cents } from '../../platform/money.ts'
import { dayIn } from '../../platform/time.ts'
import { hasMonthlyLimit } from '../earning/offers.ts'
import type { AwardInput, MemberTerms, MerchantTerms, ProgramTerms } from '../earning/terms.ts'
import { merchantAt, type NetworkMerchant, programTerms } from './current-terms.ts'
import { flexRateOf } from './flex-offers.ts'
import { cardAt, findParticipatingNames, type MatchContext } from './match-context.ts'
import { listRowsOf, writeDownOthers } from './purchase-rows.ts'
import { reasonOf, type TransactionFields, type TransactionRow, timeZoneOf } from './store.ts'
import { tierOfMeal } from './tier-history.ts'

/** One transaction, folded from all its messages. */
export interface FeedTransaction {
  networkId: string
  /** All network ids of the purchase, of which `networkId` is one: its row may have any of them. Sorted, each once. */
  purchaseIds: readonly string[]
  /** The network's ids of all purchases and refunds that its messages are about; sorted, each once. */
  messageNetworkIds: readonly string[]
  stage: 'authorized' | 'cleared' | 'refunded'
  ticketCents: Cents
  /** The final charge; 0 until then. */
  clearedCents: Cents
  tipCents: Cents
  taxCents: Cents
  refundedCents: Cents
  pinDebit: boolean
  currency: string
  /** Of the card's issuer; null when the network does not report it. */
  authCode: string | null
  datetime: string
  clearedAt: number | null
  cardToken: string
  lastFour: string
  locationId: string
  merchantName: string
}

/** A transaction with its stored row, its columns and the input of its award. */
export interface MatchedTransaction {
  /** Undefined for a new transaction. */
  existing: TransactionRow | undefined
  fields: TransactionFields
  input: AwardInput
}

/** Matched transactions, and the network ids in messages about those with a known card and restaurant. */
export interface Matched {
  transactions: MatchedTransaction[]
  networkIds: Set<string>
}

/**
 * Finds the card, member, restaurant and stored row of transactions, and builds the inputs of their awards. The terms
 * (tier, rates, offers) are those of the first message that matched card and restaurant, so that a refund months later
 * reverses what was earned then. `context` holds the lookups for all messages of these transactions; rows in it that none
 * of the transactions has any more are matched as rows without a purchase.
 */
export async function matchTransactions(
  tx: Tx,
  ctx: Ctx,
  transactions: readonly FeedTransaction[],
  context: MatchContext,
): Promise<Matched> {
  if (transactions.length === 0 && context.transactions.size === 0) return { transactions: [], networkIds: new Set() }
  const { config } = ctx.program
  const unmatched = transactions.filter(({ locationId }) => !context.merchants.has(locationId))
  const names = new Set(unmatched.map(({ merchantName }) => merchantName.toLowerCase()))
  const brands = await findParticipatingNames(tx, [...names])
  const programOn = memoizeByDay((date) => programTerms(config, date))
  const matched = transactions.map((transaction) => ({
    transaction,
    match: matchTransaction(transaction, { ...context, brands }, programOn),
  }))
  const known = matched.filter(({ match: { input } }) => input.member && input.merchant)
  return {
    transactions: [
      ...matched.map(({ match }) => match),
      ...writeDownOthers(new Set(matched.map(({ match }) => match.existing)), context.transactions),
    ],
    networkIds: new Set(
      known.flatMap(({ transaction, match }) => [match.fields.network_id, ...transaction.messageNetworkIds]),
    ),
  }
}

/** Returns the same object for all transactions of a day, so that shared terms are serialized once. */
function memoizeByDay<T>(work: (date: string) => T): (date: string) => T {
  const done = new Map<string, T>()
  return (date) => {
    const cached = done.get(date) ?? work(date)
    done.set(date, cached)
    return cached
  }
}

/** The lookups, with those of the queried names (lower case) that participating restaurants have. */
type MatchContextWithBrands = MatchContext & { brands: ReadonlySet<string> }

function matchTransaction(
  transaction: FeedTransaction,
  context: MatchContextWithBrands,
  programOn: (date: string) => ProgramTerms,
): MatchedTransaction {
  const rows = listRowsOf(transaction.purchaseIds, context.transactions)
  const [existing] = rows
  const previous: AwardInput | undefined = existing && reasonOf(existing).inputs
  const merchantMatch = matchMerchant(transaction, existing, context)
  const { dinedAt, merchant, knownBrand } = merchantMatch
  const cardMatch = matchCard(transaction, existing, merchantMatch, context)
  const date = dayIn(dinedAt, merchant?.timeZone ?? 'UTC')
  // The day decides which rates were valid: a message may show that it was another one.
  const isSameDay = existing !== undefined && dayIn(existing.occurred_at, timeZoneOf(existing)) === date
  const terms = isSameDay ? previous : undefined
  const flexRate = flexRateOfMatch({ ...merchantMatch, ...cardMatch }, terms && existing, { ...context, date })
  const review = rows.map((row) => reasonOf(row).inputs.review).find((each) => each === 'done') ?? previous?.review
  const purchase = toPurchase(transaction)
  const isSameCard = existing?.card_id === cardMatch.cardId
  // The review stays; `waiting: 'over'` only while the stage is unchanged, so that a late clearing still counts.
  const isOver = previous?.waiting === 'over' && previous.stage === purchase.stage
  const input: AwardInput = {
    ...purchase,
    dinedAt: dinedAt.toISOString(),
    earlierVisits: 0,
    ...(flexRate > 0 && { flexRate }),
    ...(review && { review }),
    ...(isOver && { waiting: 'over' as const }),
    // What the other program has told is about the card: another one has not moved.
    ...(isSameCard && previous?.countedElsewhere && { countedElsewhere: true as const }),
    program: terms?.program ?? programOn(date),
    member: cardMatch.member,
    merchant,
    ...(knownBrand !== undefined && { knownBrand }),
  }
  const networkId = existing?.network_id ?? transaction.networkId
  return { existing, fields: toTransactionFields(transaction, { ...merchantMatch, ...cardMatch, networkId }), input }
}

interface MerchantMatch {
  dinedAt: Date
  merchantId: number | null
  merchantName: string
  merchant: MerchantTerms | null
  knownBrand: string | undefined
}

function matchMerchant(
  transaction: FeedTransaction,
  existing: TransactionRow | undefined,
  { merchants, brands }: MatchContextWithBrands,
): MerchantMatch {
  const instantIn = (timeZone: string) => instantOf(transaction.datetime, timeZone)
  const at = (merchant: MerchantTerms | null) => instantIn(merchant?.timeZone ?? 'UTC')
  const found = merchantAt(merchants.get(transaction.locationId) ?? [], instantIn)
  if (existing?.merchant_id && isSameRestaurant(transaction, existing, found)) {
    const { merchant } = reasonOf(existing).inputs
    return {
      dinedAt: at(merchant),
      merchantId: existing.merchant_id,
      merchantName: existing.merchant_name,
      merchant,
      knownBrand: undefined,
    }
  }
  const isChain = !found && brands.has(transaction.merchantName.toLowerCase())
  return {
    dinedAt: at(found?.terms ?? null),
    merchantId: found?.id ?? null,
    merchantName: found?.name ?? transaction.merchantName,
    merchant: found?.terms ?? null,
    knownBrand: isChain ? transaction.merchantName : undefined,
  }
}

/** Returns whether a purchase is still at the restaurant of its row, whose terms stay then. */
function isSameRestaurant(
  { locationId, datetime }: FeedTransaction,
  row: TransactionRow,
  found: NetworkMerchant | undefined,
): boolean {
  const isFound = found !== undefined && found.id === row.merchant_id
  if (row.network_location_id === locationId) {
    const isSameTime = instantOf(datetime, timeZoneOf(row)).getTime() === row.occurred_at.getTime()
    // An id may pass to another restaurant: at another time it may be that one.
    return isSameTime || found === undefined || isFound
  }
  // Another id of it; one that was no longer valid earns nothing.
  return isFound && found.terms.idUntil === undefined
}

interface CardMatch {
  cardId: number | null
  memberId: number | null
  member: MemberTerms | null
}

function matchCard(
  transaction: FeedTransaction,
  existing: TransactionRow | undefined,
  { dinedAt, merchant }: MerchantMatch,
  context: MatchContext,
): CardMatch {
  const cards = context.cards.get(transaction.cardToken) ?? []
  // Of a deleted account the token is gone, also where another account has the card now: what was matched stays.
  const isSameCard = existing?.card_token === transaction.cardToken
  const isGone = !cards.some(({ id }) => id === existing?.card_id)
  const isUnchanged = isSameCard && (existing.occurred_at.getTime() === dinedAt.getTime() || isGone)
  if (existing?.member_id && isUnchanged) {
    return { cardId: existing.card_id, memberId: existing.member_id, member: reasonOf(existing).inputs.member }
  }
  const card = cardAt(cards, dinedAt)
  const member = card && context.members.get(card.memberId)
  if (!card || !member) return { cardId: null, memberId: null, member: null }
  // Removing the last card closes the account: it was open until then.
  const open = (member.active && member.member_type !== 'ClosedAccountMember') || card.removedAt !== null
  const tiers = { former: context.former.get(member.id), grants: context.grants.get(member.id) }
  const tier = tierOfMeal(member, tiers, dinedAt, merchant?.timeZone ?? 'UTC')
  return { cardId: card.id, memberId: member.id, member: { ...tier, open, cardLinkedAt: card.linkedAt.toISOString() } }
}

/**
 * Fixed, like all terms, by the first message that matched both card and restaurant. `row` is that of the same day; a
 * message that shows another restaurant or tier decides again.
 */
function flexRateOfMatch(
  { merchantId, merchant, member }: MerchantMatch & CardMatch,
  row: TransactionRow | undefined,
  { flexOffers, date }: MatchContext & { date: string },
): number {
  const previous = row && reasonOf(row).inputs
  if (previous?.merchant && row?.merchant_id === merchantId && previous.member?.tier === member?.tier) {
    return previous.flexRate ?? 0
  }
  if (merchantId === null || !merchant || !member || flexOffers.length === 0) return 0
  return flexRateOf(flexOffers, { merchantId, tier: member.tier, date })
}

type Purchase = Pick<
  AwardInput,
  'stage' | 'currency' | 'cents' | 'refundedCents' | 'tipCents' | 'taxCents' | 'pinDebit'
>

function toPurchase(transaction: FeedTransaction): Purchase {
  const isCleared = transaction.clearedAt !== null
  return {
    stage: isCleared ? 'cleared' : 'authorized',
    currency: transaction.currency,
    cents: isCleared ? transaction.clearedCents : transaction.ticketCents,
    refundedCents: transaction.refundedCents,
    ...(transaction.tipCents > 0 && { tipCents: transaction.tipCents }),
    ...(transaction.taxCents > 0 && { taxCents: transaction.taxCents }),
    ...(transaction.pinDebit && { pinDebit: true }),
  }
}

function toTransactionFields(
  transaction: FeedTransaction,
  match: MerchantMatch & CardMatch & { networkId: string },
): TransactionFields {
  // The columns hold dollars: an amount in another currency is only in the message.
  const isDollars = transaction.currency === 'USD'
  return {
    network_id: match.networkId,
    member_id: match.memberId,
    card_id: match.cardId,
    merchant_id: match.merchantId,
    merchant_name: match.merchantName,
    network_location_id: transaction.locationId,
    card_token: transaction.cardToken,
    card_last_four: transaction.lastFour,
    auth_code: transaction.authCode,
    stage: transaction.stage,
    ticket_cents: isDollars ? transaction.ticketCents : 0,
    cleared_cents: isDollars ? transaction.clearedCents : 0,
    refunded_cents: isDollars ? transaction.refundedCents : 0,
    unmatched: match.memberId === null ? 'card' : match.merchantId === null ? 'merchant' : null,
    occurred_at: match.dinedAt,
    cleared_at: transaction.clearedAt === null ? null : new Date(transaction.clearedAt),
    is_limited: hasMonthlyLimit(match.merchant),
  }
}

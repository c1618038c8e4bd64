import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { instantOf } from '../../platform/instant.ts'
import type { Cents } from '../../platform/money.ts'
import { localMoment } from '../../platform/time.ts'
import { hasMonthlyLimit } from '../earning/offers.ts'
import type { AwardInput, MemberTerms, MerchantTerms, ProgramTerms } from '../earning/terms.ts'
import { merchantAt, programTerms } from './current-terms.ts'
import { flexRateOf } from './flex-offers.ts'
import { cardAt, findParticipatingNames, loadMatchContext, type MatchContext } from './match-context.ts'
import { reasonOf, type TransactionFields, type TransactionRow } from './store.ts'
import { tierAt } from './tier-history.ts'

/** One transaction, folded from all its messages. */
export interface FeedTransaction {
  networkId: string
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

/**
 * Finds the card, member, restaurant and stored row of transactions, and builds the inputs of their awards. The terms
 * (tier, rates, offers) are those of the first message that matched card and restaurant, so that a refund months later
 * reverses what was earned then. `prefetched` holds lookups that were made already.
 */
export async function matchTransactions(
  tx: Tx,
  ctx: Ctx,
  transactions: readonly FeedTransaction[],
  prefetched?: MatchContext,
): Promise<MatchedTransaction[]> {
  if (transactions.length === 0) return []
  const { config } = ctx.program
  const context = await loadMatchContext(tx, config, transactions, prefetched)
  const unmatched = transactions.filter(({ locationId }) => !context.merchants.has(locationId))
  const names = new Set(unmatched.map(({ merchantName }) => merchantName.toLowerCase()))
  const brands = await findParticipatingNames(tx, [...names])
  const programOn = memoizeByDay((date) => programTerms(config, date))
  return transactions.map((transaction) => matchTransaction(transaction, { ...context, brands }, programOn))
}

/** Returns the network ids of transactions with a known card and restaurant. */
export function matchedNetworkIds(matched: readonly MatchedTransaction[]): Set<string> {
  return new Set(matched.filter(({ input }) => input.member && input.merchant).map(({ fields }) => fields.network_id))
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
  const existing = context.transactions.get(transaction.networkId)
  const previous: AwardInput | undefined = existing && reasonOf(existing).inputs
  const merchantMatch = matchMerchant(transaction, existing, context)
  const { dinedAt, merchant, knownBrand } = merchantMatch
  const cardMatch = matchCard(transaction, existing, merchantMatch, context)
  const day = () => localMoment(dinedAt, merchant?.timeZone ?? 'UTC').date
  const flexRate = flexRateOfMatch({ ...merchantMatch, ...cardMatch }, previous, context)
  const purchase = toPurchase(transaction)
  // The review stays; `waiting: 'over'` only while the stage is unchanged, so that a late clearing still counts.
  const isOver = previous?.waiting === 'over' && previous.stage === purchase.stage
  const input: AwardInput = {
    ...purchase,
    dinedAt: dinedAt.toISOString(),
    earlierVisits: 0,
    ...(flexRate > 0 && { flexRate }),
    ...(previous?.review && { review: previous.review }),
    ...(isOver && { waiting: 'over' as const }),
    ...(previous?.countedElsewhere && { countedElsewhere: true as const }),
    ...(previous?.reportedTwice && { reportedTwice: true as const }),
    program: previous?.program ?? programOn(day()),
    member: cardMatch.member,
    merchant,
    ...(knownBrand !== undefined && { knownBrand }),
  }
  return { existing, fields: toTransactionFields(transaction, { ...merchantMatch, ...cardMatch }), input }
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
  if (existing?.merchant_id && existing.network_location_id === transaction.locationId) {
    const { merchant } = reasonOf(existing).inputs
    return {
      dinedAt: at(merchant),
      merchantId: existing.merchant_id,
      merchantName: existing.merchant_name,
      merchant,
      knownBrand: undefined,
    }
  }
  const found = merchantAt(merchants.get(transaction.locationId) ?? [], instantIn)
  const isChain = !found && brands.has(transaction.merchantName.toLowerCase())
  return {
    dinedAt: at(found?.terms ?? null),
    merchantId: found?.id ?? null,
    merchantName: found?.name ?? transaction.merchantName,
    merchant: found?.terms ?? null,
    knownBrand: isChain ? transaction.merchantName : undefined,
  }
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
  if (existing?.member_id) {
    return { cardId: existing.card_id, memberId: existing.member_id, member: reasonOf(existing).inputs.member }
  }
  const card = cardAt(context.cards.get(transaction.cardToken) ?? [], dinedAt)
  const member = card && context.members.get(card.memberId)
  if (!card || !member) return { cardId: null, memberId: null, member: null }
  // Removing the last card closes the account: it was open until then.
  const open = (member.active && member.member_type !== 'ClosedAccountMember') || card.removedAt !== null
  const tier = tierAt(member, context.former.get(member.id) ?? [], dinedAt, merchant?.timeZone ?? 'UTC')
  return { cardId: card.id, memberId: member.id, member: { tier, open, cardLinkedAt: card.linkedAt.toISOString() } }
}

/** Fixed, like all terms, by the first message that matched both card and restaurant. */
function flexRateOfMatch(
  { merchantId, merchant, member, dinedAt }: MerchantMatch & CardMatch,
  previous: AwardInput | undefined,
  { flexOffers }: MatchContext,
): number {
  if (previous?.member && previous.merchant) return previous.flexRate ?? 0
  if (merchantId === null || !merchant || !member || flexOffers.length === 0) return 0
  const { date } = localMoment(dinedAt, merchant.timeZone)
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

function toTransactionFields(transaction: FeedTransaction, match: MerchantMatch & CardMatch): TransactionFields {
  // The columns hold dollars: an amount in another currency is only in the message.
  const isDollars = transaction.currency === 'USD'
  return {
    network_id: transaction.networkId,
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

import { isOnTime } from '../../dining/reservations/rules.ts'
import { findBonusReservations } from '../../dining/reservations/service.ts'
import { findMemberRow, type MemberRow } from '../../identity/members/service.ts'
import type { Db } from '../../platform/database/db.ts'
import { ApiError, ValidationError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { parseDollars } from '../../platform/money.ts'
import { addDays, localMoment, parseClock, toInstant } from '../../platform/time.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { getMerchantTerms } from '../awards/current-terms.ts'
import { explain } from '../earning/explain.ts'
import { offersOfDay } from '../earning/offers.ts'
import { computeAward, countedCentsOf, dinesWithoutReward } from '../earning/rules.ts'
import type { EarnQuote } from './contract.ts'
import { buildHypotheticalInput } from './hypothetical-input.ts'

export interface QuoteRequest {
  merchantId: string
  /** Dollars as typed, above zero. */
  amount: string
  date?: string | undefined
  time?: string | undefined
  /** A card of the member; defaults to the card linked first. */
  card?: string | undefined
  /** Whether it is a debit card used with its PIN. */
  pin?: boolean | undefined
}

/**
 * Returns what a transaction would earn, computed by the same function as real ones. For a member without a card: what
 * one would earn; for an anonymous visitor: what a new member who receives emails earns. Throws error codes
 * `merchantNotFound` and `cardNotFound`, and a field error for a past day.
 */
export async function computeEarnQuote(ctx: Ctx, request: QuoteRequest): Promise<EarnQuote> {
  const { config } = ctx.program
  const merchant = await getMerchantTerms(ctx.db, request.merchantId)
  if (!merchant || (!merchant.terms.participating && merchant.terms.leftOn === null))
    throw new ApiError('merchantNotFound')
  const { timeZone, offers } = merchant.terms
  const dinedAt = momentOf(ctx, timeZone, request)
  const local = localMoment(dinedAt, timeZone)
  const at = request.time === undefined ? null : dinedAt
  const signedIn = await loadMemberWithCards(ctx)
  const card = selectCard(signedIn, request.card)
  const input = await buildHypotheticalInput(ctx.db, config, {
    merchant,
    memberOrTier: signedIn?.member ?? 'OptedIn',
    cardLinkedAt: card?.linkedAt ?? new Date(0),
    dinedAt,
    cents: parseDollars(request.amount) as number,
    pinDebit: request.pin ?? false,
  })
  const { benefit, reason, awardStatus } = computeAward(input)
  const offer = offersOfDay(offers, local)[0]
  const limit = offer?.maxVisitsPerMonth ?? null
  return {
    benefit,
    reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }),
    basis: signedIn ? 'member' : 'newMember',
    tier: input.member?.tier as TierLevel,
    ratePercent: offer?.ratePercent ?? 0,
    flexRate: input.flexRate ?? 0,
    countedCents: countedCentsOf({ benefit, reason }),
    visits: limit === null ? null : { used: input.earlierVisits, limit },
    bonus:
      signedIn && (benefit > 0 || dinesWithoutReward.has(reason.code))
        ? await getReservationBonus(ctx, signedIn.member, merchant.id, { date: local.date, at })
        : 0,
    cardMissing: signedIn !== null && signedIn.cards.length === 0,
  }
}

function momentOf(ctx: Ctx, timeZone: string, { date, time }: QuoteRequest): Date {
  const now = localMoment(ctx.now(), timeZone)
  if (date === undefined && time === undefined) return ctx.now()
  if (date !== undefined && date < now.date) {
    throw new ValidationError([{ field: 'date', message: 'rewards.quote.date_past' }])
  }
  const minutes = time === undefined ? 19 * 60 : parseClock(time)
  // A time that daylight saving skips is replaced by the one an hour later.
  return toInstant(date ?? now.date, minutes, timeZone) ?? (toInstant(date ?? now.date, minutes + 60, timeZone) as Date)
}

interface CardLink {
  publicId: string
  linkedAt: Date
}

/** Returns a member's linked cards, the oldest first. */
async function listLinkedCards(db: Db, memberId: number): Promise<CardLink[]> {
  return db
    .selectFrom('cards')
    .select(['public_id as publicId', 'linked_at as linkedAt'])
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('linked_at')
    .orderBy('id')
    .execute()
}

interface MemberWithCards {
  member: MemberRow
  cards: readonly CardLink[]
}

async function loadMemberWithCards(ctx: Ctx): Promise<MemberWithCards | null> {
  const { memberId } = ctx.actor
  const member = memberId === null ? undefined : await findMemberRow(ctx.db, memberId)
  return member ? { member, cards: await listLinkedCards(ctx.db, member.id) } : null
}

function selectCard(signedIn: MemberWithCards | null, cardId: string | undefined): CardLink | undefined {
  if (cardId === undefined) return signedIn?.cards[0]
  const card = signedIn?.cards.find(({ publicId }) => publicId === cardId)
  if (!card) throw new ApiError('cardNotFound')
  return card
}

/** Returns what a reservation adds: for a given time, one that is in time for it; else one of that day. */
async function getReservationBonus(
  ctx: Ctx,
  { id }: MemberRow,
  merchantId: number,
  { date, at }: { date: string; at: Date | null },
): Promise<number> {
  const dates = at === null ? [date] : [addDays(date, -1), date, addDays(date, 1)]
  const reservations = await findBonusReservations(ctx.db, { memberId: id, merchantId, dates })
  return reservations.find(({ startsAt }) => at === null || isOnTime(at, startsAt))?.bonus.amount ?? 0
}

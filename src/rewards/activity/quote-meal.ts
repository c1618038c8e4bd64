import { isOnTime } from '../../dining/reservations/rules.ts'
import { promisedOn } from '../../dining/reservations/service.ts'
import { type MemberRow, memberRow } from '../../identity/members/service.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { readDollars } from '../../platform/money.ts'
import { FieldRefusal, Refusal } from '../../platform/refusal.ts'
import { addDays, instantOf, localMoment, minutesOf } from '../../platform/time.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { readTerms } from '../awards/lookups.ts'
import { type LinkedSince, linkedCards } from '../awards/store.ts'
import { explain } from '../earning/explain.ts'
import { offersOfDay } from '../earning/offers.ts'
import { countedCentsOf, decideAward } from '../earning/rules.ts'
import type { MealQuote } from './contract.ts'
import { imagineMeal } from './imagine-meal.ts'

export interface AskedMeal {
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
export async function quoteMeal(ctx: Ctx, asked: AskedMeal): Promise<MealQuote> {
  const { config } = ctx.program
  const merchant = await readTerms(ctx.db, asked.merchantId)
  if (!merchant || (!merchant.terms.participating && merchant.terms.leftOn === null))
    throw new Refusal('merchantNotFound')
  const { timeZone, offers } = merchant.terms
  const dinedAt = momentOf(ctx, timeZone, asked)
  const local = localMoment(dinedAt, timeZone)
  const at = asked.time === undefined ? null : dinedAt
  const guest = await guestOf(ctx)
  const card = cardOf(guest, asked.card)
  const dinner = await imagineMeal(ctx.db, config, {
    merchant,
    guest: guest?.member ?? 'OptedIn',
    cardLinkedAt: card?.linkedAt ?? new Date(0),
    dinedAt,
    cents: readDollars(asked.amount) as number,
    pinDebit: asked.pin ?? false,
  })
  const { benefit, reason, awardStatus } = decideAward(dinner)
  const offer = offersOfDay(offers, local)[0]
  const limit = offer?.maxVisitsPerMonth ?? null
  return {
    benefit,
    reason: explain(config, { reason, merchantName: merchant.name, benefit, awardStatus }),
    basis: guest ? 'member' : 'newMember',
    tier: dinner.member?.tier as TierLevel,
    ratePercent: offer?.ratePercent ?? 0,
    flexRate: dinner.flexRate ?? 0,
    countedCents: countedCentsOf({ benefit, reason }),
    visits: limit === null ? null : { used: dinner.earlierVisits, limit },
    bonus: benefit > 0 && guest ? await promisedBonus(ctx, guest.member, merchant.id, { date: local.date, at }) : 0,
    cardMissing: guest !== null && guest.cards.length === 0,
  }
}

function momentOf(ctx: Ctx, timeZone: string, { date, time }: AskedMeal): Date {
  const now = localMoment(ctx.now(), timeZone)
  if (date === undefined && time === undefined) return ctx.now()
  if (date !== undefined && date < now.date) {
    throw new FieldRefusal([{ field: 'date', message: 'rewards.quote.date_past' }])
  }
  const minutes = time === undefined ? 19 * 60 : minutesOf(time)
  // A time that daylight saving skips is replaced by the one an hour later.
  return instantOf(date ?? now.date, minutes, timeZone) ?? (instantOf(date ?? now.date, minutes + 60, timeZone) as Date)
}

interface Guest {
  member: MemberRow
  cards: readonly LinkedSince[]
}

async function guestOf(ctx: Ctx): Promise<Guest | null> {
  const { memberId } = ctx.actor
  const member = memberId === null ? undefined : await memberRow(ctx.db, memberId)
  return member ? { member, cards: await linkedCards(ctx.db, member.id) } : null
}

function cardOf(guest: Guest | null, asked: string | undefined): LinkedSince | undefined {
  if (asked === undefined) return guest?.cards[0]
  const card = guest?.cards.find(({ publicId }) => publicId === asked)
  if (!card) throw new Refusal('cardNotFound')
  return card
}

/** Returns what a reservation adds: for a given time, one that is in time for it; else one of that day. */
async function promisedBonus(
  ctx: Ctx,
  { id }: MemberRow,
  merchantId: number,
  { date, at }: { date: string; at: Date | null },
): Promise<number> {
  const dates = at === null ? [date] : [addDays(date, -1), date, addDays(date, 1)]
  const promised = await promisedOn(ctx.db, { memberId: id, merchantId, dates })
  return promised.find(({ startsAt }) => at === null || isOnTime(at, startsAt))?.bonus.amount ?? 0
}

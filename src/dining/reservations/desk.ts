import { createHmac } from 'node:crypto'
import type { MemberRow } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type BookableMerchant, bookableMerchant, earnsOn } from '../merchants/service.ts'
import { createBook } from './book/book.ts'
import type { BookingProvider, Guest } from './booking-provider.ts'
import type { Bonus } from './contract.ts'

/** A reservation that was confirmed, changed or canceled. */
export interface SettledReservation {
  memberId: number
  merchantId: number
  publicId: string
  /** Its previous and current local dates. */
  dates: readonly string[]
}

/** The dependencies of reservations. */
export interface Desk {
  /** An HTTP provider, where the installation has one. */
  http: BookingProvider | null
  /** HMAC key for guest keys: the same person in every program, without revealing the email. */
  guestKey: Buffer
  /** Returns the public origin of a partner, for links in emails. */
  origin: (partnerId: string) => string
  /**
   * Posts the differences to what a reservation is worth now, in the transaction that changes it. The caller holds the
   * member's lock.
   */
  settleBonus: (tx: Tx, ctx: Ctx, changed: SettledReservation) => Promise<void>
}

/** Returns a bookable restaurant and its provider. Throws error codes `merchantNotFound` and `notBookable`. */
export async function openAt(
  ctx: Ctx,
  desk: Desk,
  merchantId: string,
): Promise<{ merchant: BookableMerchant; provider: BookingProvider }> {
  const { openTableReservationsEnabled, enrollmentType } = ctx.program.config
  const merchant = await bookableMerchant(ctx.db, merchantId)
  if (!merchant) throw new Refusal('merchantNotFound')
  const provider = providerOf(ctx, desk, merchant.reservationProvider)
  if (!openTableReservationsEnabled || enrollmentType === 'none' || !provider) throw new Refusal('notBookable')
  return { merchant, provider }
}

export function providerOf(ctx: Ctx, desk: Desk, name: string | null): BookingProvider | null {
  if (name === 'book') return createBook(ctx.db)
  return name === 'http' ? desk.http : null
}

/** Returns the bonus of a reservation on a local date; null where a transaction earns nothing that day. */
export function bonusOn(ctx: Ctx, merchant: Pick<BookableMerchant, 'offers'>, date: string): Bonus | null {
  const { hasReservationBonus, reservationBonus } = ctx.program.config
  if (!hasReservationBonus || !reservationBonus) return null
  return earnsOn(merchant.offers, date) ? reservationBonus : null
}

/** Awaits a call to a provider; logs unexpected errors and throws `reservationFailed` for them. */
export async function asking<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Refusal) throw error
    ctx.log.error({ err: error }, 'booking provider failed')
    throw new Refusal('reservationFailed')
  }
}

export function guestOf(desk: Pick<Desk, 'guestKey'>, member: MemberRow): Guest {
  return {
    key: guestKeyOf(desk, member.email),
    firstName: member.first_name,
    lastName: member.last_name,
    email: member.email,
  }
}

export function guestKeyOf({ guestKey }: Pick<Desk, 'guestKey'>, email: string): string {
  return createHmac('sha256', guestKey).update(email.trim().toLowerCase()).digest('base64url').slice(0, 32)
}

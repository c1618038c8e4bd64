import { createHmac } from 'node:crypto'
import { findMemberRow, getCurrentTier, type MemberRow } from '../../identity/members/service.ts'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { tierNumber } from '../../programs/partners/rates.ts'
import type { ReservationProviders } from '../merchants/names.ts'
import { earnsOn, tierNeeded } from '../merchants/rules.ts'
import { type BookableMerchant, findBookableMerchant } from '../merchants/service.ts'
import { ownProvider } from './book/own-provider.ts'
import type { BookingProvider, Guest } from './booking-provider.ts'
import type { Bonus } from './contract.ts'

/** A reservation that was confirmed, changed or canceled. */
export interface ReservationChange {
  memberId: number
  merchantId: number
  publicId: string
  /** Its previous and current local dates. */
  dates: readonly string[]
}

/** The dependencies of reservations. */
export interface ReservationDeps {
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
  settleBonus: (tx: Tx, ctx: Ctx, changed: ReservationChange) => Promise<void>
}

/** A bookable restaurant for a member, for whom it may earn nothing. */
export type MemberMerchant = BookableMerchant & { isLocked?: boolean }

/** Returns a bookable restaurant and its provider. Throws error codes `merchantNotFound` and `notBookable`. */
export async function requireBookable(
  ctx: Ctx,
  deps: ReservationDeps,
  merchantId: string,
): Promise<{ merchant: MemberMerchant; provider: BookingProvider }> {
  const { openTableReservationsEnabled, enrollmentType } = ctx.program.config
  const merchant = await findBookableMerchant(ctx.db, merchantId)
  if (!merchant) throw new ApiError('merchantNotFound')
  const provider = providerOf(ctx, deps, merchant.reservationProvider)
  if (!openTableReservationsEnabled || enrollmentType === 'none' || !provider) throw new ApiError('notBookable')
  return { merchant: { ...merchant, isLocked: await isLocked(ctx, merchant) }, provider }
}

/** Returns whether meals at a restaurant earn nothing for the signed-in member, because of the member's tier. */
async function isLocked(ctx: Ctx, { acclaimedLevel }: BookableMerchant): Promise<boolean> {
  const { db, actor, program } = ctx
  if (!program.config.acclaimed2Enabled || acclaimedLevel === 0 || actor.memberId === null) return false
  const member = await findMemberRow(db, actor.memberId)
  if (member === undefined) return false
  return tierNeeded(acclaimedLevel, tierNumber((await getCurrentTier(ctx, member)).tier)) !== null
}

/** Returns the providers that this installation is connected to: always its own reservation book. */
export function connectedProviders({ http }: Pick<ReservationDeps, 'http'>): ReservationProviders {
  return new Set(http ? ['book', 'http'] : ['book'])
}

export function providerOf(ctx: Ctx, deps: ReservationDeps, name: string | null): BookingProvider | null {
  if (name === 'book') return ownProvider(ctx.db)
  return name === 'http' ? deps.http : null
}

/** Returns the bonus of a reservation on a local date; null where a meal of the member earns nothing that day. */
export function bonusOn(ctx: Ctx, merchant: Pick<MemberMerchant, 'offers' | 'isLocked'>, date: string): Bonus | null {
  const { hasReservationBonus, reservationBonus } = ctx.program.config
  if (!hasReservationBonus || !reservationBonus || merchant.isLocked) return null
  return earnsOn(merchant.offers, date) ? reservationBonus : null
}

/** Awaits a call to a provider; logs unexpected errors and throws `reservationFailed` for them. */
export async function callProvider<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) throw error
    ctx.log.error({ err: error }, 'booking provider failed')
    throw new ApiError('reservationFailed')
  }
}

export function guestOf(deps: Pick<ReservationDeps, 'guestKey'>, member: MemberRow): Guest {
  return {
    key: guestKeyOf(deps, member.email),
    firstName: member.first_name,
    lastName: member.last_name,
    email: member.email,
  }
}

export function guestKeyOf({ guestKey }: Pick<ReservationDeps, 'guestKey'>, email: string): string {
  return createHmac('sha256', guestKey).update(email.trim().toLowerCase()).digest('base64url').slice(0, 32)
}

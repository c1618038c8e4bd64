import { lockOwnMember } from '../../identity/members/service.ts'
import { attemptKey, countAttempt } from '../../platform/database/attempts.ts'
import { type Tx, violatedConstraint } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { DAY, parseClock, toInstant } from '../../platform/time.ts'
import type { BookingProvider } from './booking-provider.ts'
import { bonusOn, type MemberMerchant, type ReservationDeps, requireBookable } from './deps.ts'
import {
  holdMs,
  isOverlapping,
  maxAtOnce,
  maxBookingsPerDay,
  maxOpenReservations,
  minGapMs,
  seatingTimes,
  timeProblem,
} from './rules.ts'
import * as store from './store.ts'

export interface ReservationRequest {
  merchantId: string
  date: string
  time: string
  partySize: number
}

export interface Plan {
  merchant: MemberMerchant
  provider: BookingProvider
  startsAt: Date
}

/** Returns the restaurant, provider and time of a request. For error codes see the contract. */
export async function planReservation(
  ctx: Ctx,
  deps: ReservationDeps,
  { merchantId, date, time, partySize, holdToken }: ReservationRequest & { holdToken?: string | undefined },
): Promise<Plan & { partySize: number }> {
  const { merchant, provider } = await requireBookable(ctx, deps, merchantId)
  const { timeZone, hours } = merchant
  const startsAt = toInstant(date, parseClock(time), timeZone)
  // A table that was held in time can be confirmed while the hold lasts.
  const heldSince = new Date(ctx.now().getTime() - holdMs)
  const problem = timeProblem({ date, startsAt, timeZone }, holdToken === undefined ? ctx.now() : heldSince)
  if (problem) throw new ApiError(problem)
  const offered = seatingTimes(hours, date, timeZone).some(({ minutes }) => minutes === parseClock(time))
  if (!startsAt || !offered) throw new ApiError('timeNotOffered')
  return { merchant, provider, startsAt, partySize }
}

/** The member's reservations near a time: at the same restaurant, and at others. */
interface Nearby {
  here: store.Row[]
  elsewhere: store.Row[]
}

/**
 * Throws `overlap` when the member has a reservation within two hours there, and `tooManyAtOnce` when there are two at
 * other restaurants; `except` is not counted.
 */
export async function rejectOverlap(
  tx: Tx,
  memberId: number,
  { merchant, startsAt }: Pick<Plan, 'merchant' | 'startsAt'>,
  except?: number,
): Promise<void> {
  rejectNearby(await listNearby(tx, memberId, { merchant, startsAt }, except))
}

function rejectNearby({ here, elsewhere }: Nearby): void {
  if (here.length > 0) throw new ApiError('overlap')
  if (elsewhere.length >= maxAtOnce) throw new ApiError('tooManyAtOnce')
}

async function listNearby(
  tx: Tx,
  memberId: number,
  { merchant, startsAt }: Pick<Plan, 'merchant' | 'startsAt'>,
  except?: number,
): Promise<Nearby> {
  const from = new Date(startsAt.getTime() - minGapMs)
  const to = new Date(startsAt.getTime() + minGapMs)
  const rows = await store.listActiveNear(tx, { memberId, from, to, ...(except !== undefined && { except }) })
  const near = rows.filter((row) => timesOf(row).some((time) => isOverlapping(time, startsAt)))
  return {
    here: near.filter((row) => row.merchant_id === merchant.id),
    elsewhere: near.filter((row) => row.merchant_id !== merchant.id),
  }
}

/** Throws `tooManyReservations` when the member has no place for another upcoming reservation. */
export async function rejectBeyondOpen(tx: Tx, memberId: number, now: Date): Promise<void> {
  const open = await store.listOpenReservations(tx, memberId, now)
  if (open.length >= maxOpenReservations) throw new ApiError('tooManyReservations')
}

/**
 * Counts a booking or change of a member, in its transaction: one that is rejected is not counted. Throws
 * `tooManyBookings`.
 */
export async function countBooking(tx: Tx, ctx: Ctx, deps: ReservationDeps, memberId: number): Promise<void> {
  const key = attemptKey(deps.guestKey, 'bookings', ctx.partnerId, String(memberId))
  const count = await countAttempt(tx, { key, maxAttempts: maxBookingsPerDay, windowMs: DAY })
  if (count > maxBookingsPerDay) throw new ApiError('tooManyBookings')
}

/** Returns the time of a reservation, and the one to which an unfinished change may return. */
function timesOf({ starts_at, status, previous }: store.Row): Date[] {
  const before = (previous as { starts_at?: string } | null)?.starts_at
  return status === 'booking' && before !== undefined ? [starts_at, new Date(before)] : [starts_at]
}

/** Returns the columns that a plan determines, with its current bonus. */
export function columnsOf(
  ctx: Ctx,
  { merchant, startsAt }: Plan,
  { date, time, partySize }: Omit<ReservationRequest, 'merchantId'>,
) {
  const bonus = bonusOn(ctx, merchant, date)
  return {
    starts_at: startsAt,
    local_date: date,
    local_time: time,
    party_size: partySize,
    bonus: bonus && JSON.stringify(bonus),
    agreed_at: ctx.now(),
  }
}

/** Returns the id of a new row, or of an existing identical one. */
export async function startReservation(
  tx: Tx,
  ctx: MemberCtx,
  deps: ReservationDeps,
  plan: Plan,
  request: ReservationRequest & { holdToken?: string | undefined },
): Promise<number> {
  const { id: memberId } = await lockOwnMember(tx, ctx)
  const near = await listNearby(tx, memberId, plan)
  const same = near.here.find(
    (row) => row.starts_at.getTime() === plan.startsAt.getTime() && row.party_size === request.partySize,
  )
  if (same) return same.id
  rejectNearby(near)
  await rejectBeyondOpen(tx, memberId, ctx.now())
  await countBooking(tx, ctx, deps, memberId)
  return store
    .insertReservation(
      tx,
      {
        ...columnsOf(ctx, plan, request),
        public_id: publicId(),
        member_id: memberId,
        merchant_id: plan.merchant.id,
        provider: plan.merchant.reservationProvider as string,
        token: publicId(),
        hold_token: request.holdToken ?? null,
      },
      ctx.now(),
    )
    .catch((error) => {
      throw violatedConstraint(error) === 'two_hours_apart' ? new ApiError('overlap') : error
    })
}

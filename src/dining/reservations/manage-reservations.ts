import { findMemberRow, lockMember, lockOwnMember, type MemberRow } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { MINUTE } from '../../platform/time.ts'
import { type BookableMerchant, findBookableMerchant } from '../merchants/service.ts'
import type { Booking, BookingProvider } from './booking-provider.ts'
import type { Reservation } from './contract.ts'
import { callProvider, guestOf, providerOf, type ReservationChange, type ReservationDeps } from './deps.ts'
import { notifyMember } from './notify-member.ts'
import {
  columnsOf,
  countBooking,
  planReservation,
  type ReservationRequest,
  rejectOverlap,
  startReservation,
} from './plan-reservation.ts'
import * as store from './store.ts'
import { toReservation } from './to-reservation.ts'

/** Milliseconds after which an unfinished step is rolled back. */
const stepTimeoutMs = MINUTE

/**
 * Books a table for the signed-in member. Our row is inserted first, so that any failure afterwards can be cleaned up;
 * the provider is called outside any transaction. A repeated request returns the same reservation, also when the time is
 * too soon by now.
 */
export async function makeReservation(
  ctx: MemberCtx,
  deps: ReservationDeps,
  request: ReservationRequest & { holdToken?: string | undefined },
): Promise<Reservation> {
  const memberId = ctx.actor.memberId
  const booked = await store.findBooked(ctx.db, memberId, request)
  if (booked) return toReservation(booked)
  const plan = await planReservation(ctx, deps, request)
  const id = await inTransaction(ctx.db, (tx) => startReservation(tx, ctx, deps, plan, request))
  return executeBooking(ctx, deps, id)
}

/** Changes time or party size of a reservation of the signed-in member; on failure the old one stays. */
export async function changeReservation(
  ctx: MemberCtx,
  deps: ReservationDeps,
  reservationId: string,
  when: Omit<ReservationRequest, 'merchantId'>,
): Promise<Reservation> {
  const memberId = ctx.actor.memberId
  const row = requireChangeable(ctx, await requireOwnReservation(ctx, reservationId))
  const plan = await planReservation(ctx, deps, { ...when, merchantId: row.merchantPublicId })
  const same = row.starts_at.getTime() === plan.startsAt.getTime() && row.party_size === when.partySize
  if (same) return toReservation(row)
  await inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    // Read again under the lock: another tab may have changed it.
    const before = requireChangeable(ctx, (await store.findById(tx, row.id)) as store.ReservationRow)
    if (before.starts_at.getTime() !== plan.startsAt.getTime()) await rejectOverlap(tx, memberId, plan, row.id)
    await countBooking(tx, ctx, deps, memberId)
    const { token, confirmation, starts_at, local_date, local_time, party_size, bonus, agreed_at } = before
    const previous = { token, confirmation, starts_at, local_date, local_time, party_size, bonus, agreed_at }
    const change = {
      ...columnsOf(ctx, plan, when),
      // A transaction before the time was agreed on does not earn its bonus. At the same time, the bonus stays as agreed.
      ...(plan.startsAt.getTime() === starts_at.getTime() && {
        agreed_at,
        bonus: bonus === null ? null : JSON.stringify(bonus),
      }),
      token: publicId(),
      status: 'booking',
      previous: JSON.stringify(previous),
    } as const
    const changed = await store.changeReservation(tx, row.id, ['booked'], change, ctx.now())
    if (!changed) throw new ApiError('alreadyOver')
  })
  return executeBooking(ctx, deps, row.id)
}

/**
 * Cancels a reservation, and reverses a bonus that it has earned. It is final once stored: a provider that cannot be
 * reached is called again later. `startsAt` is the time (ISO 8601) that the member was shown. Throws error codes
 * `reservationNotFound`, `alreadyOver`, and `reservationChanged` when the reservation is at another time.
 */
export async function cancelReservation(
  ctx: MemberCtx,
  deps: ReservationDeps,
  reservationId: string,
  startsAt?: string,
): Promise<Reservation> {
  const found = await requireOwnReservation(ctx, reservationId)
  if (found.status === 'canceled' || found.status === 'canceling') return toReservation(found)
  return cancelRow(ctx, deps, found, { startsAt, lock: (tx) => lockOwnMember(tx, ctx) })
}

/**
 * Cancels a member's reservation for an operator, as the member does. `record` is called in the transaction that stores it.
 * Throws error codes `reservationNotFound`, `alreadyOver`, and `reservationChanged` when it is at another time.
 */
export async function cancelForMember(
  ctx: Ctx,
  deps: ReservationDeps,
  found: store.ReservationRow,
  { startsAt, record }: { startsAt: string; record: (tx: Tx) => Promise<void> },
): Promise<void> {
  const lock = async (tx: Tx) => {
    await lockMember(tx, found.member_id)
    await record(tx)
  }
  await cancelRow(ctx, deps, found, { startsAt, lock })
}

/**
 * Books the table of a reservation again whose booking had no known outcome, and confirms it: the provider knows its token.
 * Throws error codes of the provider, `alreadyOver` when it is not being booked, and `reservationFailed`.
 */
export async function confirmReservation(ctx: Ctx, deps: ReservationDeps, row: store.Row): Promise<void> {
  if (row.status !== 'booking') throw new ApiError('alreadyOver')
  await executeBooking(ctx, deps, row.id)
}

async function cancelRow(
  ctx: Ctx,
  deps: ReservationDeps,
  found: store.ReservationRow,
  { startsAt, lock }: { startsAt: string | undefined; lock: (tx: Tx) => Promise<unknown> },
): Promise<Reservation> {
  // Checks the row that was read instead of reading it again: another tab may cancel in between.
  const row = requireChangeable(ctx, found)
  const started = await inTransaction(ctx.db, async (tx) => {
    await lock(tx)
    const current = await store.findById(tx, row.id)
    const isMoved = startsAt !== undefined && current?.starts_at.getTime() !== Date.parse(startsAt)
    if (isMoved && current?.status === 'booked') throw new ApiError('reservationChanged')
    const changed = await store.changeReservation(tx, row.id, ['booked'], { status: 'canceling' }, ctx.now())
    if (changed) await deps.settleBonus(tx, ctx, toReservationChange(row, current?.local_date ?? row.local_date))
    return changed
  })
  // Two tabs may have canceled concurrently.
  if (!started) return toReservation(await requireCanceled(ctx, row.id))
  await cancelAtProvider(ctx, deps, row.id).catch((error) => ctx.log.warn({ err: error }, 'table not given back yet'))
  return toReservation((await store.findById(ctx.db, row.id)) as store.ReservationRow)
}

/**
 * Cancels every future reservation of a member, in the transaction that deletes the account. Returns the ids of those
 * whose providers can be called at once; one that is being booked is canceled by the request that books it, or by
 * `recoverReservation`. The caller holds the member's lock.
 */
export async function closeReservations(tx: Tx, ctx: Ctx, deps: ReservationDeps, memberId: number): Promise<number[]> {
  const open = await store.listOpenReservations(tx, memberId, ctx.now())
  for (const row of open) {
    await store.changeReservation(tx, row.id, ['booked', 'booking'], { status: 'canceling', undoing: false }, ctx.now())
    await deps.settleBonus(tx, ctx, toReservationChange(row, row.local_date))
  }
  return open.flatMap(({ id, status }) => (status === 'booked' ? [id] : []))
}

/** Cancels reservations at their providers; failures are retried later. */
export async function cancelAtProviders(ctx: Ctx, deps: ReservationDeps, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await cancelAtProvider(ctx, deps, id).catch((error) => ctx.log.warn({ err: error }, 'table not given back yet'))
  }
}

function toReservationChange(row: store.Row, ...dates: readonly string[]): ReservationChange {
  return { memberId: row.member_id, merchantId: row.merchant_id, publicId: row.public_id, dates }
}

async function requireCanceled(ctx: Ctx, id: number): Promise<store.ReservationRow> {
  const row = await store.findById(ctx.db, id)
  if (row?.status !== 'canceled' && row?.status !== 'canceling') throw new ApiError('alreadyOver')
  return row
}

/**
 * Finishes or rolls back a step that started over a minute ago. Rejects while the provider cannot be reached, and while
 * a later step may still be in progress.
 */
export async function recoverReservation(ctx: Ctx, deps: ReservationDeps, id: number): Promise<void> {
  const row = await store.findById(ctx.db, id)
  if (row?.status !== 'booking' && row?.status !== 'canceling') return
  if (row.updated_at.getTime() > ctx.now().getTime() - stepTimeoutMs) throw new Error('a step may be in progress')
  await (row.status === 'canceling' ? cancelAtProvider(ctx, deps, id) : rollBack(ctx, deps, id))
}

/** Returns a reservation of the signed-in member, in any status. Throws error code `reservationNotFound`. */
async function requireOwnReservation(ctx: MemberCtx, reservationId: string): Promise<store.ReservationRow> {
  const row = await store.findOwnReservation(ctx.db, ctx.actor.memberId, reservationId)
  if (!row) throw new ApiError('reservationNotFound')
  return row
}

/** Returns the reservation if it can still be changed. Throws error code `alreadyOver`. */
function requireChangeable(ctx: Ctx, row: store.ReservationRow): store.ReservationRow {
  if (row.status !== 'booked' || row.starts_at <= ctx.now()) throw new ApiError('alreadyOver')
  return row
}

interface Step {
  row: store.ReservationRow
  merchant: BookableMerchant
  provider: BookingProvider
  booking: Booking
}

async function loadStep(ctx: Ctx, deps: ReservationDeps, id: number): Promise<Step> {
  const row = (await store.findById(ctx.db, id)) as store.ReservationRow
  const member = (await findMemberRow(ctx.db, row.member_id)) as MemberRow
  // A started step is finished even where new bookings are no longer possible.
  const merchant = (await findBookableMerchant(ctx.db, row.merchant_id)) as BookableMerchant
  const provider = providerOf(ctx, deps, row.provider)
  if (!provider) throw new Error(`no booking provider named ${row.provider}`)
  const booking = {
    startsAt: row.starts_at,
    partySize: row.party_size,
    guest: guestOf(deps, member),
    token: row.token,
    holdToken: row.hold_token ?? undefined,
  }
  return { row, merchant, provider: recordingMessages(ctx, row, provider), booking }
}

/** Returns a provider whose answers about a reservation are kept, for operators. */
function recordingMessages(ctx: Ctx, row: store.Row, provider: BookingProvider): BookingProvider {
  const keep = async <T>(request: 'book' | 'cancel', work: Promise<T>): Promise<T> => {
    const write = (outcome: string, confirmation: string | null) =>
      store
        .insertProviderMessage(ctx.db, { reservationId: row.id, request, outcome, confirmation })
        .catch((err) => ctx.log.warn({ err }, 'message of a booking provider not kept'))
    try {
      const answer = await work
      await write('done', (answer as { confirmation?: string } | undefined)?.confirmation ?? null)
      return answer
    } catch (error) {
      await write(error instanceof ApiError ? error.code : 'unknown', null)
      throw error
    }
  }
  return {
    releasesHolds: provider.releasesHolds,
    freeTimes: (...given) => provider.freeTimes(...given),
    hold: (...given) => provider.hold(...given),
    book: (...given) => keep('book', provider.book(...given)),
    cancel: (...given) => keep('cancel', provider.cancel(...given)),
  }
}

/** Books the stored row at the provider and confirms it. On failure the step is rolled back. */
async function executeBooking(ctx: Ctx, deps: ReservationDeps, id: number): Promise<Reservation> {
  const { row, merchant, provider, booking } = await loadStep(ctx, deps, id)
  if (row.status === 'booked') return toReservation(row)
  // Another request for the same table failed. Once it is undone, the member can try again.
  if (row.undoing) {
    await undo(ctx, deps, id)
    throw new ApiError('reservationFailed')
  }
  const previous = previousOf(row)
  const instead = previous && { token: previous.token, confirmation: previous.confirmation }
  try {
    const { confirmation } = await callProvider(ctx, provider.book(merchant, { ...booking, instead }, ctx.now()))
    return await inTransaction(ctx.db, (tx) => confirm(tx, ctx, deps, id, confirmation))
  } catch (error) {
    await undoLateBooking(ctx, id)
    await undo(ctx, deps, id)
    throw error
  }
}

async function confirm(
  tx: Tx,
  ctx: Ctx,
  deps: ReservationDeps,
  id: number,
  confirmation: string,
): Promise<Reservation> {
  const { member_id: memberId } = (await store.findById(tx, id)) as store.ReservationRow
  await lockMember(tx, memberId)
  const before = (await store.findById(tx, id)) as store.ReservationRow
  const done = { status: 'booked', confirmation, previous: null, hold_token: null } as const
  const confirmed = await store.changeReservation(tx, id, ['booking'], done, ctx.now(), { undoing: false })
  const row = (await store.findById(tx, id)) as store.ReservationRow
  if (confirmed) {
    const action = before.previous === null ? 'reservation.booked' : 'reservation.changed'
    await audit(tx, ctx, { action, memberId: row.member_id, detail: { reservation: row.public_id } })
    await notifyMember(tx, ctx, deps, action, row)
    await deps.settleBonus(
      tx,
      ctx,
      toReservationChange(row, row.local_date, previousOf(before)?.local_date ?? row.local_date),
    )
  }
  // A concurrent rollback cancels it at the provider.
  if (row.status !== 'booked') throw new ApiError('reservationFailed')
  return toReservation(row)
}

interface Previous {
  token: string
  confirmation: string
  starts_at: Date
  local_date: string
  local_time: string
  party_size: number
  bonus: unknown
  agreed_at: string
}

function previousOf(row: store.Row): Previous | undefined {
  const previous = row.previous as (Omit<Previous, 'starts_at'> & { starts_at: string }) | null
  return previous ? { ...previous, starts_at: new Date(previous.starts_at) } : undefined
}

/**
 * Reopens a booking that was undone while this request was booking it: the provider may have booked it after the
 * cancellation. A change is left alone, because its booking is the one that was restored.
 */
async function undoLateBooking(ctx: Ctx, id: number): Promise<void> {
  const again = { status: 'canceling', undoing: true } as const
  await inTransaction(ctx.db, (tx) => store.changeReservation(tx, id, ['failed'], again, ctx.now()))
}

/** Undoes a step now if its provider can be reached, else later by its job. */
async function undo(ctx: Ctx, deps: ReservationDeps, id: number): Promise<void> {
  await rollBack(ctx, deps, id).catch((reason) => ctx.log.warn({ err: reason }, 'reservation not taken back yet'))
}

/** Undoes a step with a failed or unknown outcome: restores the old table, or cancels the new one. */
async function rollBack(ctx: Ctx, deps: ReservationDeps, id: number): Promise<void> {
  const { row, merchant, provider, booking } = await loadStep(ctx, deps, id)
  // The account was deleted concurrently: cancel everything.
  if (row.status === 'canceling') return cancelAtProvider(ctx, deps, id)
  if (row.status !== 'booking') return
  // From here on, no request can confirm it.
  const isUndoing = await inTransaction(ctx.db, (tx) =>
    store.changeReservation(tx, id, ['booking'], { undoing: true }, ctx.now()),
  )
  if (!isUndoing) return
  const previous = previousOf(row)
  if (!previous) {
    await provider.cancel(merchant, { ...booking, confirmation: null })
    await finish(ctx, id, 'booking', { status: 'failed', undoing: false })
    return
  }
  const { confirmation: known, token, starts_at: startsAt, party_size: partySize, bonus, ...when } = previous
  const instead = { token: booking.token, confirmation: known }
  const old = { guest: booking.guest, token, startsAt, partySize, instead }
  const { confirmation } = await provider.book(merchant, old, ctx.now())
  await finish(ctx, id, 'booking', {
    ...when,
    status: 'booked',
    token,
    confirmation,
    starts_at: startsAt,
    party_size: partySize,
    bonus: bonus === null ? null : JSON.stringify(bonus),
    previous: null,
    undoing: false,
  })
}

async function finish(
  ctx: Ctx,
  id: number,
  from: store.Row['status'],
  change: Parameters<typeof store.changeReservation>[3],
): Promise<void> {
  await inTransaction(ctx.db, (tx) => store.changeReservation(tx, id, [from], change, ctx.now()))
}

const previousTable = ({ token, confirmation, starts_at: startsAt, party_size: partySize }: Previous) => ({
  token,
  confirmation,
  startsAt,
  partySize,
  holdToken: undefined,
})

async function cancelAtProvider(ctx: Ctx, deps: ReservationDeps, id: number): Promise<void> {
  const { row, merchant, provider, booking } = await loadStep(ctx, deps, id)
  await provider.cancel(merchant, { ...booking, confirmation: row.confirmation })
  // During a change: the old table may still be booked.
  const previous = previousOf(row)
  if (previous) await provider.cancel(merchant, { ...booking, ...previousTable(previous) })
  await inTransaction(ctx.db, async (tx) => {
    const status = row.undoing ? 'failed' : 'canceled'
    const done = await store.changeReservation(tx, id, ['canceling'], { status, undoing: false }, ctx.now())
    // The member was told that it failed.
    if (!done || row.undoing) return
    const canceled = { ...row, status: 'canceled' }
    await audit(tx, ctx, {
      action: 'reservation.canceled',
      memberId: row.member_id,
      detail: { reservation: row.public_id },
    })
    await notifyMember(tx, ctx, deps, 'reservation.canceled', canceled)
  })
}

import { lockMember, lockOpenMember, type MemberRow, memberRow } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { publicId } from '../../platform/security/ids.ts'
import { MINUTE } from '../../platform/time.ts'
import { type BookableMerchant, bookableMerchant } from '../merchants/service.ts'
import type { Booking, BookingProvider } from './booking-provider.ts'
import type { Reservation } from './contract.ts'
import { asking, type Desk, guestOf, providerOf, type SettledReservation } from './desk.ts'
import { beginReservation, columnsOf, planOf, refuseClash, type Wish } from './plan-reservation.ts'
import { shown } from './shown.ts'
import * as store from './store.ts'
import { tellMember } from './tell-member.ts'

/** Milliseconds after which an unfinished step is rolled back. */
const patience = MINUTE

/** Holds a table for the signed-in member until confirmation. For error codes see the contract. */
export async function holdTable(ctx: Ctx, desk: Desk, wish: Wish): Promise<{ token: string; expiresAt: string }> {
  const { merchant, provider, startsAt } = await planOf(ctx, desk, wish)
  const member = await ownRow(ctx)
  await inTransaction(ctx.db, (tx) => refuseClash(tx, member.id, merchant.id, startsAt))
  const seat = { startsAt, partySize: wish.partySize, guest: guestOf(desk, member) }
  const { holdToken, expiresAt } = await asking(ctx, provider.hold(merchant, seat, ctx.now()))
  return { token: holdToken, expiresAt: expiresAt.toISOString() }
}

/**
 * Books a table for the signed-in member. Our row is inserted first, so that any failure afterwards can be cleaned up;
 * the provider is called outside any transaction. A repeated request returns the same reservation.
 */
export async function makeReservation(
  ctx: Ctx,
  desk: Desk,
  wish: Wish & { holdToken?: string | undefined },
): Promise<Reservation> {
  const plan = await planOf(ctx, desk, wish)
  const memberId = ctx.actor.memberId as number
  const id = await inTransaction(ctx.db, (tx) => beginReservation(tx, ctx, memberId, plan, wish))
  return carryThrough(ctx, desk, id)
}

/** Changes time or party size of a reservation of the signed-in member; on failure the old one stays. */
export async function changeReservation(
  ctx: Ctx,
  desk: Desk,
  reservationId: string,
  when: Omit<Wish, 'merchantId'>,
): Promise<Reservation> {
  const memberId = ctx.actor.memberId as number
  const row = standing(ctx, await ownReservation(ctx, reservationId))
  const plan = await planOf(ctx, desk, { ...when, merchantId: row.merchantPublicId })
  const same = row.starts_at.getTime() === plan.startsAt.getTime() && row.party_size === when.partySize
  if (same) return shown(row)
  await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, memberId)
    await refuseClash(tx, memberId, plan.merchant.id, plan.startsAt, row.id)
    // Read again under the lock: another tab may have changed it.
    const before = standing(ctx, (await store.findById(tx, row.id)) as store.ReservationRow)
    const { token, confirmation, starts_at, local_date, local_time, party_size, bonus, promised_at } = before
    const previous = { token, confirmation, starts_at, local_date, local_time, party_size, bonus, promised_at }
    const change = {
      ...columnsOf(ctx, plan, when),
      // A transaction before the time was agreed on does not earn its bonus.
      ...(plan.startsAt.getTime() === starts_at.getTime() && { promised_at }),
      token: publicId(),
      status: 'booking',
      previous: JSON.stringify(previous),
    } as const
    const changed = await store.changeReservation(tx, row.id, ['booked'], change, ctx.now())
    if (!changed) throw new Refusal('alreadyOver')
  })
  return carryThrough(ctx, desk, row.id)
}

/**
 * Cancels a reservation, and reverses a bonus that it has earned. It is final once stored: a provider that cannot be
 * reached is called again later. Throws error codes `reservationNotFound` and `alreadyOver`.
 */
export async function cancelReservation(ctx: Ctx, desk: Desk, reservationId: string): Promise<Reservation> {
  const found = await ownReservation(ctx, reservationId)
  if (found.status === 'cancelled' || found.status === 'cancelling') return shown(found)
  // Checks the row that was read instead of reading it again: another tab may cancel in between.
  const row = standing(ctx, found)
  const begun = await inTransaction(ctx.db, async (tx) => {
    await lockOpenMember(tx, row.member_id)
    const changed = await store.changeReservation(tx, row.id, ['booked'], { status: 'cancelling' }, ctx.now())
    if (changed) await desk.settleBonus(tx, ctx, settled(row, row.local_date))
    return changed
  })
  // Two tabs may have canceled concurrently.
  if (!begun) return shown(await givenBack(ctx, row.id))
  await giveBack(ctx, desk, row.id).catch((error) => ctx.log.warn({ err: error }, 'table not given back yet'))
  return shown((await store.findById(ctx.db, row.id)) as store.ReservationRow)
}

/**
 * Cancels every future reservation of a member, in the transaction that deletes the account. Returns the ids of those
 * whose providers can be called at once; one that is being booked is canceled by the request that books it, or by
 * `settleReservations`. The caller holds the member's lock.
 */
export async function closeReservations(tx: Tx, ctx: Ctx, desk: Desk, memberId: number): Promise<number[]> {
  const open = await store.openReservations(tx, memberId, ctx.now())
  for (const row of open) {
    await store.changeReservation(tx, row.id, ['booked', 'booking'], { status: 'cancelling' }, ctx.now())
    await desk.settleBonus(tx, ctx, settled(row, row.local_date))
  }
  return open.flatMap(({ id, status }) => (status === 'booked' ? [id] : []))
}

/** Cancels reservations at their providers; failures are retried later. */
export async function giveBackTables(ctx: Ctx, desk: Desk, ids: readonly number[]): Promise<void> {
  for (const id of ids) {
    await giveBack(ctx, desk, id).catch((error) => ctx.log.warn({ err: error }, 'table not given back yet'))
  }
}

function settled(row: store.Row, ...dates: readonly string[]): SettledReservation {
  return { memberId: row.member_id, merchantId: row.merchant_id, publicId: row.public_id, dates }
}

async function givenBack(ctx: Ctx, id: number): Promise<store.ReservationRow> {
  const row = await store.findById(ctx.db, id)
  if (row?.status !== 'cancelled' && row?.status !== 'cancelling') throw new Refusal('alreadyOver')
  return row
}

/** Finishes or rolls back a program's steps that started over a minute ago. Returns the number checked. */
export async function settleReservations(ctx: Ctx, desk: Desk): Promise<number> {
  const ids = await store.unsettledBefore(ctx.db, new Date(ctx.now().getTime() - patience))
  for (const id of ids) {
    const row = await store.findById(ctx.db, id)
    const work = row?.status === 'cancelling' ? giveBack(ctx, desk, id) : takeBack(ctx, desk, id)
    await work.catch((error) => ctx.log.warn({ err: error, reservation: id }, 'reservation not settled yet'))
  }
  return ids.length
}

async function ownRow(ctx: Ctx): Promise<MemberRow> {
  const member = await memberRow(ctx.db, ctx.actor.memberId as number)
  if (!member) throw new Error('a signed-in member who is not there')
  return member
}

/** Returns a reservation of the signed-in member, in any status. Throws error code `reservationNotFound`. */
async function ownReservation(ctx: Ctx, reservationId: string): Promise<store.ReservationRow> {
  const row = await store.findOwn(ctx.db, ctx.actor.memberId as number, reservationId)
  if (!row) throw new Refusal('reservationNotFound')
  return row
}

/** Returns the reservation if it can still be changed. Throws error code `alreadyOver`. */
function standing(ctx: Ctx, row: store.ReservationRow): store.ReservationRow {
  if (row.status !== 'booked' || row.starts_at <= ctx.now()) throw new Refusal('alreadyOver')
  return row
}

interface Step {
  row: store.ReservationRow
  merchant: BookableMerchant
  provider: BookingProvider
  booking: Booking
}

async function stepOf(ctx: Ctx, desk: Desk, id: number): Promise<Step> {
  const row = (await store.findById(ctx.db, id)) as store.ReservationRow
  const member = (await memberRow(ctx.db, row.member_id)) as MemberRow
  // A started step is finished even where new bookings are no longer possible.
  const merchant = (await bookableMerchant(ctx.db, row.merchant_id)) as BookableMerchant
  const provider = providerOf(ctx, desk, row.provider)
  if (!provider) throw new Error(`no booking provider named ${row.provider}`)
  const booking = {
    startsAt: row.starts_at,
    partySize: row.party_size,
    guest: guestOf(desk, member),
    token: row.token,
    holdToken: row.hold_token ?? undefined,
  }
  return { row, merchant, provider, booking }
}

/** Books the stored row at the provider and confirms it. On failure the step is rolled back. */
async function carryThrough(ctx: Ctx, desk: Desk, id: number): Promise<Reservation> {
  const { row, merchant, provider, booking } = await stepOf(ctx, desk, id)
  if (row.status === 'booked') return shown(row)
  const previous = previousOf(row)
  const instead = previous && { token: previous.token, confirmation: previous.confirmation }
  try {
    const { confirmation } = await asking(ctx, provider.book(merchant, { ...booking, instead }, ctx.now()))
    return await inTransaction(ctx.db, (tx) => confirm(tx, ctx, desk, id, confirmation))
  } catch (error) {
    await takeBack(ctx, desk, id).catch((reason) => ctx.log.warn({ err: reason }, 'reservation not taken back yet'))
    throw error
  }
}

async function confirm(tx: Tx, ctx: Ctx, desk: Desk, id: number, confirmation: string): Promise<Reservation> {
  const { member_id: memberId } = (await store.findById(tx, id)) as store.ReservationRow
  await lockMember(tx, memberId)
  const before = (await store.findById(tx, id)) as store.ReservationRow
  const done = { status: 'booked', confirmation, previous: null, hold_token: null } as const
  const confirmed = await store.changeReservation(tx, id, ['booking'], done, ctx.now())
  const row = (await store.findById(tx, id)) as store.ReservationRow
  if (confirmed) {
    const action = before.previous === null ? 'reservation.booked' : 'reservation.changed'
    await audit(tx, ctx, { action, memberId: row.member_id, detail: { reservation: row.public_id } })
    await tellMember(tx, ctx, desk, action, row)
    await desk.settleBonus(tx, ctx, settled(row, row.local_date, previousOf(before)?.local_date ?? row.local_date))
  }
  // A concurrent rollback has canceled it at the provider.
  if (row.status !== 'booked') throw new Refusal('reservationFailed')
  return shown(row)
}

interface Previous {
  token: string
  confirmation: string
  starts_at: Date
  local_date: string
  local_time: string
  party_size: number
  bonus: unknown
  promised_at: string
}

function previousOf(row: store.Row): Previous | undefined {
  const previous = row.previous as (Omit<Previous, 'starts_at'> & { starts_at: string }) | null
  return previous ? { ...previous, starts_at: new Date(previous.starts_at) } : undefined
}

/** Undoes a step with a failed or unknown outcome: restores the old table, or cancels the new one. */
async function takeBack(ctx: Ctx, desk: Desk, id: number): Promise<void> {
  const { row, merchant, provider, booking } = await stepOf(ctx, desk, id)
  // The account was deleted concurrently: cancel everything.
  if (row.status === 'cancelling') return giveBack(ctx, desk, id)
  if (row.status !== 'booking') return
  const previous = previousOf(row)
  if (!previous) {
    await provider.cancel(merchant, { ...booking, confirmation: null })
    await finish(ctx, id, 'booking', { status: 'failed' })
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

async function giveBack(ctx: Ctx, desk: Desk, id: number): Promise<void> {
  const { row, merchant, provider, booking } = await stepOf(ctx, desk, id)
  await provider.cancel(merchant, { ...booking, confirmation: row.confirmation })
  // During a change: the old table may still be booked.
  const previous = previousOf(row)
  if (previous) await provider.cancel(merchant, { ...booking, ...previousTable(previous) })
  await inTransaction(ctx.db, async (tx) => {
    const done = await store.changeReservation(tx, id, ['cancelling'], { status: 'cancelled' }, ctx.now())
    if (!done) return
    const gone = { ...row, status: 'cancelled' }
    await audit(tx, ctx, {
      action: 'reservation.cancelled',
      memberId: row.member_id,
      detail: { reservation: row.public_id },
    })
    await tellMember(tx, ctx, desk, 'reservation.cancelled', gone)
  })
}

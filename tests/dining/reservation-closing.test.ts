import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ownProvider } from '../../src/dining/reservations/book/own-provider.ts'
import type { BookingProvider } from '../../src/dining/reservations/booking-provider.ts'
import {
  cancelAtProviders,
  changeReservation,
  closeReservations,
  makeReservation,
  type ReservationDeps,
  recoverReservation,
} from '../../src/dining/reservations/service.ts'
import { eraseMember, lockMember } from '../../src/identity/members/service.ts'
import { inTransaction, type Tx } from '../../src/platform/database/db.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { MINUTE } from '../../src/platform/time.ts'
import { createReservationHarness, reservationRequest, resultCode } from '../support/reservation-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const { clock, deps: ownDeps, memberContext, addMerchant } = createReservationHarness()

/** Runs after the provider has booked a table, before it responds. */
type AfterBooking = () => Promise<unknown>

/** Returns our own provider in the place of a remote one. Each booking takes the next step, if there is one. */
function withSteps({ db }: MemberCtx, steps: AfterBooking[]): ReservationDeps {
  const own = ownProvider(db)
  const http: BookingProvider = {
    ...own,
    async book(...given) {
      const booked = await own.book(...given)
      await steps.shift()?.()
      return booked
    },
  }
  return { ...ownDeps, http }
}

async function eraseWithReservations(tx: Tx, ctx: MemberCtx, deps: ReservationDeps): Promise<number[]> {
  await lockMember(tx, ctx.actor.memberId)
  const tables = await closeReservations(tx, ctx, deps, ctx.actor.memberId)
  await eraseMember(tx, ctx.actor.memberId)
  return tables
}

async function deleteAccount(ctx: MemberCtx, deps: ReservationDeps): Promise<void> {
  const tables = await inTransaction(ctx.db, (tx) => eraseWithReservations(tx, ctx, deps))
  await cancelAtProviders(ctx, deps, tables)
}

const failure = () => Promise.reject(new Error('the connection was lost'))

/** Returns the statuses of a member's reservations, the tables taken at the restaurant, and the events and emails about them. */
async function readState({ db, actor }: MemberCtx, merchantId: number) {
  const { rows } = await sql<{ kind: string; text: string }>`
    select 'status' as kind, status as text from reservations where member_id = ${actor.memberId}
    union all select 'table', state from table_bookings where merchant_id = ${merchantId}
    union all select 'event', action from audit_entries where member_id = ${actor.memberId}
    union all select 'email', topic from emails where member_id = ${actor.memberId}`.execute(db)
  const of = (kind: string) => rows.filter((row) => row.kind === kind).map(({ text }) => text)
  return { statuses: of('status'), tables: of('table'), events: of('event'), emails: of('email') }
}

async function memberWithReservation(steps: AfterBooking[]) {
  const merchant = await addMerchant([2, 2], { reservationProvider: 'http' })
  const ctx = await memberContext()
  const deps = withSteps(ctx, steps)
  const made = await makeReservation(ctx, deps, reservationRequest(merchant.publicId))
  const change = () =>
    resultCode(changeReservation(ctx, deps, made.id, { date: '2026-11-21', time: '19:00', partySize: 2 }))
  return { merchant, ctx, deps, made, change }
}

test.each([
  { outcome: 'succeeds', end: async () => {} },
  { outcome: 'fails', end: failure },
])('an account deleted while a new time is at the provider leaves no table when the call $outcome', async ({ end }) => {
  const steps: AfterBooking[] = []
  const { merchant, ctx, deps, change } = await memberWithReservation(steps)
  steps.push(async () => {
    await deleteAccount(ctx, deps)
    await end()
  })
  expect(await change()).toBe('reservationFailed')
  expect(await readState(ctx, merchant.id)).toEqual({
    statuses: ['canceled'],
    tables: [],
    events: ['reservation.booked', 'reservation.canceled'],
    // A deleted account gets none.
    emails: ['reservation.booked'],
  })
})

test('the old time cannot be booked again while a change is unfinished, because the change may return to it', async () => {
  const steps: AfterBooking[] = []
  const { merchant, ctx, deps, change } = await memberWithReservation(steps)
  const codes: string[] = []
  steps.push(async () => {
    codes.push(await resultCode(makeReservation(ctx, deps, reservationRequest(merchant.publicId))))
    await failure()
  })
  expect(await change()).toBe('reservationFailed')
  expect(codes).toEqual(['overlap'])
  expect((await readState(ctx, merchant.id)).statuses).toEqual(['booked'])
})

test('an account deleted while a failed change is undone leaves no table once the job has completed it', async () => {
  const steps: AfterBooking[] = []
  const { merchant, ctx, deps, made, change } = await memberWithReservation(steps)
  steps.push(failure, () => deleteAccount(ctx, deps))
  expect(await change()).toBe('reservationFailed')
  expect((await readState(ctx, merchant.id)).statuses).toEqual(['canceling'])
  clock.now = new Date(clock.now.getTime() + MINUTE + 1)
  const { id } = await ctx.db
    .selectFrom('reservations')
    .select('id')
    .where('public_id', '=', made.id)
    .executeTakeFirstOrThrow()
  await recoverReservation(ctx, deps, id)
  expect(await readState(ctx, merchant.id)).toMatchObject({ statuses: ['canceled'], tables: [] })
})

test('the job does not undo a change that started less than a minute ago, however old the reservation is', async () => {
  const steps: AfterBooking[] = []
  const { ctx, deps, made, change } = await memberWithReservation(steps)
  clock.now = new Date(clock.now.getTime() + 60 * MINUTE)
  steps.push(async () => {
    const { id } = await ctx.db
      .selectFrom('reservations')
      .select('id')
      .where('public_id', '=', made.id)
      .executeTakeFirstOrThrow()
    clock.now = new Date(clock.now.getTime() + MINUTE - 1)
    await expect(recoverReservation(ctx, deps, id)).rejects.toThrow('a step may be in progress')
  })
  expect(await change()).toBe('done')
})

test('an account deleted while a change of both tables failed leaves neither of them', async () => {
  const steps: AfterBooking[] = []
  const { merchant, ctx, deps, made, change } = await memberWithReservation(steps)
  const { token } = await ctx.db
    .selectFrom('reservations')
    .select('token')
    .where('public_id', '=', made.id)
    .executeTakeFirstOrThrow()
  steps.push(async () => {
    // A provider may book the new table and fail before it cancels the old one.
    await sql`insert into table_bookings (merchant_id, table_id, token, guest_hash, party_size, starts_at, ends_at, state, confirmation)
      select ${merchant.id}, min(id), ${token}, 'guest', 2, '2026-11-21T00:00Z', '2026-11-21T02:00Z', 'booked', 'OLDTABLE'
      from merchant_tables where merchant_id = ${merchant.id}`.execute(ctx.db)
    await deleteAccount(ctx, deps)
    await failure()
  })
  expect(await change()).toBe('reservationFailed')
  expect(await readState(ctx, merchant.id)).toMatchObject({ statuses: ['canceled'], tables: [] })
})

test('a confirmation waits for the deletion of its account before it writes, and then cancels', async () => {
  const [atProvider, confirmed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const steps: AfterBooking[] = []
  const { merchant, ctx, deps, made, change } = await memberWithReservation(steps)
  steps.push(() => {
    atProvider.resolve()
    return confirmed.promise
  })
  const changing = change()
  await atProvider.promise
  const [code] = await whileLocked(ctx.db, {
    hold: (tx) => lockMember(tx, ctx.actor.memberId),
    acts: [
      () => {
        confirmed.resolve()
        return changing
      },
    ],
    meanwhile: async (tx) => {
      const free = tx.selectFrom('reservations').select('status').where('public_id', '=', made.id).forUpdate()
      expect(await free.skipLocked().execute()).toEqual([{ status: 'booking' }])
      await eraseWithReservations(tx, ctx, deps)
    },
  })
  expect(code).toBe('reservationFailed')
  expect(await readState(ctx, merchant.id)).toMatchObject({ statuses: ['canceled'], tables: [] })
})

test('a change that waited for another one replaces its table, and what fails restores that one', async () => {
  const steps: AfterBooking[] = []
  const { merchant, ctx, made, change } = await memberWithReservation(steps)
  const token = publicId()
  const changeBehindAnother = () =>
    whileLocked(ctx.db, {
      hold: (tx) => lockMember(tx, ctx.actor.memberId),
      acts: [change],
      meanwhile: async (tx) => {
        // What the other change stores in the end.
        await sql`update table_bookings set token = ${token} where merchant_id = ${merchant.id}`.execute(tx)
        await tx.updateTable('reservations').set({ token }).where('public_id', '=', made.id).execute()
      },
    })
  steps.push(failure)
  expect(await changeBehindAnother()).toEqual(['reservationFailed'])
  const restored = await ctx.db
    .selectFrom('reservations')
    .select(['token', 'local_date'])
    .where('public_id', '=', made.id)
    .executeTakeFirst()
  expect(restored).toEqual({ token, local_date: '2026-11-20' })
  expect(await changeBehindAnother()).toEqual(['done'])
  expect((await readState(ctx, merchant.id)).tables).toEqual(['booked'])
})

test.each([
  { when: 'a millisecond before it starts', before: 1, status: 'canceled' },
  { when: 'at the moment it starts', before: 0, status: 'booked' },
])('deleting the account $when: the reservation is $status', async ({ before, status }) => {
  const { merchant, ctx, deps, made } = await memberWithReservation([])
  clock.now = new Date(Date.parse(made.startsAt) - before)
  await deleteAccount(ctx, deps)
  expect((await readState(ctx, merchant.id)).statuses).toEqual([status])
})

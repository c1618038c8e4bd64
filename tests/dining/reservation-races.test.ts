import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { minGapMs } from '../../src/dining/reservations/rules.ts'
import {
  cancelReservation,
  holdTable,
  listReservations,
  makeReservation,
} from '../../src/dining/reservations/service.ts'
import { inTransaction, type Tx } from '../../src/platform/database/db.ts'
import type { MemberCtx } from '../../src/platform/http/context.ts'
import { addDays, HOUR, toClock } from '../../src/platform/time.ts'
import {
  countSeatings,
  createReservationHarness,
  friday,
  reservationRequest,
  resultCode,
} from '../support/reservation-harness.ts'
import { scaled } from '../support/scale.ts'

const { clock, deps, memberContext, memberContexts, harness, addMerchant } = createReservationHarness()

test('Case 7 of many diners who want the last table one gets it, and no one gets an error', async () => {
  const count = scaled({ full: 1000, short: 100 })
  const { publicId } = await addMerchant([2])
  const contexts = await memberContexts(count)
  const before = await deadlocks()
  const codes: string[] = []
  // The pool has ten connections, so fifty at a time compete as many more would. On a busy machine more would wait for
  // a connection longer than requests may.
  while (codes.length < count) {
    const some = contexts.slice(codes.length, codes.length + 50)
    codes.push(
      ...(await Promise.all(some.map((ctx) => resultCode(makeReservation(ctx, deps, reservationRequest(publicId)))))),
    )
  }
  expect(counted(codes)).toEqual({ done: 1, slotTaken: count - 1 })
  expect(await countSeatings(contexts[0] as MemberCtx, publicId)).toBe(1)
  expect(await deadlocks()).toBe(before)
})

test('a member whose account is removed during a request is signed out', async () => {
  const { publicId } = await addMerchant([2])
  const { actor, ...ctx } = await memberContext()
  const removed = { ...ctx, actor: { ...actor, memberId: 2 ** 31 - 1 } }
  expect(await resultCode(holdTable(removed, deps, reservationRequest(publicId)))).toBe('unauthorized')
})

test('Case 7 counterpart: reading before writing seats many at one table once the constraint is removed', async () => {
  const { id, publicId } = await addMerchant([2])
  const ctx = await memberContext()
  const bare = () =>
    inTransaction(ctx.db, async (tx) => {
      const taken = await tx.selectFrom('table_bookings').select('id').where('merchant_id', '=', id).execute()
      await sql`select pg_sleep(0.01)`.execute(tx)
      if (taken.length === 0) await seatBare(tx, id)
    }).catch(() => {})
  await Promise.all(Array.from({ length: 40 }, bare))
  expect(await countSeatings(ctx, publicId)).toBe(1)
  await ctx.db.deleteFrom('table_bookings').where('merchant_id', '=', id).execute()
  await withoutConstraint('table_bookings', 'one_party_per_table', async () => {
    await Promise.all(Array.from({ length: 40 }, bare))
    expect(await countSeatings(ctx, publicId)).toBeGreaterThan(1)
    await ctx.db.deleteFrom('table_bookings').where('merchant_id', '=', id).execute()
  })
})

test('Case 8 a hold that expires while it is confirmed has one winner, and both get the right result', async () => {
  const rounds = scaled({ full: 300, short: 18 })
  const { publicId } = await addMerchant([2])
  const contexts = await memberContexts(2)
  const [ada, bob] = contexts as [MemberCtx, MemberCtx]
  const ends: string[] = []
  for (let round = 0; round < rounds; round++) {
    clock.now = new Date('2026-11-18T17:00:00Z')
    const request = reservationRequest(publicId, {
      date: addDays(friday, round % 100),
      time: toClock(16 * 60 + 15 * (round % 5)),
    })
    const { token, expiresAt } = await holdTable(ada, deps, request)
    const end = Date.parse(expiresAt)
    // One of them is just before the end, the other just after it, or both are at it.
    const at =
      (by: number): MemberCtx['now'] =>
      () =>
        new Date(end + by)
    const byAda = () =>
      resultCode(makeReservation({ ...ada, now: at((round % 3) - 1) }, deps, { ...request, holdToken: token }))
    const byBob = () => resultCode(makeReservation({ ...bob, now: at(1 - (round % 3)) }, deps, request))
    // Who starts first usually wins, so they take turns.
    const isBobFirst = round % 2 === 1
    const started = await Promise.all(isBobFirst ? [byBob(), byAda()] : [byAda(), byBob()])
    const results = isBobFirst ? started.toReversed() : started
    expect(results.filter((code) => code === 'done')).toHaveLength(1)
    ends.push(results[0] === 'done' ? 'ada' : 'bob')
    for (const ctx of [ada, bob]) {
      const { upcoming } = await listReservations(ctx)
      expect(upcoming).toHaveLength(ctx === (results[0] === 'done' ? ada : bob) ? 1 : 0)
      for (const { id } of upcoming) await cancelReservation(ctx, deps, id)
    }
  }
  // Each won some of the time; otherwise nothing was raced.
  expect(new Set(ends)).toEqual(new Set(['ada', 'bob']))
})

test('Case 8 counterpart: a hold that is accepted after its end seats two parties', async () => {
  const { id } = await addMerchant([2])
  const ctx = await memberContext()
  const at = new Date('2026-11-21T00:00:00Z')
  await withoutConstraint('table_bookings', 'one_party_per_table', async () => {
    // Bob found the table free after the end of the hold; Ada's hold is booked without checking its end.
    await inTransaction(ctx.db, (tx) => seatBare(tx, id, at))
    await inTransaction(ctx.db, (tx) => seatBare(tx, id, at))
    expect(await overlapsAtTables()).toBeGreaterThan(0)
    await ctx.db.deleteFrom('table_bookings').where('merchant_id', '=', id).execute()
  })
  expect(await overlapsAtTables()).toBe(0)
})

test('Case 9 of many bookings at random times no two of a member are within two hours', async () => {
  const count = scaled({ full: 1000, short: 200 })
  const { id, publicId } = await addMerchant(Array.from({ length: 60 }, () => 4))
  const contexts = await memberContexts(40)
  const attempts = Array.from({ length: count }, (_, index) => ({
    ctx: contexts[index % contexts.length] as MemberCtx,
    time: toClock(16 * 60 + 15 * ((index * 7 + Math.floor(index / 40)) % 28)),
  }))
  const before = await deadlocks()
  const codes = await Promise.all(
    attempts.map(({ ctx, time }) => resultCode(makeReservation(ctx, deps, reservationRequest(publicId, { time })))),
  )
  expect(await clashes(contexts[0] as MemberCtx, id)).toBe(0)
  expect(counted(codes).overlap).toBeGreaterThan(100)
  expect(Object.keys(counted(codes)).toSorted()).toEqual(['done', 'overlap'])
  expect(await deadlocks()).toBe(before)
})

test('Case 9 counterpart: without lock and constraint the same attempts do conflict', async () => {
  const { id } = await addMerchant([2])
  const [ctx] = (await memberContexts(1)) as [MemberCtx]
  await withoutConstraint('reservations', 'two_hours_apart', async () => {
    const bare = (index: number) =>
      inTransaction(ctx.db, async (tx) => {
        const near = await tx.selectFrom('reservations').select('id').where('merchant_id', '=', id).execute()
        await sql`select pg_sleep(0.01)`.execute(tx)
        if (near.length > 0) return
        await sql`insert into reservations (public_id, member_id, merchant_id, provider, token, status, starts_at,
          clear_until, local_date, local_time, party_size, agreed_at, created_at, updated_at)
          values (md5(random()::text), ${ctx.actor.memberId}, ${id}, 'book', md5(random()::text), 'booked',
            ${`2026-11-21T00:${10 + index}:00Z`}, ${`2026-11-21T02:${10 + index}:00Z`}, '2026-11-20', '19:00', 2, now(), now(), now())`.execute(
          tx,
        )
      })
    await Promise.all(Array.from({ length: 20 }, (_, index) => bare(index)))
    expect(await clashes(ctx, id)).toBeGreaterThan(0)
  })
})

const counted = (codes: readonly string[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => code)).map(([code, all]) => [code, all?.length ?? 0]),
  )

async function deadlocks(): Promise<number> {
  const { rows } = await sql<{ deadlocks: number }>`
    select deadlocks from pg_stat_database where datname = current_database()`.execute(harness.pools.shared)
  return rows[0]?.deadlocks ?? 0
}

/** Drops a constraint, as the owner of the tables, while `work` runs. */
async function withoutConstraint(table: string, name: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: harness.ownerUrl })
  await client.connect()
  try {
    const found = await client.query('select pg_get_constraintdef(oid) as text from pg_constraint where conname = $1', [
      name,
    ])
    await client.query(`alter table ${table} drop constraint ${name}`)
    await work()
    if (table === 'reservations') {
      await client.query("select set_config('dineback.partner', 'skyharbor', false)")
      await client.query("update reservations set status = 'canceled'")
    }
    await client.query(`alter table ${table} add constraint ${name} ${found.rows[0].text}`)
  } finally {
    await client.end()
  }
}

/** Books the first table without a lock and without a check. */
async function seatBare(tx: Tx, merchantId: number, startsAt = new Date('2026-11-21T00:00:00Z')): Promise<void> {
  const token = randomBytes(12).toString('hex')
  await sql`insert into table_bookings (merchant_id, table_id, token, guest_hash, party_size, starts_at, ends_at, state, confirmation)
    select ${merchantId}, min(id), ${token}, ${token}, 2, ${startsAt}, ${new Date(startsAt.getTime() + HOUR)}, 'booked', ${token}
    from merchant_tables where merchant_id = ${merchantId}`.execute(tx)
}

async function overlapsAtTables(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from table_bookings a join table_bookings b on a.table_id = b.table_id and a.id < b.id
      and a.starts_at < b.ends_at and b.starts_at < a.ends_at`.execute(harness.pools.shared)
  return rows[0]?.count ?? 0
}

/** Returns the number of pairs of a member's active reservations at a restaurant that are too close in time. */
async function clashes(ctx: MemberCtx, merchantId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from reservations a join reservations b
      on a.member_id = b.member_id and a.merchant_id = b.merchant_id and a.id < b.id
      and abs(extract(epoch from a.starts_at - b.starts_at)) * 1000 < ${minGapMs}
    where a.merchant_id = ${merchantId} and a.status = 'booked' and b.status = 'booked'`.execute(ctx.db)
  return rows[0]?.count ?? 0
}

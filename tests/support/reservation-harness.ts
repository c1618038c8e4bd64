import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach } from 'vitest'
import type { ReservationDeps } from '../../src/dining/reservations/service.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Ctx, MemberCtx } from '../../src/platform/http/context.ts'
import { reconcileReservationBonus } from '../../src/rewards/awards/apply.ts'
import { setUpTestHarness } from './file-setup.ts'
import { addMerchants, merchantRecord } from './merchants.ts'
import { addMember, createTestContext, type TestHarness, type TestPartner } from './rewards-harness.ts'

let merchantCount = 0

/** Adds a restaurant in New York with tables, open every day from 16:00 to midnight. Returns its ids. */
export async function addMerchantWithTables(
  db: Db,
  { seats, over = {} }: { seats: number[]; over?: Record<string, unknown> },
): Promise<{ id: number; publicId: string; locationId: string }> {
  merchantCount++
  const record = merchantRecord({
    sourceId: `restaurant-${process.pid}-${merchantCount}`,
    name: `Dining Room ${merchantCount}`,
    address1: '1 Main Street',
    latitude: 40.7,
    longitude: -73.9,
    phone: '212-555-0123',
    joinedOn: '2026-01-01',
    reservationProvider: 'book',
    hours: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, [['16:00', '24:00']]])),
    tables: seats.map((count, index) => ({ name: `T${index + 1}`, seats: count })),
    offers: [{ type: 'Unlimited', startsOn: '2026-01-01' }],
    ...over,
  })
  await addMerchants(db, record)
  const row = await db
    .selectFrom('merchants')
    .select(['id', 'public_id as publicId', 'network_location_id as locationId'])
    .where('source_id', '=', record.sourceId)
    .executeTakeFirstOrThrow()
  return row
}

/** Returns the context of a signed-in member, in a program with reservations. */
export async function createMemberContext(
  harness: TestHarness,
  partner: TestPartner,
  clock: { now: Date },
): Promise<MemberCtx> {
  const ctx = createTestContext(harness, partner)
  return withMember(ctx, await addMember(ctx.db), clock)
}

/** Creates several such members. */
export async function createMemberContexts(
  harness: TestHarness,
  partner: TestPartner,
  clock: { now: Date },
  count: number,
): Promise<MemberCtx[]> {
  const ctx = createTestContext(harness, partner)
  const { rows } = await sql<{ id: number }>`
    insert into members (public_id, referral_code, family_id, email, first_name, last_name, zip_code)
    select md5(random()::text), md5(random()::text), md5(random()::text), md5(random()::text) || '@example.com', 'Ada', 'Lovelace', '10001'
    from generate_series(1, ${count}) returning id`.execute(ctx.db)
  return rows.map(({ id }) => withMember(ctx, id, clock))
}

function withMember(ctx: Ctx, memberId: number, clock: { now: Date }): MemberCtx {
  const config = {
    ...ctx.program.config,
    openTableReservationsEnabled: true,
    hasReservationBonus: true,
    reservationBonus: { amount: 500, type: 'miles', condition: 'Come and pay with a linked card.' },
  }
  return {
    ...ctx,
    actor: { memberId, sessionId: null, csrfToken: null, operator: null },
    program: { ...ctx.program, config, theme: ctx.program.theme ?? plainTheme },
    now: () => clock.now,
  }
}

const plain = new Proxy({}, { get: () => '#000000' })
/** A theme for emails, whose colors do not matter. */
export const plainTheme = {
  colors: { light: plain, dark: plain },
  shape: { controlRadius: 4 },
} as unknown as Ctx['program']['theme']

/**
 * Opens a database with restaurants and tables for the tests of a file; the clock starts at the same moment in each
 * test.
 */
export function createReservationHarness() {
  const clock = { now: new Date() }
  const deps: ReservationDeps = {
    http: null,
    guestKey: randomBytes(32),
    origin: (partner) => `http://${partner}.localhost:3000`,
    settleBonus: reconcileReservationBonus,
  }
  const harness = setUpTestHarness()
  beforeEach(() => {
    clock.now = new Date('2026-11-18T17:00:00Z')
  })
  const memberContext = (partner: 'skyharbor' | 'gallonaire' = 'skyharbor') =>
    createMemberContext(harness, partner, clock)
  return {
    clock,
    deps,
    memberContext,
    memberContexts: (count: number) => createMemberContexts(harness, 'skyharbor', clock, count),
    harness,
    async addMerchant(seats: number[], over: Record<string, unknown> = {}) {
      const ctx = await memberContext()
      return addMerchantWithTables(ctx.db, { seats, over })
    },
  }
}

export const friday = '2026-11-20'

/** Returns a request for a table for two on that Friday. */
export const reservationRequest = (
  merchantId: string,
  over: Partial<{ date: string; time: string; partySize: number }> = {},
) => ({
  merchantId,
  date: friday,
  time: '19:00',
  partySize: 2,
  ...over,
})

/** Returns `done`, or the error code. */
export const resultCode = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof ApiError) return error.code
      throw error
    },
  )

/** Returns how many parties have a table at a restaurant. */
export async function countSeatings(ctx: Ctx, publicId: string): Promise<number> {
  const rows = await ctx.db
    .selectFrom('table_bookings')
    .innerJoin('merchants', 'merchants.id', 'table_bookings.merchant_id')
    .select('table_bookings.id')
    .where('merchants.public_id', '=', publicId)
    .execute()
  return rows.length
}

import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { describe, expect, test, vi } from 'vitest'
import {
  cancelReservation,
  changeReservation,
  closeReservations,
  listReservations,
  makeReservation,
  type ReservationDeps,
} from '../../src/dining/reservations/service.ts'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { ApiError } from '../../src/platform/errors.ts'
import type { Ctx, MemberCtx } from '../../src/platform/http/context.ts'
import { HOUR, MINUTE, toInstant } from '../../src/platform/time.ts'
import { computeEarnQuote } from '../../src/rewards/activity/earn-quote.ts'
import { reconcileReservationBonus } from '../../src/rewards/awards/apply.ts'
import { readDineSummary } from '../../src/rewards/awards/dining-progress.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addMerchantWithTables, createMemberContext } from '../support/reservation-harness.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, findLedgerViolations, receiveEvent, type TestCard } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()

const deps: ReservationDeps = {
  http: null,
  guestKey: randomBytes(32),
  origin: (partner) => `http://${partner}.localhost:3000`,
  settleBonus: reconcileReservationBonus,
}
const bonus = 500
/** Five in the afternoon of a Friday in New York. */
const friday = new Date('2026-11-20T22:00:00Z')
const dates = ['2026-11-20', '2026-11-21'] as const

interface Visit {
  id: string
  at: Date
  refunded: boolean
  cleared: boolean
}

interface ActiveReservation {
  date: string
  startsAt: Date
  /** When this time was agreed on. */
  since: Date
}

/** A member at one restaurant, with an independent model of what happened there. */
async function createFixture(merchant: { publicId: string; locationId: string }) {
  const clock = { now: friday }
  const ctx = await createMemberContext(harness, 'skyharbor', clock)
  const memberId = ctx.actor.memberId as number
  const card = await addCard(ctx.db, memberId)
  return {
    ctx,
    memberId,
    card,
    clock,
    merchant,
    active: new Map<string, ActiveReservation>(),
    visits: [] as Visit[],
    ids: [] as string[],
  }
}
type Fixture = Awaited<ReturnType<typeof createFixture>>

const bookedTime = ({ date, startsAt }: { date: string; startsAt: string }) => ({ date, startsAt: new Date(startsAt) })

const unlessRejected = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

let messages = 0
async function send(
  { ctx, card, merchant }: { ctx: Ctx; card: TestCard; merchant: Fixture['merchant'] },
  name: 'auth' | 'clearing' | 'refund',
  visit: Visit,
): Promise<void> {
  messages++
  const isRefund = name === 'refund'
  await receiveEvent(
    ctx,
    feedEvent(`transaction.${name}`, {
      id: isRefund ? `${visit.id}-refund` : visit.id,
      ...(isRefund && { originalTransactionId: visit.id }),
      programId: 'skyharbor',
      datetime: visit.at.toISOString(),
      created: visit.at.toISOString(),
      updated: new Date(visit.at.getTime() + messages * 1000).toISOString(),
      amount: isRefund ? '-50.00' : '50.00',
      card: { id: card.token, lastNumbers: card.lastFour },
      location: { id: merchant.locationId },
    }),
  )
}

type Act =
  | { act: 'book'; date: number; hour: number }
  | { act: 'change'; which: number; date: number; hour: number; partySize?: number }
  | { act: 'cancel'; which: number }
  | { act: 'dine' }
  | { act: 'authorize' }
  | { act: 'clear'; which: number }
  | { act: 'refund'; which: number }
  | { act: 'wait'; hours: number }

const requestFor = (fixture: Fixture, request: { date: number; hour: number; partySize?: number }) => ({
  date: dates[request.date % 2] as string,
  time: `${16 + request.hour}:00`,
  partySize: request.partySize ?? 2,
  merchantId: fixture.merchant.publicId,
})

async function visitNow(fixture: Fixture): Promise<Visit> {
  const visit = { id: randomBytes(8).toString('hex'), at: fixture.clock.now, refunded: false, cleared: false }
  fixture.visits.push(visit)
  await send(fixture, 'auth', visit)
  return visit
}

async function clearVisit(fixture: Fixture, visit: Visit): Promise<void> {
  await send(fixture, 'clearing', visit)
  visit.cleared = true
}

async function perform(fixture: Fixture, act: Act): Promise<void> {
  const { ctx, clock, active, visits, ids } = fixture
  const at = <T>(list: readonly T[], which: number): T | undefined => list[which % Math.max(1, list.length)]
  if (act.act === 'wait') clock.now = new Date(clock.now.getTime() + act.hours * HOUR)
  else if (act.act === 'book') {
    const made = await unlessRejected(makeReservation(ctx, deps, requestFor(fixture, act)))
    if (!made || active.has(made.id)) return
    ids.push(made.id)
    active.set(made.id, { ...bookedTime(made), since: clock.now })
  } else if (act.act === 'change') {
    const id = at(ids, act.which)
    const { merchantId: _, ...when } = requestFor(fixture, act)
    const changed = id && (await unlessRejected(changeReservation(ctx, deps, id, when)))
    const before = id ? active.get(id) : undefined
    if (!changed || !before) return
    const booked = bookedTime(changed)
    const isSameTime = before.startsAt.getTime() === booked.startsAt.getTime()
    active.set(id, { ...booked, since: isSameTime ? before.since : clock.now })
  } else if (act.act === 'cancel') {
    const id = at(ids, act.which)
    if (id && (await unlessRejected(cancelReservation(ctx, deps, id)))) active.delete(id)
  } else if (act.act === 'dine') await clearVisit(fixture, await visitNow(fixture))
  else if (act.act === 'authorize') await visitNow(fixture)
  else {
    const visit = at(visits, act.which)
    if (visit && act.act === 'clear') await clearVisit(fixture, visit)
    if (visit && act.act === 'refund' && visit.cleared) {
      await send(fixture, 'refund', visit)
      visit.refunded = true
    }
  }
}

/**
 * Returns the evenings on which an active reservation was followed by an unrefunded dine, at most two hours from its
 * time.
 */
function honoredDates({ active, visits }: Fixture): Set<string> {
  const cleared = visits.filter(({ cleared, refunded }) => cleared && !refunded)
  const honored = [...active.values()].filter(({ startsAt, since }) =>
    cleared.some(({ at }) => Math.abs(at.getTime() - startsAt.getTime()) <= 2 * HOUR && at >= since),
  )
  return new Set(honored.map(({ date }) => date))
}

async function sumBonuses({ ctx, memberId }: Fixture): Promise<number> {
  const { rows } = await sql<{ sum: number }>`
    select coalesce(sum(p.amount), 0)::bigint as sum from postings p join journal_entries j on j.id = p.journal_entry_id
    where p.member_id = ${memberId} and j.source_id like 'reservation:%'`.execute(ctx.db)
  return rows[0]?.sum ?? 0
}

async function expectHonest(fixture: Fixture): Promise<void> {
  const granted = await sumBonuses(fixture)
  expect(granted / bonus).toBeLessThanOrEqual(honoredDates(fixture).size)
  expect(granted / bonus).toBe(honoredDates(fixture).size)
  const shown = await readDineSummary(fixture.ctx, fixture.memberId)
  expect(shown.currentYearBenefits).toBe(await getBalance(fixture.ctx.db, fixture.memberId, 'mile'))
}

const which = fc.nat({ max: 3 })
const hour = fc.nat({ max: 7 })
const date = fc.nat({ max: 1 })
const acts = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ act: fc.constant('book' as const), date, hour }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('change' as const), which, date, hour }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('cancel' as const), which }) },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('dine' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('authorize' as const) }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('clear' as const), which }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('refund' as const), which }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 4 }) }) },
  ),
  { minLength: 3, maxLength: 14 },
)

test('Case 70 RESV-003 no order of booking, changing, canceling, dining and refunding earns more than one bonus for each evening that was booked and dined', async () => {
  const runs = scaled({ full: 400, short: 12 })
  await fc.assert(
    fc.asyncProperty(acts, async (script: Act[]) => {
      const ctx = await createMemberContext(harness, 'skyharbor', { now: friday })
      const fixture = await createFixture(await addMerchantWithTables(ctx.db, { seats: [2, 2, 2, 2] }))
      for (const act of script) {
        await perform(fixture, act)
        await expectHonest(fixture)
      }
    }),
    { numRuns: runs, seed: Number(process.env.SEED ?? 20261122) },
  )
  expect(await findLedgerViolations(harness.pools.forPartner('skyharbor'))).toEqual([])
})

describe('the reservation bonus', () => {
  const newFixture = async (over: Parameters<typeof addMerchantWithTables>[1]['over'] = {}) => {
    const ctx = await createMemberContext(harness, 'skyharbor', { now: friday })
    return createFixture(await addMerchantWithTables(ctx.db, { seats: [2, 2, 2, 2], over }))
  }
  const allDay = Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, [['00:00', '24:00']]]))
  const run = async (fixture: Fixture, ...script: Act[]) => {
    for (const act of script) await perform(fixture, act)
  }

  test('RESV-003 BON-029 is told once, is reversed with a canceled reservation, and booking the same evening again after the dine pays nothing', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'wait', hours: 1 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    const announced: unknown[] = []
    const listener = new pg.Client({ connectionString: harness.url })
    listener.on('notification', ({ payload = '' }) => announced.push(JSON.parse(payload)))
    await listener.connect()
    try {
      await listener.query('listen member_activity')
      await run(fixture, { act: 'cancel', which: 0 })
      expect(await sumBonuses(fixture)).toBe(0)
      // The member's open pages show it at once.
      const own = { partner: 'skyharbor', members: [fixture.memberId] }
      await vi.waitFor(() => expect(announced).toEqual([own]), 20_000)
    } finally {
      await listener.end()
    }
    await run(fixture, { act: 'wait', hours: 1 }, { act: 'book', date: 0, hour: 3 })
    expect(await sumBonuses(fixture)).toBe(0)
    const { rows } = await sql<{ channel: string; variant: string; benefit: string }>`
      select channel, params ->> 'variant' as variant, params ->> 'benefit' as benefit from notifications
      where member_id = ${fixture.memberId} and topic = 'bonusEarned'`.execute(fixture.ctx.db)
    expect(rows).toEqual([{ channel: 'email', variant: 'reserved', benefit: '500 miles' }])
    // A repeated message about the earlier dine changes nothing.
    await run(fixture, { act: 'clear', which: 0 })
    expect(await sumBonuses(fixture)).toBe(0)
    expect(await findLedgerViolations(fixture.ctx.db)).toEqual([])
  })

  test('RESV-003 is reversed when the account is closed before the reserved time, and stays after it', async () => {
    const [early, late] = [await newFixture(), await newFixture()]
    for (const fixture of [early, late]) {
      await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'wait', hours: 1 }, { act: 'dine' })
      expect(await sumBonuses(fixture)).toBe(bonus)
    }
    await run(late, { act: 'wait', hours: 2 })
    for (const { ctx, memberId } of [early, late])
      await inTransaction(ctx.db, async (tx) => {
        await lockMember(tx, memberId)
        await closeReservations(tx, ctx, deps, memberId)
      })
    expect([await sumBonuses(early), await sumBonuses(late)]).toEqual([0, bonus])
  })

  test('RESV-003 is earned by a dine that follows the second booking of an evening whose first was canceled', async () => {
    const fixture = await newFixture()
    await run(
      fixture,
      { act: 'book', date: 0, hour: 3 },
      { act: 'cancel', which: 0 },
      { act: 'book', date: 0, hour: 4 },
    )
    await run(fixture, { act: 'wait', hours: 2 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
  })

  test('RESV-003 two tables of one evening earn one bonus, whichever was not canceled', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'book', date: 0, hour: 5 }, { act: 'wait', hours: 2 })
    await run(fixture, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    await run(fixture, { act: 'cancel', which: 1 })
    expect(await sumBonuses(fixture)).toBe(bonus)
    const second = await newFixture()
    await run(second, { act: 'book', date: 0, hour: 3 }, { act: 'book', date: 0, hour: 6 }, { act: 'wait', hours: 4 })
    await run(second, { act: 'dine' })
    expect(await sumBonuses(second)).toBe(bonus)
    await run(second, { act: 'cancel', which: 1 })
    expect(await sumBonuses(second)).toBe(bonus)
  })

  test('RESV-003 is reversed when the reservation moves to another time, and stays when only its party size changes', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'wait', hours: 1 }, { act: 'dine' })
    // The dine was within two hours of the new time, but before that was agreed on.
    fixture.clock.now = new Date(fixture.clock.now.getTime() + 5 * MINUTE)
    await run(fixture, { act: 'change', which: 0, date: 0, hour: 3, partySize: 1 })
    expect(await sumBonuses(fixture)).toBe(bonus)
    await run(fixture, { act: 'change', which: 0, date: 0, hour: 4 })
    expect(await sumBonuses(fixture)).toBe(0)
    await run(fixture, { act: 'change', which: 0, date: 1, hour: 3 })
    await run(fixture, { act: 'wait', hours: 24 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
  })

  test('RESV-003 stays as agreed at the booking when its program gives none any more and only the party size changes', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'wait', hours: 1 }, { act: 'dine' })
    const { ctx } = fixture
    const program = { ...ctx.program, config: { ...ctx.program.config, hasReservationBonus: false } }
    const time = { date: '2026-11-20', time: '19:00' }
    const { bonus: agreed } = await changeReservation({ ...ctx, program }, deps, fixture.ids[0] ?? '', {
      ...time,
      partySize: 1,
    })
    expect(agreed).not.toBeNull()
    expect(await sumBonuses(fixture)).toBe(bonus)
  })

  test('Case 118 RESV-003 stays with its own table when another of that evening, booked before its program gave any, comes first', async () => {
    const fixture = await newFixture()
    const { ctx } = fixture
    const program = { ...ctx.program, config: { ...ctx.program.config, hasReservationBonus: false } }
    await run({ ...fixture, ctx: { ...ctx, program } }, { act: 'book', date: 0, hour: 3 })
    await run(fixture, { act: 'book', date: 0, hour: 5 })
    expect(fixture.ids).toHaveLength(2)
    await run(fixture, { act: 'wait', hours: 2 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    const second = requestFor(fixture, { date: 0, hour: 5, partySize: 1 })
    await changeReservation(ctx, deps, fixture.ids[1] as string, second)
    expect(await sumBonuses(fixture)).toBe(bonus)
    expect(await findLedgerViolations(ctx.db)).toEqual([])
  })

  test('HIST-057 a reservation says that its bonus is earned as soon as it is, and no longer once it is reversed', async () => {
    const fixture = await newFixture()
    const ctx = fixture.ctx as MemberCtx
    const earned = async () => (await listReservations(ctx)).upcoming.map(({ bonusEarned }) => bonusEarned)
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'wait', hours: 1 })
    expect(await earned()).toEqual([false])
    await run(fixture, { act: 'dine' })
    expect(await earned()).toEqual([true])
    await run(fixture, { act: 'refund', which: 0 })
    expect(await earned()).toEqual([false])
  })

  test('RESV-003 passes to the other table of the evening when its reservation moves weeks away', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'book', date: 0, hour: 5 }, { act: 'wait', hours: 2 })
    await run(fixture, { act: 'dine' })
    const { rows } = await sql<{ id: string }>`
      select replace(source_id, 'reservation:', '') as id from journal_entries
      where source_id = any(${fixture.ids.map((id) => `reservation:${id}`)})`.execute(fixture.ctx.db)
    expect(rows).toHaveLength(1)
    fixture.clock.now = new Date(fixture.clock.now.getTime() - 2 * MINUTE)
    await changeReservation(fixture.ctx, deps, rows[0]?.id ?? '', { date: '2026-12-04', time: '19:00', partySize: 2 })
    expect(await sumBonuses(fixture)).toBe(bonus)
  })

  test('RESV-003 is not earned by booking after the dine, or by moving a reservation to an evening with an earlier dine', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'dine' }, { act: 'wait', hours: 1 }, { act: 'book', date: 0, hour: 4 })
    await run(fixture, { act: 'clear', which: 0 })
    expect(await sumBonuses(fixture)).toBe(0)
    const mover = await newFixture()
    await run(mover, { act: 'book', date: 1, hour: 3 }, { act: 'dine' }, { act: 'wait', hours: 1 })
    await run(mover, { act: 'change', which: 0, date: 0, hour: 5 }, { act: 'clear', which: 0 })
    expect(await sumBonuses(mover)).toBe(0)
  })

  test('RESV-003 stays while one of two dines of the evening is not refunded', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'dine' }, { act: 'wait', hours: 1 }, { act: 'dine' })
    await run(fixture, { act: 'refund', which: 1 })
    expect(await sumBonuses(fixture)).toBe(bonus)
    await run(fixture, { act: 'refund', which: 0 })
    expect(await sumBonuses(fixture)).toBe(0)
  })

  test('RESV-003 is reversed when a later message moves its dine to another restaurant, and granted again when it returns', async () => {
    const fixture = await newFixture()
    await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    const elsewhere = await addMerchantWithTables(fixture.ctx.db, { seats: [2] })
    await send({ ...fixture, merchant: elsewhere }, 'clearing', fixture.visits[0] as Visit)
    expect(await sumBonuses(fixture)).toBe(0)
    await send(fixture, 'clearing', fixture.visits[0] as Visit)
    expect(await sumBonuses(fixture)).toBe(bonus)
    expect(await findLedgerViolations(fixture.ctx.db)).toEqual([])
  })

  test('Case 70 a dine that clears while its reservation is canceled leaves no bonus, in either order', async () => {
    for (let round = 0; round < scaled({ full: 50, short: 5 }); round++) {
      const fixture = await newFixture()
      await run(fixture, { act: 'book', date: 0, hour: 3 }, { act: 'authorize' })
      await Promise.all([
        send(fixture, 'clearing', fixture.visits[0] as Visit),
        cancelReservation(fixture.ctx, deps, fixture.ids[0] as string),
      ])
      expect(await sumBonuses(fixture)).toBe(0)
    }
  })

  test.each([
    { timeZone: 'America/New_York', minutes: -121, granted: 0 },
    { timeZone: 'America/New_York', minutes: -120, granted: bonus },
    { timeZone: 'America/New_York', minutes: 120, granted: bonus },
    { timeZone: 'America/New_York', minutes: 121, granted: 0 },
    { timeZone: 'America/Los_Angeles', minutes: -121, granted: 0 },
    { timeZone: 'America/Los_Angeles', minutes: -120, granted: bonus },
    { timeZone: 'America/Los_Angeles', minutes: 120, granted: bonus },
    { timeZone: 'America/Los_Angeles', minutes: 121, granted: 0 },
  ])(
    'RESV-003 a card authorized $minutes minutes from a table at 20:00 in $timeZone earns $granted',
    async (example) => {
      const { timeZone, minutes, granted } = example
      const ctx = await createMemberContext(harness, 'skyharbor', { now: friday })
      const fixture = await createFixture(await addMerchantWithTables(ctx.db, { seats: [2], over: { timeZone } }))
      await run(fixture, { act: 'book', date: 0, hour: 4 })
      const startsAt = toInstant(dates[0], 20 * 60, timeZone) as Date
      fixture.clock.now = new Date(startsAt.getTime() + minutes * MINUTE)
      const visit = await visitNow(fixture)
      // The charge comes a day later: the time of the authorization counts.
      await send(fixture, 'clearing', { ...visit, at: new Date(visit.at.getTime() + 24 * HOUR) })
      expect(await sumBonuses(fixture)).toBe(granted)
    },
  )

  test('RESV-003 one dine counts for one reservation, also where two evenings meet at midnight', async () => {
    const fixture = await newFixture({ hours: allDay })
    const request = { merchantId: fixture.merchant.publicId, partySize: 2 }
    await makeReservation(fixture.ctx, deps, { ...request, date: dates[0], time: '23:00' })
    await makeReservation(fixture.ctx, deps, { ...request, date: dates[1], time: '01:00' })
    fixture.clock.now = toInstant(dates[1], 0, 'America/New_York') as Date
    await run(fixture, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    await run(fixture, { act: 'wait', hours: 2 }, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(2 * bonus)
  })

  test('RESV-003 a quote adds the bonus of a reservation of that day, or of one that the given time is in time for', async () => {
    const { ctx, merchant } = await newFixture()
    const request = { merchantId: merchant.publicId, partySize: 2 }
    await makeReservation(ctx, deps, { ...request, date: dates[0], time: '20:00' })
    const quoted = async (over: { date?: string; time?: string }) =>
      (await computeEarnQuote(ctx, { merchantId: merchant.publicId, amount: '60', ...over })).bonus
    expect(await quoted({ date: dates[0] })).toBe(bonus)
    expect(await quoted({ date: dates[1] })).toBe(0)
    const times = ['17:59', '18:00', '22:00', '22:01']
    const found = []
    for (const time of times) found.push(await quoted({ date: dates[0], time }))
    expect(found).toEqual([0, bonus, bonus, 0])
  })

  test('RESV-003 a quote for a time near midnight adds the bonus of a reservation on the other side of it', async () => {
    const { ctx, merchant } = await newFixture({ hours: allDay })
    const request = { merchantId: merchant.publicId, partySize: 2 }
    await makeReservation(ctx, deps, { ...request, date: dates[0], time: '23:00' })
    await makeReservation(ctx, deps, { ...request, date: '2026-11-22', time: '01:00' })
    const quoted = async (date: string, time: string) =>
      (await computeEarnQuote(ctx, { merchantId: merchant.publicId, amount: '60', date, time })).bonus
    expect([await quoted(dates[1], '01:00'), await quoted(dates[1], '01:01')]).toEqual([bonus, 0])
    expect([await quoted(dates[1], '23:00'), await quoted(dates[1], '22:59')]).toEqual([bonus, 0])
  })

  test('RESV-003 a table booked within a minute before the card was charged counts, because networks send no seconds', async () => {
    const fixture = await newFixture()
    fixture.clock.now = new Date(friday.getTime() + 40_000)
    await run(fixture, { act: 'book', date: 0, hour: 3 })
    fixture.clock.now = friday
    await run(fixture, { act: 'dine' })
    expect(await sumBonuses(fixture)).toBe(bonus)
    const late = await newFixture()
    late.clock.now = new Date(friday.getTime() + MINUTE)
    await run(late, { act: 'book', date: 0, hour: 3 })
    late.clock.now = friday
    await run(late, { act: 'dine' })
    expect(await sumBonuses(late)).toBe(0)
  })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTransactionsAndCredits } from '../../src/rewards/activity/read-activity.ts'
import { getDiningProgress, readYears } from '../../src/rewards/awards/dining-progress.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()

const zones = [
  'Pacific/Pago_Pago',
  'Pacific/Honolulu',
  'America/Anchorage',
  'America/Los_Angeles',
  'America/Phoenix',
  'America/Denver',
  'America/Chicago',
  'America/New_York',
  'America/Puerto_Rico',
  'Pacific/Guam',
] as const

/** The calendar of the browser and the operating system, which the code under test does not use. */
const localDay = (at: Date, timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at)

/** Creates a member with a card whose meals are reported at restaurants in these time zones. */
async function diner(partner: TestPartner = 'skyharbor') {
  const plain = createTestContext(harness, partner)
  const memberId = await addMember(plain.db)
  const card = await addCard(plain.db, memberId, { linkedAt: new Date('2024-01-02T12:00:00Z') })
  const places = new Map<string, { locationId: string }>()
  const dine = async (at: string | Date, timeZone: string, { amount = '100.00', now = new Date(at) } = {}) => {
    const place = places.get(timeZone) ?? (await addMerchant(plain.db, { timeZone, joinedOn: '2024-01-01' }))
    places.set(timeZone, place)
    const datetime = new Date(at).toISOString()
    const over = { id: randomUUID(), programId: partner, amount, datetime, created: datetime, updated: datetime }
    return receiveEvent(
      { ...plain, now: () => now },
      feedEvent('transaction.clearing', {
        ...over,
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: place.locationId },
      }),
    )
  }
  const dinesIn = async (year: number) => (await readYears(plain.db, [memberId], year)).get(memberId)?.dines ?? 0
  return { ctx: plain, memberId, dine, dinesIn }
}

test.each([
  ['4:30 PM in Denver', '2026-12-31T23:30:00Z', 'America/Denver'],
  ['5:30 PM in Denver', '2027-01-01T00:30:00Z', 'America/Denver'],
  ['11:30 PM in Honolulu', '2027-01-01T09:30:00Z', 'Pacific/Honolulu'],
  ['11:30 PM in New York', '2027-01-01T04:30:00Z', 'America/New_York'],
])('HIST-045 a dine on New Year’s Eve at %s counts for the old year', async (_, at, timeZone) => {
  const { dine, dinesIn } = await diner()
  await dine(at, timeZone)
  expect([await dinesIn(2026), await dinesIn(2027)]).toEqual([1, 0])
})

test('HIST-045 a dine on New Year’s Day in Guam counts for the new year while it is still the old one elsewhere', async () => {
  const { dine, dinesIn } = await diner()
  await dine('2026-12-31T15:00:00Z', 'Pacific/Guam')
  expect([await dinesIn(2026), await dinesIn(2027)]).toEqual([0, 1])
})

test('HIST-045 in every time zone, a dine around New Year, a month end or a change of the clocks counts on its local day', async () => {
  const moment = fc
    .record({
      around: fc.constantFrom('2027-01-01', '2026-03-08', '2026-11-01', '2026-02-28', '2026-07-31', '2027-03-14'),
      minutes: fc.integer({ min: -36 * 60, max: 36 * 60 }),
    })
    .map(({ around, minutes }) => new Date(Date.parse(`${around}T00:00:00Z`) + minutes * 60_000))
  const dines = fc.array(fc.record({ at: moment, timeZone: fc.constantFrom(...zones) }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(dines, async (list) => {
      const { ctx, memberId, dine, dinesIn } = await diner('beacon')
      for (const { at, timeZone } of list) await dine(at, timeZone)
      const days = new Set(list.map(({ at, timeZone }) => `${localDay(at, timeZone)} ${timeZone}`))
      const of = (year: string) => [...days].filter((day) => day.startsWith(year)).length
      expect([await dinesIn(2026), await dinesIn(2027)]).toEqual([of('2026'), of('2027')])
      const now = () => new Date('2027-04-01T00:00:00Z')
      const page = { pageNo: 1, resultsPerPage: 50 }
      const shown = await readTransactionsAndCredits({ ...ctx, now }, memberId, page)
      const dates = shown.data.flatMap((entry) =>
        entry.kind === 'transaction' && entry.transactionTypeCode === 'S' ? [entry.date] : [],
      )
      const expected = list
        .filter(({ at }) => at >= new Date('2026-04-01T00:00:00Z'))
        .map(({ at, timeZone }) => localDay(at, timeZone))
      expect(dates.toSorted()).toEqual(expected.toSorted())
      for (const [month, count] of Map.groupBy(dates, (date) => date.slice(0, 7))) {
        const filtered = await readTransactionsAndCredits({ ...ctx, now }, memberId, { ...page, period: month })
        const rows = filtered.data.filter((entry) => entry.kind === 'transaction' && entry.transactionTypeCode === 'S')
        expect([month, rows.length]).toEqual([month, count.length])
      }
    }),
    { numRuns: scaled({ full: 60, short: 12 }) },
  )
})

test('HIST-045 the year of a member’s progress is that of the program’s own calendar', async () => {
  const { ctx, memberId, dine } = await diner()
  await dine('2026-12-20T00:00:00Z', 'America/New_York')
  const remainingAt = async (now: string) =>
    (await getDiningProgress(ctx.db, memberId, ctx.program.config, new Date(now))).remainingDines
  // Midnight in New York is five hours later than in UTC.
  expect([await remainingAt('2027-01-01T04:59:00Z'), await remainingAt('2027-01-01T05:00:00Z')]).toEqual([10, 11])
})

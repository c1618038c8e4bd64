import { afterEach, expect, test, vi } from 'vitest'
import { readObject } from '../../../platform/files/read-rows.ts'
import { merchantColumns } from './columns.ts'
import { toRecord as convert, type ImportDefaults } from './to-record.ts'

const toRecord = (value: object, defaults: ImportDefaults) => convert(readObject(1, value, merchantColumns), defaults)

afterEach(() => {
  vi.useRealTimers()
})

const row = { id: '1', name: 'Kumo', lat: 40.75, lng: -73.99, city: 'New York', state: 'NY' }
const defaults = { source: 'test', participating: false, joinedOn: '2026-01-01' }

test('a restaurant may have joined up to tomorrow, because it is tomorrow already elsewhere', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T12:00:00Z') })
  const read = (joinedOn: string) => toRecord({ ...row, joinedOn }, defaults)
  expect(read('2026-03-11')).toMatchObject({ record: { joinedOn: '2026-03-11' } })
  expect(read('2026-03-12')).toEqual({ problems: [{ column: 'joinedOn', text: '“2026-03-12” lies in the future.' }] })
})

test.each([
  ['offerMaxSpendCents', 'maxSpendCents'],
  ['offerMaxVisitsPerMonth', 'maxVisitsPerMonth'],
  ['offerMaxMonthlySpendCents', 'maxMonthlySpendCents'],
])('an offer whose only limit is in %s is Limited without saying so', (column, field) => {
  const { record } = toRecord({ ...row, [column]: '5000' }, defaults) as { record: { offers: unknown[] } }
  expect(record.offers).toEqual([expect.objectContaining({ type: 'Limited', [field]: 5000 })])
})

test('an offer with a minimum, a rate or days is Unlimited: these limit no reward', () => {
  const given = { offerMinSpendCents: '1000', offerRatePercent: '150', offerDays: 'mon;tue' }
  const { record } = toRecord({ ...row, ...given }, defaults) as { record: { offers: unknown[] } }
  expect(record.offers).toEqual([expect.objectContaining({ type: 'Unlimited' })])
})

test('an offer starts on its own day, or else on the day that the restaurant joined', () => {
  const startOf = (given: object) =>
    (toRecord({ ...row, offerDays: 'mon', ...given }, defaults) as { record: { offers: { startsOn: string }[] } })
      .record.offers[0]?.startsOn
  expect(startOf({ offerStartsOn: '2026-02-03' })).toBe('2026-02-03')
  expect([startOf({ joinedOn: '2025-05-06' }), startOf({})]).toEqual(['2025-05-06', '2026-01-01'])
})

test('a row’s own time zone is stored, and without one that of its place', () => {
  const zoneOf = (over: object) => (toRecord({ ...row, ...over }, defaults) as { record: { timeZone: string } }).record
  expect(zoneOf({ timeZone: 'America/Denver' }).timeZone).toBe('America/Denver')
  expect(zoneOf({}).timeZone).toBe('America/New_York')
})

test('an offer with one of its times lasts from midnight or to the last minute of the day', () => {
  const hoursOf = (times: object) =>
    (toRecord({ ...row, ...times }, defaults) as { record: { offers: { hours: unknown }[] } }).record.offers[0]?.hours
  expect(hoursOf({ offerFrom: '17:30' })).toEqual({ from: '17:30', until: '23:59' })
  expect(hoursOf({ offerUntil: '11:15' })).toEqual({ from: '00:00', until: '11:15' })
  expect(hoursOf({ offerFrom: '17:30', offerUntil: '11:15' })).toEqual({ from: '17:30', until: '11:15' })
})

test('lists may have spaces and days capitals, an id may be a number, and takeout a text', () => {
  const { record } = toRecord(
    { ...row, id: 7, features: ' dineIn ; delivery ', offerDays: 'Mon; TUE ;3', takeout: 'true' },
    defaults,
  ) as { record: { sourceId: string; features: string[]; offers: { days: number[] }[] } }
  expect([record.sourceId, record.features, record.offers[0]?.days]).toEqual([
    '7',
    ['dineIn', 'delivery', 'takeout'],
    [1, 2, 3],
  ])
  expect(toRecord({ ...row, features: ['dineIn'], takeout: 'false' }, defaults)).toMatchObject({
    record: { features: ['dineIn'] },
  })
})

test('columns may have the names of public lists, and numbers and flags may be texts', () => {
  const { lat: _lat, lng: _lng, ...place } = row
  const read = (over: object) => toRecord({ ...place, ...over }, { ...defaults, participating: true })
  const at = { latitude: 40.75, longitude: -73.99 }
  for (const names of [
    { lat: '40.75', lon: '-73.99' },
    { lat: 40.75, lng: -73.99 },
    { latitude: '40.75', longitude: '-73.99' },
  ])
    expect(read(names)).toMatchObject({ record: { ...at, participating: true } })
  for (const [column, value, field] of [
    ['zip', '10001', 'zipCode'],
    ['postcode', '10001', 'zipCode'],
    ['address', '1 Main Street', 'address1'],
    ['street', '1 Main Street', 'address1'],
  ] as const)
    expect(read({ ...at, [column]: value })).toMatchObject({ record: { [field]: value } })
  const texts = { cuisine: 'Thai; Pizza', priceRange: '2', acclaimedLevel: '1', participating: 'false' }
  expect(read({ ...at, ...texts })).toMatchObject({
    record: { cuisines: ['Thai', 'Pizza'], priceRange: 2, acclaimedLevel: 1, participating: false },
  })
  expect(toRecord({ ...row, participating: 'true' }, defaults)).toMatchObject({ record: { participating: true } })
  expect(read({ ...at, participating: 'maybe' })).toEqual({
    problems: [{ column: 'participating', text: '“maybe” is neither true nor false.' }],
  })
})

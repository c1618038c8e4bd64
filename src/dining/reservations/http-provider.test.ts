import { expect, test, vi } from 'vitest'
import { httpProvider } from './http-provider.ts'

const restaurant = {
  id: 1,
  reservationRef: 'kumo',
  timeZone: 'America/New_York',
  hours: Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((day) => [day, [['18:00', '22:00']]])) as never,
}
const guest = { key: 'guest', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
const booking = { startsAt: new Date('2026-11-21T00:00:00Z'), partySize: 2, guest, token: 'token' }
const now = new Date('2026-11-20T12:00:00Z')
const slot = {
  merchant_id: 'kumo',
  service_id: 'reservation',
  start_sec: 1_795_219_200,
  // An hour and a half.
  duration_sec: 5400,
  resources: { party_size: 2 },
}

/** A provider whose server responds as given, in order; records the calls. */
function providerOf(...responses: (object | number | Error)[]) {
  const calls: [string, unknown][] = []
  const fetch = async (url: string, init: { body: string; headers: Record<string, string> }) => {
    expect(init.headers.authorization).toBe(`Basic ${Buffer.from('name:secret').toString('base64')}`)
    calls.push([url, JSON.parse(init.body)])
    const response = responses.shift()
    if (response instanceof Error) throw response
    return typeof response === 'number'
      ? new Response('busy', { status: response })
      : new Response(JSON.stringify(response), { status: 200 })
  }
  const provider = httpProvider({
    url: 'http://booking.example',
    credentials: 'name:secret',
    fetch: fetch as unknown as typeof globalThis.fetch,
  })
  return { provider, calls }
}

const failure = (cause: string) => ({ booking_failure: { cause } })
const booked = (id = 'b1', status = 'CONFIRMED') => ({ booking: { booking_id: id, status } })

test.each([
  ['SLOT_UNAVAILABLE', 'slotTaken'],
  ['LEASE_EXPIRED', 'holdExpired'],
  ['SLOT_ALREADY_BOOKED_BY_USER', 'overlap'],
  ['OVERLAPPING_RESERVATION', 'overlap'],
  ['USER_OVER_QUOTA', 'fraud'],
])('a hold, a booking and a change that fail with %s throw %s', async (cause, code) => {
  const { provider } = providerOf(failure(cause), failure(cause), failure(cause))
  await expect(provider.hold(restaurant, booking, now)).rejects.toMatchObject({ code })
  await expect(provider.book(restaurant, booking, now)).rejects.toMatchObject({ code })
  const instead = { token: 'before', confirmation: 'b0' }
  await expect(provider.book(restaurant, { ...booking, instead }, now)).rejects.toMatchObject({ code })
})

test('a cause that a member cannot solve, an empty response and an error of the server are other errors', async () => {
  const { provider } = providerOf(failure('PAYMENT_ERROR'), {}, 500, { other: 1 }, new TypeError('fetch failed'))
  for (const message of [/PAYMENT_ERROR/, /an empty response/, /CreateBooking returned 500/])
    await expect(provider.book(restaurant, booking, now)).rejects.toThrow(message)
  await expect(provider.hold(restaurant, booking, now)).rejects.toThrow(/empty response/)
  await expect(provider.book(restaurant, booking, now)).rejects.toThrow('fetch failed')
})

test('a person with one name is booked without an empty family name', async () => {
  const { provider, calls } = providerOf(booked())
  await provider.book(restaurant, { ...booking, guest: { ...booking.guest, lastName: '' } }, now)
  const [, body] = calls[0] as unknown as [string, { user_information: object }]
  expect(body.user_information).toEqual({ user_id: 'guest', given_name: 'Ada', email: 'ada@example.com' })
})

test('a booking names its hold and its token, and a change the booking that it replaces', async () => {
  const { provider, calls } = providerOf(booked(), booked('b2'))
  expect(await provider.book(restaurant, { ...booking, holdToken: 'hold' }, now)).toEqual({ confirmation: 'b1' })
  const instead = { token: 'before', confirmation: 'b0' }
  expect(await provider.book(restaurant, { ...booking, instead }, now)).toEqual({ confirmation: 'b2' })
  expect(calls).toMatchObject([
    [
      'http://booking.example/v3/CreateBooking/',
      {
        slot,
        lease_ref: { lease_id: 'hold' },
        user_information: { user_id: 'guest', given_name: 'Ada', family_name: 'Lovelace', email: 'ada@example.com' },
        idempotency_token: 'token',
      },
    ],
    ['http://booking.example/v3/UpdateBooking/', { booking: { booking_id: 'b0', slot } }],
  ])
})

test('a cancellation without a booking id repeats the booking to learn it, and a rejected one has nothing to cancel', async () => {
  const known = providerOf(booked('b1', 'CANCELED'))
  await known.provider.cancel(restaurant, { ...booking, confirmation: 'b1' })
  expect(known.calls).toEqual([
    ['http://booking.example/v3/UpdateBooking/', { booking: { booking_id: 'b1', status: 'CANCELED' } }],
  ])
  const unknown = providerOf(booked('b7'), booked('b7', 'CANCELED'))
  await unknown.provider.cancel(restaurant, { ...booking, confirmation: null })
  expect(unknown.calls[1]?.[1]).toEqual({ booking: { booking_id: 'b7', status: 'CANCELED' } })
  const rejected = providerOf(failure('SLOT_UNAVAILABLE'))
  await rejected.provider.cancel(restaurant, { ...booking, confirmation: null })
  expect(rejected.calls).toHaveLength(1)
  const unreachable = providerOf(new TypeError('fetch failed'))
  await expect(unreachable.provider.cancel(restaurant, { ...booking, confirmation: null })).rejects.toThrow('fetch')
})

test('a booking that is canceled already counts as canceled, another failure does not', async () => {
  const { provider } = providerOf(failure('BOOKING_ALREADY_CANCELLED'), failure('PAYMENT_ERROR'))
  await provider.cancel(restaurant, { ...booking, confirmation: 'b1' })
  await expect(provider.cancel(restaurant, { ...booking, confirmation: 'b1' })).rejects.toThrow(/PAYMENT_ERROR/)
})

test('free times are asked for from half an hour from now on, and not at all when none is left', async () => {
  const at = (start_sec: number, available: boolean) => ({ slot_time: { start_sec, duration_sec: 5400 }, available })
  const { provider, calls } = providerOf({
    slot_time_availability: [at(1_795_219_200, true), at(1_795_220_100, false)],
  })
  const query = { date: '2026-11-20', days: 1, partySize: 2 }
  // Opens at 18:00, which is 23:00 UTC.
  const found = await provider.freeTimes(restaurant, query, new Date('2026-11-20T23:15:00Z'))
  expect(found.times.map(({ startsAt }) => startsAt.toISOString())).toEqual(['2026-11-21T00:00:00.000Z'])
  // The first one asked for is 23:45.
  expect(JSON.stringify(calls[0]?.[1])).toMatch(/^\{"merchant_id":"kumo","slot_time":\[\{[^}]*"start_sec":1795218300/)
  expect(await provider.freeTimes(restaurant, query, new Date('2026-11-21T04:00:00Z'))).toEqual({
    size: null,
    times: [],
  })
  expect(calls).toHaveLength(1)
})

test('a larger party holds its table for longer, and a call may take six seconds', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout')
  const lease = { lease: { lease_id: 'hold', lease_expiration_time_sec: 1_795_219_500 } }
  const { provider, calls } = providerOf(lease)
  expect(await provider.hold(restaurant, { ...booking, partySize: 4 }, now)).toEqual({
    holdToken: 'hold',
    expiresAt: new Date('2026-11-21T00:05:00Z'),
  })
  expect(calls[0]?.[1]).toMatchObject({
    lease: { slot: { ...slot, duration_sec: 7200, resources: { party_size: 4 } }, user_reference: 'guest' },
  })
  expect(timeout.mock.calls).toEqual([[6000]])
})

test('a call without a response in time fails', async () => {
  const fetch = (_url: string, { signal }: { signal: AbortSignal }) =>
    new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const provider = httpProvider({
    url: 'http://booking.example',
    credentials: 'name:secret',
    fetch: fetch as unknown as typeof globalThis.fetch,
    timeoutMs: 1,
  })
  await expect(provider.book(restaurant, booking, now)).rejects.toMatchObject({ name: 'TimeoutError' })
})

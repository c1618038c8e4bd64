import { beforeEach, expect, test, vi } from 'vitest'

/** The names of the events of each request, by fetch and by beacon. */
let fetched: string[][]
let beacons: Promise<string[]>[]
let listeners: Map<string, () => void>
let tracker: typeof import('./tracker.ts')
const page = { visibilityState: 'visible' }
const signals: Record<string, unknown> = {}

const target = { apiBase: 'http://skyharbor.localhost', partnerCode: 'skyharbor' }
const namesOf = (body: string) => JSON.parse(body).map(({ merchantId }: { merchantId: string }) => merchantId)

beforeEach(async () => {
  vi.useFakeTimers({ now: new Date('2026-03-10T12:00:00Z'), toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  vi.resetModules()
  fetched = []
  beacons = []
  listeners = new Map()
  page.visibilityState = 'visible'
  Object.assign(signals, { globalPrivacyControl: undefined, doNotTrack: null })
  const listening = {
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
  }
  vi.stubGlobal('document', Object.assign(page, listening))
  vi.stubGlobal('window', { ...listening, location: { pathname: '/search' } })
  vi.stubGlobal(
    'navigator',
    Object.assign(signals, {
      userAgent: 'x'.repeat(201),
      sendBeacon: (_url: string, body: Blob) => beacons.push(body.text().then(namesOf)),
    }),
  )
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => void fetched.push(namesOf(body)))
  tracker = await import('./tracker.ts')
  return () => vi.useRealTimers()
})

const track = (...names: string[]) => {
  for (const merchantId of names) tracker.track({ eventName: 'CardImpression', merchantId })
}

test('events are sent together two seconds after the first, and those that follow two seconds later', () => {
  track('before')
  tracker.startTracking(target)
  track('a')
  vi.advanceTimersByTime(1_999)
  track('b')
  expect(fetched).toEqual([])
  vi.advanceTimersByTime(1)
  expect(fetched).toEqual([['before', 'a', 'b']])
  track('c')
  vi.advanceTimersByTime(2_000)
  expect(fetched).toEqual([['before', 'a', 'b'], ['c']])
  vi.advanceTimersByTime(10_000)
  expect(fetched).toHaveLength(2)
})

test('a request has fifty events and is sent as soon as there are as many', () => {
  tracker.startTracking(target)
  const names = Array.from({ length: 120 }, (_, index) => String(index))
  track(...names)
  expect(fetched).toEqual([names.slice(0, 50), names.slice(50, 100)])
  vi.advanceTimersByTime(2_000)
  expect(fetched[2]).toEqual(names.slice(100))
})

test('also of the events from before the start a request has at most fifty', () => {
  const names = Array.from({ length: 60 }, (_, index) => String(index))
  track(...names)
  vi.advanceTimersByTime(10_000)
  expect(fetched).toEqual([])
  tracker.startTracking(target)
  track('last')
  vi.advanceTimersByTime(2_000)
  expect(fetched).toEqual([names.slice(0, 50), [...names.slice(50), 'last']])
})

test('a page that is left or hidden sends what waits at once, and one that is shown again does not', async () => {
  const stop = tracker.startTracking(target)
  track('a')
  listeners.get('visibilitychange')?.()
  expect(beacons).toEqual([])
  page.visibilityState = 'hidden'
  listeners.get('visibilitychange')?.()
  expect(await Promise.all(beacons)).toEqual([['a']])
  track('b')
  listeners.get('pagehide')?.()
  track('c')
  stop()
  expect([await Promise.all(beacons), listeners.size]).toEqual([[['a'], ['b'], ['c']], 0])
  vi.advanceTimersByTime(10_000)
  expect(fetched).toEqual([])
})

test('after a stop nothing is sent, also not by what is recorded late, until the next start', () => {
  const stop = tracker.startTracking(target)
  stop()
  track('late')
  vi.advanceTimersByTime(10_000)
  expect([fetched, beacons]).toEqual([[], []])
  // No more than four requests' worth is kept.
  track(...Array.from({ length: 200 }, (_, n) => `event ${n}`))
  const again = tracker.startTracking(target)
  track('now')
  vi.advanceTimersByTime(60_000)
  expect([fetched.flat().length, fetched.flat().includes('late'), fetched.flat().at(-1)]).toEqual([200, false, 'now'])
  again()
})

test('a visitor whose browser sends a privacy signal is not tracked', () => {
  tracker.startTracking(target)
  for (const [name, value] of [
    ['globalPrivacyControl', true],
    ['doNotTrack', '1'],
  ] as const) {
    const before = signals[name]
    signals[name] = value
    track(name)
    signals[name] = before
  }
  signals.doNotTrack = '0'
  track('a')
  vi.advanceTimersByTime(2_000)
  expect(fetched).toEqual([['a']])
})

test('an event has the page, the time and the browser, no longer than the server accepts', () => {
  let sent: unknown
  vi.stubGlobal('fetch', async (_url: string, { body }: { body: string }) => {
    sent = JSON.parse(body)
  })
  tracker.startTracking(target)
  tracker.track({ eventName: 'PageView' })
  tracker.track({ eventName: 'PageView', url: `/${'y'.repeat(300)}` })
  vi.advanceTimersByTime(2_000)
  const event = { eventName: 'PageView', channel: 'web', dateTime: '2026-03-10T12:00:00.000Z' }
  expect(sent).toEqual([
    { ...event, url: '/search', userAgent: 'x'.repeat(200) },
    { ...event, url: `/${'y'.repeat(299)}`, userAgent: 'x'.repeat(200) },
  ])
})

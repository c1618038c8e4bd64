import { afterEach, expect, test, vi } from 'vitest'
import { createStagingClock } from './clock.ts'

afterEach(() => vi.useRealTimers())

test('the clock runs on from the time that was set last, and null restores the real time', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-10T12:00:00Z') })
  const clock = createStagingClock()
  for (const at of ['2031-05-06T07:08:09Z', '2027-01-02T03:04:05Z', '2020-02-29T23:00:00Z']) {
    clock.set(new Date(at))
    expect(clock.now()).toEqual(new Date(at))
  }
  vi.setSystemTime(new Date('2026-03-10T12:30:00Z'))
  expect(clock.now()).toEqual(new Date('2020-02-29T23:30:00Z'))
  clock.set(null)
  expect([clock.now(), clock.offset]).toEqual([new Date('2026-03-10T12:30:00Z'), 0])
})

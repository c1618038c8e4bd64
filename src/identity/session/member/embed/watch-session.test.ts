import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DAY, MINUTE, SECOND } from '../../../../platform/time.ts'
import { watchSession } from './watch-session.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

/** Watches a session; returns what happened, each with its minute. */
function watch(firstEnd: number | null) {
  let end = firstEnd
  const events: [what: string, minute: number][] = []
  const note = (what: string) => () => events.push([what, Date.now() / MINUTE])
  const stop = watchSession({ readEnd: () => end, warn: note('warned'), leave: note('left') })
  return {
    events,
    stop,
    moveEnd: (to: number | null) => {
      end = to
    },
  }
}

test('SESS-002 SESS-003 a warning comes a minute before the end, and the page is left at the end', () => {
  const { events } = watch(15 * MINUTE)
  vi.advanceTimersByTime(14 * MINUTE - 1)
  expect(events).toEqual([])
  vi.advanceTimersByTime(DAY)
  expect(events).toEqual([
    ['warned', 14],
    ['left', 15],
  ])
})

test('a request that moves the end moves the warning and the end with it', () => {
  const { events, moveEnd } = watch(15 * MINUTE)
  vi.advanceTimersByTime(5 * MINUTE)
  moveEnd(20 * MINUTE)
  vi.advanceTimersByTime(14 * MINUTE - 1)
  expect(events).toEqual([])
  vi.advanceTimersByTime(1)
  expect(events).toEqual([['warned', 19]])
  // The member stays.
  moveEnd(34.5 * MINUTE)
  vi.advanceTimersByTime(DAY)
  expect(events).toEqual([
    ['warned', 19],
    ['warned', 33.5],
    ['left', 34.5],
  ])
})

test('a page whose session has ended elsewhere is left, one that was stopped does nothing', () => {
  const ended = watch(15 * MINUTE)
  const stopped = watch(15 * MINUTE)
  ended.moveEnd(null)
  stopped.stop()
  vi.advanceTimersByTime(DAY)
  expect([ended.events, stopped.events]).toEqual([[['left', 14]], []])
})

test('a session in its last minute is warned of at once, and one of days is not watched', () => {
  const short = watch(30 * SECOND)
  const long = watch(90 * DAY)
  const none = watch(null)
  expect([short.events, long.events, none.events, vi.getTimerCount()]).toEqual([[['warned', 0]], [], [], 1])
})

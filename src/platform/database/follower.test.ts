import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFollower, type Follower, type FollowerOptions } from './follower.ts'

/** The loads of a follower in order; each ends when the test says so. */
let loads: { key: string; done: () => void; fail: (error: Error) => void }[]
let errors: string[]
let notify: (payload: string | null) => void
let follower: Follower

beforeEach(() => {
  vi.useFakeTimers()
  loads = []
  errors = []
})
afterEach(() => {
  vi.useRealTimers()
})

function create(over: Partial<FollowerOptions> = {}): Follower {
  follower = createFollower({
    listener: {
      on(_channel, listener) {
        notify = listener
      },
      close: async () => {},
    },
    channel: 'content_changed',
    keys: ['a', 'b'],
    load: (key) => new Promise((resolve, reject) => loads.push({ key, done: resolve, fail: reject })),
    pollEveryMs: 1_000,
    onError: (error, key) => errors.push(`${key}: ${error.message}`),
    ...over,
  })
  return follower
}

const settle = () => vi.advanceTimersByTimeAsync(0)
const loaded = () => loads.map(({ key }) => key).join('')

/** Ends the loads from a number on. */
async function finish(from = 0): Promise<void> {
  for (const { done } of loads.slice(from)) done()
  await settle()
}

async function start(over: Partial<FollowerOptions> = {}): Promise<void> {
  const started = create(over).start()
  await finish()
  await started
  loads = []
}

test('many copies are loaded two at a time, at the start and when the database is polled', async () => {
  const started = create({ keys: ['a', 'b', 'c', 'd', 'e'] }).start()
  expect(loaded()).toBe('ab')
  loads[1]?.done()
  await settle()
  expect(loaded()).toBe('abc')
  for (let number = 0; number < 5; number++) await finish(number)
  await started
  expect(loaded()).toBe('abcde')
  loads = []
  notify(null)
  expect(loaded()).toBe('ab')
  loads[0]?.fail(new Error('away'))
  await settle()
  expect([loaded(), errors]).toEqual(['abc', ['a: away']])
  await finish(1)
  await finish(3)
  expect(loaded()).toBe('abcde')
  await finish(4)
})

test('every copy is loaded first, and a failure of that is the caller’s', async () => {
  const started = create().start()
  expect(loaded()).toBe('ab')
  loads[0]?.done()
  loads[1]?.fail(new Error('away'))
  await expect(started).rejects.toThrow('away')
})

test('notifications during a load lead to exactly one more, for the key that they name', async () => {
  await start()
  notify('a')
  for (let n = 0; n < 5; n++) notify('a')
  notify('nowhere')
  expect(loaded()).toBe('a')
  await finish()
  expect(loaded()).toBe('aa')
  await finish(1)
  expect(loaded()).toBe('aa')
  notify('b')
  expect(loaded()).toBe('aab')
})

test('who refreshes waits for a load that began after the call, also when the one before fails', async () => {
  await start()
  notify('a')
  const seen: string[] = []
  const waiting = [1, 2].map((n) => follower.refresh('a').then(() => seen.push(`refreshed ${n}`)))
  loads[0]?.fail(new Error('away'))
  await settle()
  expect([loaded(), seen, errors]).toEqual(['aa', [], ['a: away']])
  await finish(1)
  await Promise.all(waiting)
  expect(seen).toEqual(['refreshed 1', 'refreshed 2'])
  await expect(follower.refresh('nowhere')).rejects.toThrow(RangeError)
})

test('loads of one key never overlap, whenever a refresh is asked for', async () => {
  let active = 0
  await start({
    keys: undefined,
    async load() {
      active++
      expect(active).toBe(1)
      await Promise.resolve()
      active--
    },
  })
  const refreshes: Promise<void>[] = []
  notify('any payload')
  notify('any payload')
  // Each refresh starts at another step between the end of a load and the beginning of the next.
  for (let step = 0; step < 20; step++) {
    refreshes.push(follower.refresh(''))
    await Promise.resolve()
  }
  await Promise.all(refreshes)
  expect(errors).toEqual([])
})

test('missed notifications are made up for: by a reopened connection at once, and by polling', async () => {
  await start()
  notify(null)
  expect(loaded()).toBe('ab')
  await finish()
  await vi.advanceTimersByTimeAsync(999)
  expect(loaded()).toBe('ab')
  await vi.advanceTimersByTimeAsync(1)
  expect(loaded()).toBe('abab')
  loads[2]?.fail(new Error('away'))
  await finish(3)
  expect(errors).toEqual(['a: away'])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(loaded()).toBe('ababab')
})

test('closed, it waits for the running load and starts no other', async () => {
  await start()
  notify('a')
  const waiting = follower.refresh('a')
  let isClosed = false
  const closed = follower.close().then(() => {
    isClosed = true
  })
  notify('b')
  await vi.advanceTimersByTimeAsync(5_000)
  expect([loaded(), isClosed]).toEqual(['a', false])
  loads[0]?.fail(new Error('away'))
  await closed
  await waiting
  await follower.refresh('b')
  expect([loaded(), errors]).toEqual(['a', []])
})

test('without keys there is one copy, which every notification refreshes', async () => {
  await start({ keys: undefined })
  notify('any payload')
  expect(loads).toHaveLength(1)
})

import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairTurns, type TurnKind } from './fair-turns.ts'

/** Turns whose work takes a given time. `order` lists what has started. */
function openTurns() {
  let now = 0
  const turns = createFairTurns(() => now)
  const order: string[] = []
  const add = (address: string, ms: number, kind: TurnKind = 'request', name = address) =>
    turns.enter(address, kind, () => {
      order.push(name)
      now += ms
    })
  /** Waits until this many turns have ended. */
  async function until(count: number): Promise<void> {
    for (let tasks = 0; tasks < 10_000 && order.length < count; tasks++) await nextTask()
    await nextTask()
  }
  /** The work of a turn that takes this long. */
  const work = (ms: number) => {
    now += ms
  }
  return { turns, order, add, until, work }
}

const [a, b, c] = ['192.0.2.1', '192.0.2.2', '192.0.2.3'] as const
const count = (order: readonly string[], name: string) => order.filter((each) => each === name).length

test('a request of a network that has used little goes before all that another one has waiting', async () => {
  const { order, add, until } = openTurns()
  for (let index = 0; index < 100; index++) add(a, 1)
  await until(10)
  const started = order.length
  add(b, 1)
  await until(started + 2)
  // The turn that was already chosen may be one of the first network.
  expect(order.indexOf(b)).toBeLessThanOrEqual(started + 1)
  await until(101)
  expect(order).toHaveLength(101)
})

test('networks that always have requests waiting get the same time, not the same number of turns', async () => {
  const { order, add, until } = openTurns()
  for (let index = 0; index < 100; index++) add(a, 10)
  for (let index = 0; index < 100; index++) add(b, 1)
  await until(110)
  expect(count(order.slice(0, 55), a)).toBe(5)
  expect(count(order.slice(0, 110), a)).toBe(10)
})

test('a network that was alone has no disadvantage afterwards, and one that was away no advantage', async () => {
  const { order, add, until } = openTurns()
  add(b, 1)
  await until(1)
  for (let index = 0; index < 500; index++) add(a, 10)
  await until(501)
  for (let index = 0; index < 20; index++) {
    add(a, 10)
    add(b, 10)
  }
  await until(541)
  const later = order.slice(501, 521)
  expect(Math.abs(count(later, a) - count(later, b))).toBeLessThanOrEqual(2)
})

test('pages wait for the requests of their network, but not for more than 16 of them', async () => {
  const { order, add, until } = openTurns()
  add(a, 5, 'page', 'page')
  add(a, 5, 'page', 'page')
  for (let index = 0; index < 40; index++) add(a, 1, 'request', 'request')
  await until(42)
  expect([order.indexOf('page'), order.lastIndexOf('page')]).toEqual([16, 33])
})

test('requests go before pages of networks that have used as much, but not before those of networks that have used less', async () => {
  const { order, add, until } = openTurns()
  add(a, 5, 'page', 'page of a')
  add(b, 1, 'request', 'request of b')
  for (let index = 0; index < 10; index++) add(c, 1, 'request', 'request of c')
  await until(12)
  // The page takes its turn when the others have used as much as a page takes.
  expect(order.indexOf('request of b')).toBeLessThan(order.indexOf('page of a'))
  expect(order.slice(order.indexOf('page of a') + 1)).toEqual(Array(5).fill('request of c'))
})

test('the addresses of an IPv6 /64 are one network, and a /48 gets the time of ten', async () => {
  const { order, add, until } = openTurns()
  for (let index = 0; index < 200; index++) add(`2001:db8:1:1::${index}`, 1, 'request', 'one /64')
  for (let index = 0; index < 400; index++) add(`2001:db8:2:${index}::1`, 1, 'request', 'one /48')
  for (let index = 0; index < 200; index++) add(a, 1, 'request', 'one address')
  await until(120)
  const early = order.slice(0, 120)
  expect(Math.abs(count(early, 'one /64') - count(early, 'one address'))).toBeLessThanOrEqual(1)
  expect(count(early, 'one /48')).toBeGreaterThan(90)
  expect(count(early, 'one /48')).toBeLessThan(110)
})

test('a turn is a task of its own, and after one of more than half a millisecond other tasks run before the next', async () => {
  const { turns, work } = openTurns()
  const order: string[] = []
  let isLaterCurrent: boolean | null = null
  await new Promise<void>((done) => {
    turns.enter(a, 'page', (turn) => {
      order.push('first')
      work(2)
      void Promise.resolve().then(() => order.push(`the same task: ${turn.isCurrent()}`))
      setImmediate(() => {
        order.push('another task')
        isLaterCurrent = turn.isCurrent()
      })
    })
    turns.enter(a, 'page', () => {
      order.push('second')
      done()
    })
    order.push('entered')
  })
  expect(order).toEqual(['entered', 'first', 'the same task: true', 'another task', 'second'])
  expect(isLaterCurrent).toBe(false)
})

test('short turns follow each other for half a millisecond, 16 at most', async () => {
  const startedAtOnce = async (ms: number) => {
    const { order, add } = openTurns()
    for (let index = 0; index < 20; index++) add(a, ms)
    await nextTask()
    return order.length
  }
  expect([await startedAtOnce(0.01), await startedAtOnce(0.3), await startedAtOnce(5)]).toEqual([16, 2, 1])
})

test('a turn that was given up does not start, and its network is forgotten like others that have used no more', async () => {
  const { turns, order, add, until } = openTurns()
  const leave = add(a, 1)
  add(b, 1)
  leave()
  leave()
  await until(1)
  for (let tasks = 0; tasks < 10; tasks++) await nextTask()
  expect(order).toEqual([b])
  for (let index = 0; index < 5_000; index++) add(`198.51.${index >> 8}.${index & 255}`, 0)
  await until(5_001)
  add(c, 1)
  for (let index = 0; index < 5_000; index++) add(`198.51.${index >> 8}.${index & 255}`, 0)
  await until(10_002)
  expect(turns.size).toBeLessThan(11_000)
})

import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairTurns } from './fair-turns.ts'
import { createRenderQueue, Overloaded, type RenderLimits } from './render-queue.ts'

const never = new AbortController().signal

/** Creates a queue whose renders end on demand. `order` lists the addresses in the order of their renders. */
function openQueue(limits: Partial<RenderLimits> = {}) {
  const queue = createRenderQueue({ maxRunning: 1, maxWaiting: 4, maxWaitMs: 60_000, ...limits }, createFairTurns())
  const order: string[] = []
  const ends: (() => void)[] = []
  const endOne = async () => {
    ends.shift()?.()
    await turn()
  }
  return {
    queue,
    order,
    endOne,
    async endAll() {
      while (ends.length > 0) await endOne()
    },
    add: (address: string, signal: AbortSignal = never) =>
      queue.run(address, signal, async () => {
        order.push(address)
        await new Promise<void>((end) => ends.push(end))
        return address
      }),
  }
}

/** Lets the turns that have been entered start. */
async function turn(): Promise<void> {
  for (let tasks = 0; tasks < 12; tasks++) await nextTask()
}

test('at most the allowed number of pages is rendered at a time, and the others follow', async () => {
  const { queue, order, add, endOne, endAll } = openQueue({ maxRunning: 2 })
  const all = ['a', 'b', 'c', 'd'].map((client) => add(client))
  await turn()
  expect([order, queue.waiting]).toEqual([['a', 'b'], 2])
  await endOne()
  expect([order, queue.waiting]).toEqual([['a', 'b', 'c'], 1])
  await endAll()
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd'])
})

test('networks take turns, so one with many pages does not delay the others', async () => {
  const { order, add, endAll } = openQueue({ maxWaiting: 10 })
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((address) => add(address))
  await turn()
  await endAll()
  await Promise.all(all)
  // Every network has had one page before the first one has its third.
  expect(order.slice(0, 4).toSorted().join('')).toMatch(/^aa?bb?c$/)
})

test('a full queue rejects pages of the network with the most waiting pages and accepts those of others', async () => {
  const { order, add, endAll } = openQueue()
  const first = add('a')
  await turn()
  const many = Array.from({ length: 4 }, () => add('a'))
  await expect(add('a')).rejects.toBeInstanceOf(Overloaded)
  const evicted = expect(many[3]).rejects.toBeInstanceOf(Overloaded)
  const other = add('b')
  await evicted
  await endAll()
  expect([await first, await other]).toEqual(['a', 'b'])
  expect(order.toSorted().join('')).toBe('aaaab')
})

test('a page whose client disconnected is not rendered, and one that waited too long is rejected', async () => {
  const { queue, order, add, endAll } = openQueue({ maxWaitMs: 300 })
  const first = add('a')
  await turn()
  const leaving = new AbortController()
  const gone = add('b', leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  await expect(add('c')).rejects.toBeInstanceOf(Overloaded)
  await expect(add('d', leaving.signal)).rejects.toThrow('gone')
  expect(queue.waiting).toBe(0)
  await endAll()
  expect([await first, order]).toEqual(['a', ['a']])
})

test('a page that waited too long for its turn, and one whose client left before it, give the turn up', async () => {
  const turns = createFairTurns()
  const queue = createRenderQueue({ maxRunning: 1, maxWaiting: 4, maxWaitMs: 60_000 }, turns)
  const leaving = new AbortController()
  const gone = queue.run('a', leaving.signal, async () => 'rendered')
  leaving.abort(new Error('gone'))
  await expect(gone).rejects.toThrow('gone')
  expect([queue.waiting, await queue.run('b', never, async () => 'rendered')]).toEqual([0, 'rendered'])
})

test('a failed render frees its slot', async () => {
  const { queue, add, endAll } = openQueue()
  await expect(queue.run('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = add('b')
  await turn()
  await endAll()
  expect(await next).toBe('b')
})

test('pages that are not limited in number start one by one, and other tasks run between two of them', async () => {
  let now = 0
  const limits = { maxRunning: Number.POSITIVE_INFINITY, maxWaiting: 10, maxWaitMs: 60_000 }
  const queue = createRenderQueue(
    limits,
    createFairTurns(() => now),
  )
  let rendered = 0
  const all = ['a', 'a', 'a', 'b'].map((address) =>
    queue.run(address, never, async () => {
      now += 5
      rendered++
    }),
  )
  expect(queue.waiting).toBe(4)
  const seen: number[] = []
  while (rendered < 4) {
    await nextTask()
    seen.push(rendered)
  }
  expect(seen.filter((length, index) => length !== seen[index - 1])).toEqual([1, 2, 3, 4])
  await Promise.all(all)
})

test('work of a page that has waited for something continues in another turn', async () => {
  const { queue } = openQueue()
  const order: string[] = []
  let waited: () => void = () => {}
  const page = queue.run('a', never, async (nextTurn) => {
    await nextTurn()
    order.push('the same turn')
    await new Promise<void>((done) => {
      waited = done
    })
    await nextTurn()
    order.push('another turn')
  })
  await turn()
  expect(order).toEqual(['the same turn'])
  waited()
  await Promise.resolve()
  expect(order).toEqual(['the same turn'])
  await page
  expect(order).toEqual(['the same turn', 'another turn'])
})

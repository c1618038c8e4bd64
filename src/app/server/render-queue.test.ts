import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRenderQueue, Overloaded, type RenderLimits } from './render-queue.ts'

const never = new AbortController().signal

/** Creates a queue whose renders end on demand. `order` lists the clients in the order of their renders. */
function openQueue(limits: Partial<RenderLimits> = {}, hasOthers = () => true) {
  const queue = createRenderQueue({ maxRunning: 1, maxWaiting: 4, maxWaitMs: 60_000, ...limits }, hasOthers)
  const order: string[] = []
  const ends: (() => void)[] = []
  const endOne = async () => {
    ends.shift()?.()
    // Longer than the pause between two renders.
    await sleep(40)
  }
  return {
    queue,
    order,
    endOne,
    async endAll() {
      while (ends.length > 0) await endOne()
    },
    add: (client: string, signal: AbortSignal = never) =>
      queue.run(client, signal, async () => {
        order.push(client)
        await new Promise<void>((end) => ends.push(end))
        return client
      }),
  }
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

test('clients take turns, so one with many pages does not delay the others', async () => {
  const { order, add, endAll } = openQueue({ maxWaiting: 10 })
  const all = ['a', 'a', 'a', 'a', 'b', 'c', 'b'].map((client) => add(client))
  await turn()
  await endAll()
  await Promise.all(all)
  expect(order.join('')).toBe('aabcaba')
})

test('a full queue rejects pages of the client with the most waiting pages and accepts those of others', async () => {
  const { order, add, endAll } = openQueue()
  const many = Array.from({ length: 5 }, () => add('a'))
  await expect(add('a')).rejects.toBeInstanceOf(Overloaded)
  const other = add('b')
  await expect(many[4]).rejects.toBeInstanceOf(Overloaded)
  await turn()
  await endAll()
  expect(await other).toBe('b')
  expect(order.join('')).toBe('aabaa')
})

test('a page whose client disconnected is not rendered, and one that waited too long is rejected', async () => {
  const { queue, order, add, endAll } = openQueue({ maxWaitMs: 1 })
  const first = add('a')
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

test('a failed render frees its slot', async () => {
  const { queue, add, endAll } = openQueue()
  await expect(queue.run('a', never, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const next = add('b')
  await turn()
  await endAll()
  expect(await next).toBe('b')
})

test('a pause follows a render only while there are other requests', async () => {
  for (const hasOthers of [true, false]) {
    const { queue, order, add, endAll } = openQueue({}, () => hasOthers)
    let end = () => {}
    const first = queue.run('a', never, () => new Promise<void>((done) => (end = done)))
    const second = add('b')
    await turn()
    end()
    await first
    for (let turns = 0; turns < 3; turns++) await turn()
    expect([hasOthers, order]).toEqual([hasOthers, hasOthers ? [] : ['b']])
    await sleep(40)
    await endAll()
    await second
  }
})

import { expect, test } from 'vitest'
import { createTurns } from './password.ts'

/** Work that ends when it is told to. */
function createWork() {
  const running: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const start = (name: string) => () => {
    running.push(name)
    const end = Promise.withResolvers<string>()
    ends.set(name, end)
    return end.promise.finally(() => running.splice(running.indexOf(name), 1))
  }
  return { running, start, end: (name: string) => ends.get(name) as PromiseWithResolvers<string> }
}

test('work runs in the order of the calls, as many at a time as allowed, and the rest is rejected', async () => {
  const { running, start, end } = createWork()
  const inTurn = createTurns({ maxConcurrent: 2, maxQueued: 2 })
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => inTurn('', start(name)))
  expect(running).toEqual(['a', 'b'])
  await expect(inTurn('', start('e'))).rejects.toMatchObject({ code: 'busy' })
  end('b').resolve('done')
  expect([await b, running]).toEqual(['done', ['a', 'c']])
  // One place in the queue is free again.
  const f = inTurn('', start('f'))
  await expect(inTurn('', start('g'))).rejects.toMatchObject({ code: 'busy' })
  // A failure gives its turn back too.
  end('a').reject(new Error('failed'))
  await expect(a).rejects.toThrow('failed')
  expect(running).toEqual(['c', 'd'])
  for (const name of ['c', 'd']) end(name).resolve(name)
  expect([await c, await d]).toEqual(['c', 'd'])
  end('f').resolve('f')
  expect([await f, running]).toEqual(['f', []])
})

test('a call at the moment at which a turn passes on does not run beside it', async () => {
  const inTurn = createTurns({ maxConcurrent: 1, maxQueued: 2 })
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let running = 0
  let most = 0
  const run = (until: Promise<void>) => async () => {
    most = Math.max(most, ++running)
    await until
    running--
  }
  const results = [inTurn('', () => first.promise), inTurn('', run(second.promise))]
  const late = first.promise.then(() => inTurn('', run(second.promise)))
  first.resolve()
  await results[0]
  second.resolve()
  await Promise.all([...results, late])
  expect(most).toBe(1)
})

test('networks take turns, and a full queue loses the newest call of the one with the most', async () => {
  const { running, start, end } = createWork()
  const inTurn = createTurns({ maxConcurrent: 1, maxQueued: 3 })
  const call = (address: string, name: string) => inTurn(address, start(name))
  const one = ['one', 'two', 'three', 'four'].map((name) => call('192.0.2.1', name))
  await expect(call('192.0.2.1', 'five')).rejects.toMatchObject({ code: 'busy' })
  const lost = expect(one[3]).rejects.toMatchObject({ code: 'busy' })
  const other = call('192.0.2.2', 'other')
  await lost
  const order: string[] = []
  for (let ended = 0; ended < 4; ended++) {
    const [name] = running as [string]
    order.push(name)
    end(name).resolve(name)
    await end(name).promise
    // The work ends, and the turn passes on.
    for (let tasks = 0; tasks < 10; tasks++) await Promise.resolve()
  }
  expect(order).toEqual(['one', 'two', 'other', 'three'])
  expect(await Promise.all([one[0], one[1], one[2], other])).toEqual(['one', 'two', 'three', 'other'])
})

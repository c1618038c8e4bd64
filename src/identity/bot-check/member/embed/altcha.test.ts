import { expect, test, vi } from 'vitest'
import { createAltchaSolver } from './altcha.ts'

/** Replaces workers; `respond` gets the worker when a challenge is posted to it. Returns how many have ended. */
function replaceWorkers(respond: (worker: { onmessage(event: object): void; onerror(): void }) => void) {
  const ended: unknown[] = []
  class FakeWorker {
    onmessage(_event: object) {}
    onerror() {}
    postMessage() {
      respond(this)
    }
    terminate() {
      ended.push(this)
    }
  }
  vi.stubGlobal('Worker', FakeWorker)
  return ended
}

const solver = createAltchaSolver((async () => ({ challenge: 'c' })) as never)
const send = (async (_call: unknown, { body }: { body: unknown }) => ({ token: JSON.stringify(body) })) as never

test('the solution that a worker finds is exchanged for a token', async () => {
  const solution = { counter: 7, derivedKey: 'k' }
  const ended = replaceWorkers((worker) => worker.onmessage({ data: { ...solution, time: 900 } }))
  expect(JSON.parse(await solver.getToken(send))).toEqual({ challenge: { challenge: 'c' }, solution })
  expect(ended).toHaveLength(1)
})

test('a worker that finds nothing or cannot run is a failed check', async () => {
  for (const respond of [
    (worker: { onmessage(event: object): void }) => worker.onmessage({ data: null }),
    (worker: { onerror(): void }) => worker.onerror(),
  ]) {
    const ended = replaceWorkers(respond)
    await expect(solver.getToken(send)).rejects.toThrow('bot.required')
    expect(ended).toHaveLength(1)
  }
})

import { EventEmitter } from 'node:events'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SECOND } from '../time.ts'

const threads: EventEmitter[] = []

/** A worker that draws nothing. Like a real one, it delivers messages that it posted before termination. */
function slowThread() {
  const thread = Object.assign(new EventEmitter(), {
    postMessage: vi.fn(),
    ref() {},
    unref() {},
    terminate: () => setTimeout(() => thread.emit('message', Buffer.from('late'))),
  })
  threads.push(thread)
  return thread
}

// Test files of a worker process share modules: this file loads its own copies and resets them afterwards.
beforeAll(() => {
  vi.resetModules()
  vi.doMock(import('node:worker_threads'), async (original) => {
    const real = await original()
    const Worker = vi.fn(slowThread) as never
    return { ...real, Worker, default: { ...real, Worker } }
  })
})
afterAll(() => {
  vi.useRealTimers()
  vi.doUnmock('node:worker_threads')
  vi.resetModules()
})

test('an image that arrives too late is not returned for the next request', async () => {
  const { drawPng } = await import('./draw-png.ts')
  vi.useFakeTimers()
  const [slow, next] = [drawPng('<svg>slow</svg>', 40), drawPng('<svg>next</svg>', 40)]
  const failed = expect(slow).rejects.toThrow('drawing took too long')
  await vi.advanceTimersByTimeAsync(10 * SECOND + 1)
  await failed
  expect(threads).toHaveLength(2)
  threads[1]?.emit('message', Buffer.from('next'))
  expect(String(await next)).toBe('next')
  // A failure is not kept: the same image is drawn again.
  const again = drawPng('<svg>slow</svg>', 40)
  threads[1]?.emit('message', Buffer.from('slow'))
  expect(String(await again)).toBe('slow')
})

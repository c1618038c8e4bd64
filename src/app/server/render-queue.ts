import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { SECOND } from '../../platform/time.ts'

/** Too many pages are queued, or this one has waited too long. */
export class Overloaded extends Error {}

export interface RenderLimits {
  maxRunning: number
  maxWaiting: number
  maxWaitMs: number
}

interface Waiting {
  client: string
  start: () => void
  reject: (error: Error) => void
}

// Between two renders, while others are queued, the event loop is free for cheap requests if there are any: for a third of
// the render time, within these bounds in milliseconds.
const minPauseMs = 3
const maxPauseMs = 20

/**
 * Limits concurrent and queued renders. Clients take turns, so that one with many requests does not delay the others.
 * When the queue is full, the client with the most queued pages loses its newest one. `hasOthers` tells whether requests
 * other than pages are in progress.
 */
export function createRenderQueue(limits: RenderLimits, hasOthers: () => boolean) {
  const clients = new Map<string, Waiting[]>()
  let waiting = 0
  let running = 0

  function remove(entry: Waiting): void {
    const own = clients.get(entry.client)
    const index = own?.indexOf(entry) ?? -1
    if (!own || index < 0) return
    own.splice(index, 1)
    waiting--
    if (own.length === 0) clients.delete(entry.client)
  }

  /** Round robin: the served client moves to the end of the queue. */
  function startNext(): void {
    if (running >= limits.maxRunning) return
    const next = clients.entries().next()
    if (next.done) return
    const [client, own] = next.value
    const entry = own[0] as Waiting
    remove(entry)
    if (clients.delete(client)) clients.set(client, own)
    running++
    entry.start()
  }

  function evictNewest(client: string): void {
    if (waiting < limits.maxWaiting) return
    let largest = clients.get(client) ?? []
    for (const own of clients.values()) if (own.length > largest.length) largest = own
    if (largest.length <= (clients.get(client)?.length ?? 0)) throw new Overloaded('too many pages wait')
    const newest = largest.at(-1) as Waiting
    remove(newest)
    newest.reject(new Overloaded('another client had fewer pages waiting'))
  }

  function slot(client: string, signal: AbortSignal): Promise<void> {
    if (running < limits.maxRunning && waiting === 0) {
      running++
      return Promise.resolve()
    }
    evictNewest(client)
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', onAbort)
      }
      const entry: Waiting = {
        client,
        start: () => {
          settle()
          resolve()
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      const giveUp = (error: Error) => {
        remove(entry)
        entry.reject(error)
      }
      const onAbort = () => giveUp(signal.reason)
      const timeout = setTimeout(() => giveUp(new Overloaded('waited too long')), limits.maxWaitMs)
      signal.addEventListener('abort', onAbort)
      const own = clients.get(client)
      if (own) own.push(entry)
      else clients.set(client, [entry])
      waiting++
    })
  }

  return {
    /** Runs `render` when a slot is free. Throws Overloaded, or the signal's reason when the client disconnects. */
    async run<T>(client: string, signal: AbortSignal, render: () => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      await slot(client, signal)
      const startedAt = performance.now()
      try {
        return await render()
      } finally {
        void release(performance.now() - startedAt)
      }
    },
    get waiting() {
      return waiting
    },
  }

  async function release(tookMs: number): Promise<void> {
    // The event loop accepts new requests during a turn.
    if (waiting > 0) await turn()
    if (waiting > 0 && hasOthers()) await sleep(Math.min(maxPauseMs, Math.max(minPauseMs, tookMs / 3)))
    running--
    startNext()
  }
}

export type RenderQueue = ReturnType<typeof createRenderQueue>

export interface RenderQueues {
  visitors: RenderQueue
  members: RenderQueue
}

/**
 * The queues of a process. Pages for visitors hardly wait for the database; pages for members do, and do not wait behind
 * anonymous clients.
 */
export function createRenderQueues(hasOthers: () => boolean): RenderQueues {
  const maxWaitMs = 4 * SECOND
  return {
    visitors: createRenderQueue({ maxRunning: 2, maxWaiting: 64, maxWaitMs }, hasOthers),
    members: createRenderQueue({ maxRunning: 4, maxWaiting: 64, maxWaitMs }, hasOthers),
  }
}

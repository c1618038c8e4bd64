import { networksOf } from '../../platform/http/network.ts'
import { SECOND } from '../../platform/time.ts'
import type { FairTurns, Turn } from './fair-turns.ts'

/** Too many pages are queued, or this one has waited too long. */
export class Overloaded extends Error {}

export interface RenderLimits {
  maxRunning: number
  maxWaiting: number
  maxWaitMs: number
}

interface Waiting {
  network: string
  address: string
  /** Gives the turn up that the page waits for; null while it waits for another page to end. */
  leaveTurn: (() => void) | null
  start: (turn: Turn) => void
  reject: (error: Error) => void
}

/** Renders a page. It calls `nextTurn` before work that takes the thread for long. */
export type Render<T> = (nextTurn: () => Promise<void>) => Promise<T>

/**
 * Limits concurrent and queued renders. Each starts in a turn of its network, so that one with many pages does not delay
 * the others. When the queue is full, the network with the most queued pages loses its newest one.
 */
export function createRenderQueue(limits: RenderLimits, turns: FairTurns) {
  const networks = new Map<string, Waiting[]>()
  let waiting = 0
  let running = 0

  function remove(entry: Waiting): void {
    const own = networks.get(entry.network)
    const index = own?.indexOf(entry) ?? -1
    if (!own || index < 0) return
    own.splice(index, 1)
    waiting--
    if (own.length === 0) networks.delete(entry.network)
  }

  /** The next page is one of the network that has used the least. */
  function startNext(): void {
    while (running < limits.maxRunning) {
      const next = [...networks.values()]
        .flatMap((own) => own.find(({ leaveTurn }) => leaveTurn === null) ?? [])
        .map((entry) => ({ entry, used: turns.usedBy(entry.address) }))
        .reduce<{ entry: Waiting; used: number } | null>((a, b) => (a && a.used <= b.used ? a : b), null)
      if (!next) return
      enterTurn(next.entry)
    }
  }

  function enterTurn(entry: Waiting): void {
    running++
    entry.leaveTurn = turns.enter(entry.address, 'page', (turn) => {
      remove(entry)
      entry.start(turn)
    })
  }

  function giveUp(entry: Waiting, error: Error): void {
    remove(entry)
    entry.reject(error)
    if (entry.leaveTurn === null) return
    entry.leaveTurn()
    running--
    startNext()
  }

  function evictNewest(network: string): void {
    if (waiting < limits.maxWaiting) return
    let largest = networks.get(network) ?? []
    for (const own of networks.values()) if (own.length > largest.length) largest = own
    if (largest.length <= (networks.get(network)?.length ?? 0)) throw new Overloaded('too many pages wait')
    giveUp(largest.at(-1) as Waiting, new Overloaded('another network had fewer pages waiting'))
  }

  function begin(address: string, signal: AbortSignal): Promise<Turn> {
    const [{ network }] = networksOf(address)
    evictNewest(network)
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timeout)
        signal.removeEventListener('abort', onAbort)
      }
      const entry: Waiting = {
        network,
        address,
        leaveTurn: null,
        start: (turn) => {
          settle()
          resolve(turn)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      const onAbort = () => giveUp(entry, signal.reason)
      const timeout = setTimeout(() => giveUp(entry, new Overloaded('waited too long')), limits.maxWaitMs)
      signal.addEventListener('abort', onAbort)
      const own = networks.get(network)
      if (own) own.push(entry)
      else networks.set(network, [entry])
      waiting++
      if (running < limits.maxRunning) enterTurn(entry)
    })
  }

  return {
    /** Runs `render` when it is its turn. Throws Overloaded, or the signal's reason when the client disconnects. */
    async run<T>(address: string, signal: AbortSignal, render: Render<T>): Promise<T> {
      signal.throwIfAborted()
      const first = await begin(address, signal)
      try {
        return await render(async () => {
          if (first.isCurrent()) return
          await new Promise<void>((start) => turns.enter(address, 'page', () => start()))
          signal.throwIfAborted()
        })
      } finally {
        running--
        startNext()
      }
    },
    get waiting() {
      return waiting
    },
  }
}

export type RenderQueue = ReturnType<typeof createRenderQueue>

export interface RenderQueues {
  visitors: RenderQueue
  members: RenderQueue
}

/**
 * The queues of a process. Pages for visitors hardly wait for the database, so that turns alone limit them; pages for
 * members do, and do not wait behind anonymous clients.
 */
export function createRenderQueues(turns: FairTurns): RenderQueues {
  const limits = { maxWaiting: 512, maxWaitMs: 4 * SECOND }
  return {
    visitors: createRenderQueue({ ...limits, maxRunning: Number.POSITIVE_INFINITY }, turns),
    members: createRenderQueue({ ...limits, maxRunning: 4 }, turns),
  }
}

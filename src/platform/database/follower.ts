import { SECOND } from '../time.ts'
import type { DatabaseListener } from './listen.ts'

export interface FollowerOptions {
  listener: DatabaseListener
  /** Channel of the notifications. Their payload names the key that changed. */
  channel: string
  /** Copies that are loaded separately, such as one per partner; without keys there is one, and payloads are ignored. */
  keys?: readonly string[] | undefined
  /** Reads the database and replaces the copy of a key in memory. */
  load: (key: string) => Promise<void>
  /** Polling interval (milliseconds) that makes up for missed notifications. */
  pollEveryMs?: number
  /** Called with the error of a load without a caller. */
  onError: (error: Error, key: string) => void
}

/** Keeps copies in memory up to date with the database. */
export interface Follower {
  /** Loads every key for the first time, two at once. Rejects when a load fails. */
  start(): Promise<void>
  /** Resolves once a load that began after this call is done. Calls during a load share the next one. */
  refresh(key: string): Promise<void>
  /** Refreshes every key, two at once. */
  refreshAll(): Promise<void>
  /** Refreshes without waiting; errors go to `onError`. */
  refreshQuietly(key: string): void
  /** Ends polling and waits for running loads. Nothing is loaded afterwards. */
  close(): Promise<void>
}

/** Keys that are loaded at once when all are: more would take the connections of other requests. */
const maxConcurrent = 2

interface Loads {
  running: Promise<void> | null
  next: Promise<void> | null
}

/**
 * Creates a follower. After the first loads it loads a key again on each notification about it, all keys when the
 * connection for notifications was reopened, and all keys at intervals.
 */
export function createFollower(options: FollowerOptions): Follower {
  const { listener, channel, keys = [''], load, pollEveryMs = 15 * SECOND, onError } = options
  const loads = new Map<string, Loads>(keys.map((key) => [key, { running: null, next: null }]))
  let pollTimer: NodeJS.Timeout | undefined
  let isClosed = false

  async function run(key: string, state: Loads): Promise<void> {
    state.next = null
    if (isClosed) return
    state.running = load(key).finally(() => {
      state.running = null
    })
    await state.running
  }

  // A change during a load may have been missed by it, so that another one follows.
  async function refresh(key: string): Promise<void> {
    const state = loads.get(key)
    if (!state) throw new RangeError(`not a key of ${channel}: ${key}`)
    if (state.next) return state.next
    if (!state.running) return run(key, state)
    const runNext = () => run(key, state)
    state.next = state.running.then(runNext, runNext)
    return state.next
  }

  const reportLoss = (key: string) => (error: Error) => {
    if (!isClosed) onError(error, key)
  }

  const refreshQuietly = (key: string): void => void refresh(key).catch(reportLoss(key))

  async function eachKey(work: (key: string) => Promise<void>): Promise<void> {
    const waiting = [...keys]
    const next = async () => {
      for (let key = waiting.shift(); key !== undefined; key = waiting.shift()) await work(key)
    }
    await Promise.all(Array.from({ length: maxConcurrent }, next))
  }

  const refreshAll = () => eachKey(refresh)

  function onNotification(payload: string | null): void {
    if (isClosed) return
    if (options.keys && payload !== null) {
      if (keys.includes(payload)) refreshQuietly(payload)
    } else void eachKey((key) => refresh(key).catch(reportLoss(key)))
  }

  return {
    async start() {
      await refreshAll()
      if (isClosed) return
      listener.on(channel, onNotification)
      pollTimer = setInterval(() => onNotification(null), pollEveryMs).unref()
    },
    refresh,
    refreshAll,
    refreshQuietly,
    async close() {
      isClosed = true
      clearInterval(pollTimer)
      await Promise.allSettled([...loads.values()].flatMap(({ running, next }) => [running, next]))
    },
  }
}

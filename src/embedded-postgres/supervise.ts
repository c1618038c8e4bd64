import { setTimeout as sleep } from 'node:timers/promises'

/** Restarts a server when it is lost. */
export interface Supervisor {
  /** Starts a restart; does nothing while one is in progress. */
  restart(): void
  stop(): void
}

const initialBackoffMs = 250
const maxBackoffMs = 15_000
/** A server that ran this long before it was lost is restarted without delay. */
const stableAfterMs = 60_000

/**
 * Calls `start` after the server was lost, until it succeeds. The delays between attempts double up to 15 seconds, also
 * when the server starts and is lost again within a minute. `wait` replaces the delays of a test.
 */
export function supervise(
  start: () => Promise<void>,
  log: (line: string) => void,
  wait: (ms: number, value: null, options: { signal: AbortSignal; ref: false }) => Promise<unknown> = sleep,
): Supervisor {
  const stopping = new AbortController()
  let backoff = 0
  let runsSince = performance.now()
  let isRunning = false
  let isLostAgain = false

  async function restartUntilReady(): Promise<void> {
    if (performance.now() - runsSince > stableAfterMs) backoff = 0
    log('database: the connection to PostgreSQL was lost; making sure that it runs')
    while (!stopping.signal.aborted) {
      if (backoff > 0) await wait(backoff, null, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return
      backoff = Math.min(Math.max(backoff * 2, initialBackoffMs), maxBackoffMs)
      isLostAgain = false
      try {
        await start()
        if (stopping.signal.aborted) return
        // It may have been lost while its start was completing.
        if (isLostAgain) continue
        log('database: PostgreSQL runs')
        runsSince = performance.now()
        return
      } catch (error) {
        log(`database: ${(error as Error).message}`)
      }
    }
  }

  return {
    restart() {
      isLostAgain = true
      if (isRunning || stopping.signal.aborted) return
      isRunning = true
      void restartUntilReady().finally(() => {
        isRunning = false
      })
    },
    stop: () => stopping.abort(),
  }
}

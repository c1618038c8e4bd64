import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { SECOND } from '../time.ts'
import { FollowingClient } from './address.ts'

/** Database notifications (LISTEN/NOTIFY) of this process. */
export interface Notices {
  /**
   * Calls back with the payload of every notification on a channel, and with null whenever the connection (re)opens:
   * notifications sent while it was closed are lost.
   */
  on(channel: string, listener: (payload: string | null) => void): void
  close(): Promise<void>
}

const firstWait = SECOND / 4
const longestWait = 15 * SECOND

/** Creates one connection for all channels; it reconnects by itself. */
export function createNotices({ url, log }: { url: string; log: Pick<FastifyBaseLogger, 'warn'> }): Notices {
  const listeners = new Map<string, ((payload: string | null) => void)[]>()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let wait = firstWait

  async function keepListening(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost()
      } catch (error) {
        log.warn({ err: error as Error }, 'the listening connection was lost')
      }
      await sleep(wait, null, { signal: closing.signal, ref: false }).catch(() => {})
      wait = Math.min(wait * 2, longestWait)
    }
  }

  async function listenUntilLost(): Promise<void> {
    const next = new FollowingClient({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 8 * SECOND })
    const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
    lost.catch(() => {})
    next.on('error', reject)
    next.on('end', () => reject(new Error('the connection ended')))
    next.on('notification', ({ channel, payload }) => tell(channel, payload ?? ''))
    const stop = () => resolve()
    closing.signal.addEventListener('abort', stop)
    try {
      await next.connect()
      for (const channel of listeners.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = next
      wait = firstWait
      for (const channel of listeners.keys()) tell(channel, null)
      await lost
    } finally {
      client = null
      closing.signal.removeEventListener('abort', stop)
      await next.end().catch(() => {})
    }
  }

  function tell(channel: string, payload: string | null): void {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  const listening = keepListening()
  return {
    on(channel, listener) {
      const known = listeners.get(channel)
      if (known) known.push(listener)
      else {
        listeners.set(channel, [listener])
        // With an open connection, a new channel starts at once; otherwise it starts with the connection.
        void client?.query(`listen ${pg.escapeIdentifier(channel)}`).then(
          () => listener(null),
          () => {},
        )
      }
    },
    async close() {
      closing.abort()
      await listening
    },
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { SECOND } from '../time.ts'
import { PortTrackingClient } from './address.ts'

/** Database notifications (LISTEN/NOTIFY) of this process. */
export interface DatabaseListener {
  /**
   * Calls back with the payload of every notification on a channel, and with null whenever the connection (re)opens:
   * notifications sent while it was closed are lost.
   */
  on(channel: string, listener: (payload: string | null) => void): void
  close(): Promise<void>
}

const initialBackoffMs = SECOND / 4
const maxBackoffMs = 15 * SECOND

/** Creates one connection for all channels; it reconnects by itself. */
export function createDatabaseListener({
  url,
  log,
}: {
  url: string
  log: Pick<FastifyBaseLogger, 'warn'>
}): DatabaseListener {
  const listeners = new Map<string, ((payload: string | null) => void)[]>()
  const closing = new AbortController()
  let client: pg.Client | null = null
  let backoffMs = initialBackoffMs
  // One statement at a time: pg 9 will reject another one on the same client.
  let lastListen: Promise<unknown> = Promise.resolve()

  async function listenWithRetry(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost()
      } catch (error) {
        log.warn({ err: error as Error }, 'the LISTEN connection was lost')
      }
      await sleep(backoffMs, null, { signal: closing.signal, ref: false }).catch(() => {})
      backoffMs = Math.min(backoffMs * 2, maxBackoffMs)
    }
  }

  async function listenUntilLost(): Promise<void> {
    const next = new PortTrackingClient({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 8 * SECOND })
    const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
    lost.catch(() => {})
    next.on('error', reject)
    next.on('end', () => reject(new Error('the connection ended')))
    next.on('notification', ({ channel, payload }) => dispatch(channel, payload ?? ''))
    const stop = () => resolve()
    closing.signal.addEventListener('abort', stop)
    try {
      await next.connect()
      for (const channel of listeners.keys()) await next.query(`listen ${pg.escapeIdentifier(channel)}`)
      client = next
      backoffMs = initialBackoffMs
      for (const channel of listeners.keys()) dispatch(channel, null)
      await lost
    } finally {
      client = null
      closing.signal.removeEventListener('abort', stop)
      await next.end().catch(() => {})
    }
  }

  function dispatch(channel: string, payload: string | null): void {
    for (const listener of listeners.get(channel) ?? []) listener(payload)
  }

  const listening = listenWithRetry()
  return {
    on(channel, listener) {
      const known = listeners.get(channel)
      if (known) known.push(listener)
      else {
        listeners.set(channel, [listener])
        // With an open connection, a new channel starts at once; otherwise it starts with the connection.
        const open = client
        if (!open) return
        lastListen = lastListen
          .then(() => open.query(`listen ${pg.escapeIdentifier(channel)}`))
          .then(
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

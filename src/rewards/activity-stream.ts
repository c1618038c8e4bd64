import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { SECOND } from '../kit/time.ts'

export interface Subscriber {
  partnerId: string
  memberId: number
  /** Something changed for this member, or may have while nobody was listening. */
  onActivity: () => void
  /** The hub closes. */
  onEnd: () => void
}

export interface ActivityHub {
  /** Answers how to stop, or null when the member has too many already. */
  subscribe(subscriber: Subscriber): (() => void) | null
  /** Ends every stream and the connection. */
  close(): Promise<void>
}

/** More tabs than this do not hear of changes by themselves. */
export const maxStreamsOfMember = 3

const firstWait = SECOND / 4
const longestWait = 15 * SECOND

/**
 * One connection of this process listens for all its members. It opens with the first subscriber and comes back by
 * itself when it is lost. `url` is the connection string of the application's role.
 */
export function createActivityHub({ url, log }: { url: string; log: Pick<FastifyBaseLogger, 'warn'> }): ActivityHub {
  const members = new Map<string, Set<Subscriber>>()
  const closing = new AbortController()
  let listening: Promise<void> | null = null

  async function keepListening(): Promise<void> {
    let wait = firstWait
    while (!closing.signal.aborted) {
      try {
        await listenUntilLost(() => {
          wait = firstWait
          tellEverybody()
        })
      } catch (error) {
        log.warn({ err: error as Error }, 'activity: listening connection lost')
      }
      await sleep(wait, null, { signal: closing.signal, ref: false }).catch(() => {})
      wait = Math.min(wait * 2, longestWait)
    }
  }

  async function listenUntilLost(onListening: () => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 8 * SECOND })
    const { promise: lost, resolve, reject } = Promise.withResolvers<void>()
    lost.catch(() => {})
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection ended')))
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    const stop = () => resolve()
    closing.signal.addEventListener('abort', stop)
    try {
      await client.connect()
      await client.query('listen member_activity')
      onListening()
      await lost
    } finally {
      closing.signal.removeEventListener('abort', stop)
      await client.end().catch(() => {})
    }
  }

  // What happened while nobody listened was not heard: everybody looks again.
  function tellEverybody(): void {
    for (const subscribers of members.values()) for (const each of subscribers) each.onActivity()
  }

  function hear(payload: string): void {
    const { partner, member } = JSON.parse(payload) as { partner: string; member: number }
    for (const each of members.get(`${partner}:${member}`) ?? []) each.onActivity()
  }

  return {
    subscribe(subscriber) {
      const key = `${subscriber.partnerId}:${subscriber.memberId}`
      const subscribers = members.get(key) ?? new Set()
      if (closing.signal.aborted || subscribers.size >= maxStreamsOfMember) return null
      members.set(key, subscribers.add(subscriber))
      listening ??= keepListening()
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && members.get(key) === subscribers) members.delete(key)
      }
    },
    async close() {
      closing.abort()
      for (const subscribers of members.values()) for (const each of subscribers) each.onEnd()
      await listening
    },
  }
}

import type { FastifyBaseLogger } from 'fastify'
import pg from 'pg'
import { SECOND } from '../kit/time.ts'

export interface ActivityHub {
  /**
   * Calls `onActivity` after every change for this member, and after a time in which changes may have been missed.
   * `onEnd` is called when the hub closes. Answers how to stop, or null when the member has too many already.
   */
  subscribe(subscriber: Subscriber): (() => void) | null
  /** Ends every stream and the connection. */
  close(): Promise<void>
}

export interface Subscriber {
  partnerId: string
  memberId: number
  onActivity: () => void
  onEnd: () => void
}

/** More tabs than this do not hear of changes by themselves. */
export const maxStreamsOfMember = 3

const channel = 'member_activity'
const firstDelay = SECOND / 4
const longestDelay = 15 * SECOND

/** One connection of this process listens for all its members. It opens with the first subscriber and comes back by itself. */
export function createActivityHub({ url, log }: { url: string; log: Pick<FastifyBaseLogger, 'warn'> }): ActivityHub {
  const members = new Map<string, Set<Subscriber>>()
  let connection: Promise<pg.Client> | null = null
  let client: pg.Client | null = null
  let closed = false
  let retry: NodeJS.Timeout | undefined

  function listen(): void {
    if (connection || closed) return
    connection = connect()
    connection.catch((error) => lost(error))
  }

  async function connect(delay = firstDelay): Promise<pg.Client> {
    void delay
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: 8 * SECOND })
    // Without a listener, a connection that dies takes the process with it.
    next.on('error', (error) => next === client && lost(error))
    next.on('end', () => next === client && lost(new Error('connection ended')))
    next.on('notification', ({ payload }) => hear(payload))
    await next.connect()
    await next.query(`listen ${channel}`)
    client = next
    return next
  }

  let wait = firstDelay
  function lost(error: Error): void {
    if (closed || retry) return
    log.warn({ err: error }, 'activity: listening connection lost')
    client?.end().catch(() => {})
    client = null
    connection = null
    retry = setTimeout(() => {
      retry = undefined
      listen()
      connection?.then(
        () => {
          wait = firstDelay
          // What happened meanwhile was not heard: everybody looks again.
          for (const subscribers of members.values()) for (const each of subscribers) each.onActivity()
        },
        () => {},
      )
    }, wait)
    wait = Math.min(wait * 2, longestDelay)
  }

  function hear(payload: string | undefined): void {
    try {
      const { partner, member } = JSON.parse(payload ?? '') as { partner: string; member: number }
      for (const each of members.get(`${partner}:${member}`) ?? []) each.onActivity()
    } catch (error) {
      log.warn({ err: error as Error }, 'activity: unreadable notice')
    }
  }

  return {
    subscribe(subscriber) {
      const key = `${subscriber.partnerId}:${subscriber.memberId}`
      const subscribers = members.get(key) ?? new Set()
      if (closed || subscribers.size >= maxStreamsOfMember) return null
      members.set(key, subscribers.add(subscriber))
      listen()
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0) members.delete(key)
      }
    },
    async close() {
      closed = true
      clearTimeout(retry)
      for (const subscribers of [...members.values()]) for (const each of [...subscribers]) each.onEnd()
      const open = await connection?.catch(() => null)
      await open?.end().catch(() => {})
    },
  }
}

import type { FastifyBaseLogger } from 'fastify'
import type { DatabaseListener } from '../../platform/database/listen.ts'
import { SECOND } from '../../platform/time.ts'

export interface Subscriber {
  partnerId: string
  memberId: number
  /** Hash of the id of the session that opened the stream. */
  sessionId: Buffer
  /** Something changed for this member, or may have changed while notifications were not received. */
  onActivity: () => void
  /** The session has ended, or the hub closes. */
  onEnd: () => void
}

export interface ActivityHub {
  /** Returns the unsubscribe function, or null when the member already has `maxStreamsOfMember` streams. */
  subscribe(subscriber: Subscriber): (() => void) | null
  /** Ends the streams whose sessions have expired, or ended while no notification could be received. */
  checkSessions(): Promise<void>
  /** Ends every stream. */
  close(): void
}

export interface ActivityHubDeps {
  listener: DatabaseListener
  /** Returns the session ids (hashes) of a program that are still live. */
  liveSessions: (partnerId: string, sessionIds: Buffer[]) => Promise<Buffer[]>
  log: Pick<FastifyBaseLogger, 'warn'>
}

/** Tabs beyond this number do not receive live updates. */
export const maxStreamsOfMember = 3
const checkSessionsEveryMs = 30 * SECOND

/**
 * Notifies the open pages of all members of this process when their activity may have changed: on a database
 * notification, and whenever notifications may have been missed. A stream ends with the session that opened it.
 */
export function createActivityHub({ listener, liveSessions, log }: ActivityHubDeps): ActivityHub {
  const members = new Map<string, Set<Subscriber>>()
  let closed = false

  function* allSubscribers(): Iterable<Subscriber> {
    for (const subscribers of members.values()) yield* subscribers
  }

  function onMemberActivity(payload: string): void {
    const named = JSON.parse(payload) as { partner: string; members: number[] }
    for (const member of named.members) {
      for (const each of members.get(`${named.partner}:${member}`) ?? []) each.onActivity()
    }
  }

  function endStreamsOf(sessionIds: string[]): void {
    for (const each of allSubscribers()) if (sessionIds.includes(each.sessionId.toString('hex'))) each.onEnd()
  }

  async function checkSessions(): Promise<void> {
    const byPartner = Map.groupBy(allSubscribers(), ({ partnerId }) => partnerId)
    for (const [partnerId, subscribers] of byPartner) {
      const found = await liveSessions(
        partnerId,
        subscribers.map(({ sessionId }) => sessionId),
      )
      const live = new Set(found.map((id) => id.toString('hex')))
      for (const each of subscribers) if (!live.has(each.sessionId.toString('hex'))) each.onEnd()
    }
  }

  // A database failure ends no stream: the next check does.
  const checkQuietly = () =>
    checkSessions().catch((error) => log.warn({ err: error as Error }, 'sessions of streams not checked'))
  const checking = setInterval(checkQuietly, checkSessionsEveryMs).unref()

  listener.on('member_activity', (payload) => {
    if (payload !== null) onMemberActivity(payload)
    // Notifications may have been missed: every stream refreshes.
    else for (const each of allSubscribers()) each.onActivity()
  })
  listener.on('session_ended', (payload) => {
    if (payload === null) void checkQuietly()
    else endStreamsOf(payload.split(','))
  })

  return {
    subscribe(subscriber) {
      const key = `${subscriber.partnerId}:${subscriber.memberId}`
      const subscribers = members.get(key) ?? new Set()
      if (closed || subscribers.size >= maxStreamsOfMember) return null
      members.set(key, subscribers.add(subscriber))
      return () => {
        subscribers.delete(subscriber)
        if (subscribers.size === 0 && members.get(key) === subscribers) members.delete(key)
      }
    },
    checkSessions,
    close() {
      closed = true
      clearInterval(checking)
      for (const each of allSubscribers()) each.onEnd()
      members.clear()
    },
  }
}

import type { Notices } from '../../kit/server/notices.ts'

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
  /** Ends every stream. */
  close(): void
}

/** More tabs than this do not hear of changes by themselves. */
export const maxStreamsOfMember = 3

/**
 * Tells the open pages of all members of this process when something of theirs may have changed: at a notice of the
 * database, and whenever notices may have been missed.
 */
export function createActivityHub({ notices }: { notices: Notices }): ActivityHub {
  const members = new Map<string, Set<Subscriber>>()
  let closed = false

  // What happened while nobody listened was not heard: everybody looks again.
  function tellEverybody(): void {
    for (const subscribers of members.values()) for (const each of subscribers) each.onActivity()
  }

  function hear(payload: string): void {
    const named = JSON.parse(payload) as { partner: string; members: number[] }
    for (const member of named.members) {
      for (const each of members.get(`${named.partner}:${member}`) ?? []) each.onActivity()
    }
  }

  notices.on('member_activity', (payload) => (payload === null ? tellEverybody() : hear(payload)))

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
    close() {
      closed = true
      for (const subscribers of members.values()) for (const each of subscribers) each.onEnd()
      members.clear()
    },
  }
}

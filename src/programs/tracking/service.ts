import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { networksOf } from '../../platform/http/network.ts'
import { DAY, MINUTE, SECOND } from '../../platform/time.ts'
import type { Impression } from './contract.ts'
import { isBot } from './rules.ts'
import { type ImpressionRow, insertImpressions } from './store.ts'

export { deleteMemberImpressions, rotateImpressionPartitions } from './store.ts'

/** Maximum events per network address and minute, and per program and day; further events are dropped. */
export const maxPerAddress = 300
export const maxPerProgram = 2_000_000

const maxQueued = 5_000
const maxBatchSize = 500

/** Queues events and writes them in batches, so that a flood of events never delays visitors. */
export interface ImpressionLog {
  /** Returns how many of the events were accepted. */
  add(ctx: Pick<Ctx, 'partnerId' | 'db' | 'actor' | 'address'>, events: readonly Impression[]): number
  /** Writes the queued events. */
  flush(): Promise<void>
  close(): Promise<void>
}

export function createImpressionLog({
  log,
  now = Date.now,
}: {
  log: FastifyBaseLogger
  now?: () => number
}): ImpressionLog {
  const waiting = new Map<string, { db: Db; rows: ImpressionRow[] }>()
  const byAddress = createQuota(maxPerAddress, MINUTE, now)
  const byProgram = createQuota(maxPerProgram, DAY, now)
  let writing: Promise<void> = Promise.resolve()

  async function writeAll(): Promise<void> {
    for (const [partnerId, { db, rows }] of waiting) {
      const batch = rows.splice(0, maxBatchSize)
      if (batch.length === 0) continue
      await write(partnerId, db, batch)
    }
  }
  /** A row that the database rejects does not affect others: the batch is halved until only that row is dropped. */
  async function write(partnerId: string, db: Db, batch: readonly ImpressionRow[]): Promise<void> {
    try {
      await insertImpressions(db, batch)
    } catch (error) {
      if (batch.length > 1 && isRejectedRow(error)) {
        const half = Math.ceil(batch.length / 2)
        await write(partnerId, db, batch.slice(0, half))
        await write(partnerId, db, batch.slice(half))
        return
      }
      // Events are expendable: they are dropped and the loss is logged.
      log.warn({ err: error as Error, partner: partnerId, lost: batch.length }, 'impressions not written')
    }
  }
  const flush = () => {
    writing = writing.then(writeAll)
    return writing
  }
  const timer = setInterval(() => void flush(), SECOND).unref()

  return {
    add({ partnerId, db, actor, address }, events) {
      const real = events.filter(({ userAgent }) => !isBot(userAgent))
      const allowed = Math.min(
        byAddress.take(`${partnerId} ${networksOf(address)[0].network}`, real.length),
        byProgram.remaining(partnerId),
      )
      const queue = waiting.get(partnerId) ?? { db, rows: [] }
      waiting.set(partnerId, queue)
      const accepted = real.slice(0, Math.max(0, Math.min(allowed, maxQueued - queue.rows.length)))
      byProgram.take(partnerId, accepted.length)
      queue.rows.push(...accepted.map((event) => rowOf(event, actor.memberId)))
      if (queue.rows.length >= maxBatchSize) void flush()
      return accepted.length
    },
    flush,
    async close() {
      clearInterval(timer)
      while ([...waiting.values()].some(({ rows }) => rows.length > 0)) await flush()
    },
  }
}

/**
 * Data exceptions (class 22) and constraint violations (class 23) concern a row; all other errors concern the database.
 */
const isRejectedRow = (error: unknown) => /^2[23]/.test(String((error as { code?: unknown }).code))

function rowOf(event: Impression, memberId: number | null): ImpressionRow {
  return {
    happened_at: event.dateTime,
    event_name: event.eventName,
    member_id: memberId,
    merchant_id: event.merchantId ?? null,
    url: event.url,
    user_agent: event.userAgent,
  }
}

/** Maximum number of names that a quota counts; beyond it, the least recently seen name starts again at zero. */
const maxCounted = 50_000

/** Counts by name within a time span; all counts reset when it ends. */
export function createQuota(max: number, span: number, now: () => number, maxNames = maxCounted) {
  // Bounded by size: `max` would reserve memory for all names.
  const counts = new LRUCache<string, number>({ maxSize: maxNames, sizeCalculation: () => 1 })
  let ends = now() + span
  const remaining = (name: string) => {
    if (now() >= ends) {
      counts.clear()
      ends = now() + span
    }
    return Math.max(0, max - (counts.get(name) ?? 0))
  }
  return {
    remaining,
    /** Takes up to `wanted` of the remaining quota. */
    take(name: string, wanted: number): number {
      const taken = Math.min(wanted, remaining(name))
      counts.set(name, (counts.get(name) ?? 0) + taken)
      return taken
    },
  }
}

import { inTransaction, lockName, type Tx, violatedConstraint } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'

/**
 * Number of partitions of a partner's messages; each has one transaction at a time across all processes. All messages
 * about one card are in one partition, so related messages are never processed concurrently.
 */
export const shardCount = 2

export function shardOf(cardToken: string): number {
  let hash = 0
  for (let index = 0; index < cardToken.length; index++) hash = (Math.imul(hash, 31) + cardToken.charCodeAt(index)) | 0
  return (hash >>> 0) % shardCount
}

const all: ReadonlySet<number> = new Set(Array.from({ length: shardCount }, (_, shard) => shard))

/** A message names another card than earlier ones about the same transaction: the partitions of both are needed. */
class OtherLanes extends Error {
  readonly shards: ReadonlySet<number>
  constructor(shards: ReadonlySet<number>) {
    super('messages of another lane bear on these')
    this.shards = shards
  }
}

/** Throws, so that the work starts again with more partitions, when messages about these cards are related too. */
export type HoldsFor = (cardTokens: readonly string[] | 'every') => void

/** Runs work in one transaction that locks the partitions of these cards; of all cards for `every`. */
export async function inLanes<T>(
  ctx: Ctx,
  cardTokens: readonly string[] | 'every',
  work: (tx: Tx, holdsFor: HoldsFor) => Promise<T>,
): Promise<T> {
  let shards = shardsOf(cardTokens)
  for (let attempt = 1; ; attempt++) {
    const held = shards
    try {
      return await inTransaction(ctx.db, async (tx) => {
        const locks = [...held].toSorted().map((shard) => lockName(tx, `feed:${ctx.partnerId}:${shard}`))
        const holdsFor: HoldsFor = (tokens) => {
          const needed = new Set([...held, ...shardsOf(tokens)])
          if (needed.size > held.size) throw new OtherLanes(needed)
        }
        // The first queries of the work are sent together with the locks and run once these are held.
        const [result] = await Promise.all([work(tx, holdsFor), ...locks])
        return result
      })
    } catch (error) {
      // Another partition inserted the transaction: it exists now. With `OtherLanes` the retry locks both partitions.
      const isTwice = onlyOnce.has(violatedConstraint(error) ?? '') && attempt < mostAttempts
      if (error instanceof OtherLanes) shards = error.shards
      else if (!isTwice) throw error
    }
  }
}

function shardsOf(cardTokens: readonly string[] | 'every'): ReadonlySet<number> {
  return cardTokens === 'every' ? all : new Set(cardTokens.map(shardOf))
}

const mostAttempts = 5
const onlyOnce = new Set(['transactions_partner_id_network_id_key', 'feed_messages_pkey'])

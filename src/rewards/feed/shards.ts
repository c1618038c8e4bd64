import type { Ctx } from '../../kit/server/context.ts'
import { inTransaction, lockName, type Tx, violatedConstraint } from '../../kit/server/db.ts'

/**
 * A partner's messages are worked on in so many lanes, each one transaction at a time, by whatever process. All messages
 * about one card are in one lane: those that bear on each other are never worked on at the same time.
 */
export const shardCount = 2

export function shardOf(cardToken: string): number {
  let hash = 0
  for (let index = 0; index < cardToken.length; index++) hash = (Math.imul(hash, 31) + cardToken.charCodeAt(index)) | 0
  return (hash >>> 0) % shardCount
}

const all: ReadonlySet<number> = new Set(Array.from({ length: shardCount }, (_, shard) => shard))

/** A message names another card than those before it about the same meal: the lanes of both are needed. */
class OtherLanes extends Error {
  readonly shards: ReadonlySet<number>
  constructor(shards: ReadonlySet<number>) {
    super('messages of another lane bear on these')
    this.shards = shards
  }
}

/** Throws, so that the work begins anew with more lanes, when messages about these cards bear on it too. */
export type HoldsFor = (cardTokens: readonly string[] | 'every') => void

/** Runs work in one transaction that holds the lanes of these cards; of all cards for `every`. */
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
        // What the work asks first is sent with the locks, and answered when they are held.
        const [result] = await Promise.all([work(tx, holdsFor), ...locks])
        return result
      })
    } catch (error) {
      // Another lane was quicker with a meal that names two cards: now it is there, and both lanes are asked for.
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

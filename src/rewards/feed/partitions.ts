import { acquireAdvisoryLock, inTransaction, type Tx, violatedConstraint } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'

/**
 * Number of partitions of a partner's messages; each has one transaction at a time across all processes. All messages
 * about one card are in one partition, so related messages are never processed concurrently.
 */
export const partitionCount = 2

export function partitionOf(cardToken: string): number {
  let hash = 0
  for (let index = 0; index < cardToken.length; index++) hash = (Math.imul(hash, 31) + cardToken.charCodeAt(index)) | 0
  return (hash >>> 0) % partitionCount
}

const allPartitions: ReadonlySet<number> = new Set(Array.from({ length: partitionCount }, (_, partition) => partition))

/** A message names another card than earlier ones about the same transaction: the partitions of both are needed. */
class PartitionMismatch extends Error {
  readonly partitions: ReadonlySet<number>
  constructor(partitions: ReadonlySet<number>) {
    super('messages of another partition are related to these')
    this.partitions = partitions
  }
}

/** Throws, so that the work starts again with more partitions, when messages about these cards are related too. */
export type RequirePartitions = (cardTokens: readonly string[] | 'every') => void

/** Runs work in one transaction that locks the partitions of these cards; of all cards for `every`. */
export async function withPartitionLocks<T>(
  ctx: Ctx,
  cardTokens: readonly string[] | 'every',
  work: (tx: Tx, requirePartitions: RequirePartitions) => Promise<T>,
): Promise<T> {
  let partitions = partitionsOf(cardTokens)
  for (let attempt = 1; ; attempt++) {
    const held = partitions
    try {
      return await inTransaction(ctx.db, async (tx) => {
        const locks = [...held]
          .toSorted()
          .map((partition) => acquireAdvisoryLock(tx, `feed:${ctx.partnerId}:${partition}`))
        const requirePartitions: RequirePartitions = (tokens) => {
          const needed = new Set([...held, ...partitionsOf(tokens)])
          if (needed.size > held.size) throw new PartitionMismatch(needed)
        }
        // The first queries of the work are sent together with the locks and run once these are held.
        const [result] = await Promise.all([work(tx, requirePartitions), ...locks])
        return result
      })
    } catch (error) {
      // Another partition inserted the transaction: it exists now. After a `PartitionMismatch` the retry locks both.
      const isConcurrentInsert = retryableConstraints.has(violatedConstraint(error) ?? '') && attempt < maxAttempts
      if (error instanceof PartitionMismatch) partitions = error.partitions
      else if (!isConcurrentInsert) throw error
    }
  }
}

function partitionsOf(cardTokens: readonly string[] | 'every'): ReadonlySet<number> {
  return cardTokens === 'every' ? allPartitions : new Set(cardTokens.map(partitionOf))
}

const maxAttempts = 5
const retryableConstraints = new Set(['transactions_partner_id_network_id_key', 'feed_messages_pkey'])

import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/database/db.ts'
import { tryOrDo } from '../../platform/database/dry-run.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { findTransactions, reasonOf, type TransactionRow } from '../awards/store.ts'
import type { ChangedTransaction } from './attach.ts'
import { withPartitionLocks } from './partitions.ts'
import { foldAgain } from './receive-events.ts'

interface ReplayOptions {
  isDry: boolean
  /** Called last in the transaction, when it is not dry. */
  record?: (tx: Tx, changed: readonly ChangedTransaction[]) => Promise<void>
}

/**
 * Folds, matches and decides the stored messages of transactions again, in one transaction. Idempotent: what has been
 * applied already changes nothing. Returns the transactions that changed.
 */
export async function replay(
  ctx: Ctx,
  networkIds: readonly string[],
  { isDry, record }: ReplayOptions,
): Promise<ChangedTransaction[]> {
  return tryOrDo({ isDry }, (finish) =>
    withPartitionLocks(ctx, 'every', async (tx, requirePartitions) => {
      const before = await findTransactions(tx, networkIds)
      await foldAgain(tx, ctx, networkIds, requirePartitions)
      const after = await findTransactions(tx, networkIds)
      const changed = [...after].flatMap(([id, is]) => {
        const was = before.get(id) ?? is
        return factsOf(was) !== factsOf(is) || !before.has(id) ? [{ was, is }] : []
      })
      if (!isDry) await record?.(tx, changed)
      return finish(changed)
    }),
  )
}

const factsOf = (row: TransactionRow) =>
  JSON.stringify([row.member_id, row.merchant_id, row.benefit, row.award_status, row.stage, reasonOf(row).code])

/** Returns the ids in messages that came in a span of time, up to `limit`. */
export async function listIdsOfSpan(
  db: Db,
  { from, to, limit }: { from: string; to: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct network_id as id from feed_messages
    where partner_id = current_partner() and received_at >= ${from} and received_at < ${to} limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

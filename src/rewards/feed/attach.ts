import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { tryOrDo } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { findTransaction, findTransactions, type TransactionRow, timeZoneOf } from '../awards/store.ts'
import { withPartitionLocks } from './partitions.ts'
import { foldAgain, maxBatchSize } from './receive-events.ts'
import { listUnmatchedNetworkIds } from './store.ts'

/** What an unmatched transaction turned out to be: of a restaurant, or by a card. */
export type Target = { merchantId: number } | { cardId: number }

/** A transaction before and after an act. */
export interface ChangedTransaction {
  was: TransactionRow
  is: TransactionRow
}

interface AttachOptions {
  isDry: boolean
  /** Called last in the transaction, when it is not dry. */
  record?: (tx: Tx, changed: readonly ChangedTransaction[]) => Promise<void>
}

/**
 * Teaches the network id of a transaction to a restaurant, or the token of its card to a card, and matches everything
 * that waited for it: with the code that receives messages. Later messages match by themselves. Returns the transactions
 * that changed; a dry run changes nothing. Throws `conflict` when the transaction is no longer unmatched.
 */
export async function attach(
  ctx: Ctx,
  networkId: string,
  target: Target,
  { isDry, record }: AttachOptions,
): Promise<ChangedTransaction[]> {
  return tryOrDo({ isDry }, (finish) =>
    withPartitionLocks(ctx, 'every', async (tx, requirePartitions) => {
      const row = await findTransaction(tx, networkId)
      if (!row || row.unmatched === null) throw new ApiError('conflict')
      const ids = await teach(tx, row, target)
      const before = await findTransactions(tx, ids)
      await foldAgain(tx, ctx, ids, requirePartitions)
      const after = await findTransactions(tx, ids)
      const changed = [...before].flatMap(([id, was]) => {
        const is = after.get(id)
        return is && (is.merchant_id !== was.merchant_id || is.member_id !== was.member_id) ? [{ was, is }] : []
      })
      if (!isDry) await record?.(tx, changed)
      return finish(changed)
    }),
  )
}

/** Stores what the network names by an id or a token. Returns the network ids of what waited for it. */
async function teach(tx: Tx, row: TransactionRow, target: Target): Promise<string[]> {
  if ('cardId' in target) {
    if (row.unmatched !== 'card' || row.card_token === null) throw new ApiError('conflict')
    await sql`insert into card_tokens (partner_id, token, card_id)
      values (current_partner(), ${row.card_token}, ${target.cardId})
      on conflict (partner_id, token) do update set card_id = excluded.card_id`.execute(tx)
    return withOwn(row, await listUnmatchedNetworkIds(tx, { cardToken: row.card_token }))
  }
  if (row.merchant_id !== null) throw new ApiError('conflict')
  const waiting = withOwn(row, await listUnmatchedNetworkIds(tx, { locationId: row.network_location_id }))
  await teachNetworkId(tx, row.network_location_id, target.merchantId, row)
  return waiting
}

/** One transaction holds the feed back for a moment: what is beyond is matched by the next run of its periodic task. */
const withOwn = ({ network_id }: TransactionRow, ids: readonly string[]) =>
  [...new Set([network_id, ...ids])].slice(0, maxBatchSize)

/**
 * A restaurant that is the only one with an id has always had it. Where another restaurant has it too, this one had it
 * from the day of the transaction on, until the other one got it.
 */
async function teachNetworkId(tx: Tx, networkId: string, merchantId: number, row: TransactionRow): Promise<void> {
  await sql`
    with others as (
      select min(since) filter (where since > ${row.occurred_at}) as next, count(*) as count
      from merchant_network_ids where network_id = ${networkId} and merchant_id <> ${merchantId})
    insert into merchant_network_ids (network_id, merchant_id, since, until)
    select ${networkId}, ${merchantId},
      case when count = 0 then date '2000-01-01' else (${row.occurred_at} at time zone ${timeZoneOf(row)})::date - 1 end,
      next
    from others
    on conflict (network_id, merchant_id, since) do update set until = excluded.until`.execute(tx)
}

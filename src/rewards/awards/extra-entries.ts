import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import type { TransactionFields } from './store.ts'

export interface BonusEntry {
  networkId: string
  publicId: string
  benefit: number
  unit: string
  /** `dines`: the network ids of the transactions that completed it. */
  reason: { code: string; description?: string; dines?: readonly string[] }
}

/**
 * Returns the network ids of the transactions that completed these bonuses, by the network id of each; null for those
 * that were posted before they were stored.
 */
export async function findBonusDines(
  tx: Tx,
  networkIds: readonly string[],
): Promise<Map<string, readonly string[] | null>> {
  if (networkIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; dines: string[] | null }>`
    select network_id as id, reason -> 'dines' as dines from transactions
    where partner_id = current_partner() and network_id = any(${[...networkIds]})`.execute(tx)
  return new Map(rows.map(({ id, dines }) => [id, dines]))
}

/** Inserts or updates the bonus of a transaction as an entry of its own. */
export async function saveBonus(tx: Tx, transaction: TransactionFields, bonus: BonusEntry): Promise<void> {
  const state = {
    benefit: bonus.benefit,
    award_status: bonus.benefit > 0 ? 'Awarded' : 'Forfeit',
    reason: JSON.stringify(bonus.reason),
  }
  await tx
    .insertInto('transactions')
    .values({
      ...state,
      public_id: `bonus-${bonus.publicId}`,
      network_id: bonus.networkId,
      member_id: transaction.member_id,
      card_id: transaction.card_id,
      merchant_id: transaction.merchant_id,
      merchant_name: transaction.merchant_name,
      network_location_id: transaction.network_location_id,
      card_last_four: transaction.card_last_four,
      type_code: 'B',
      stage: 'cleared',
      unit: bonus.unit,
      occurred_at: transaction.occurred_at,
      cleared_at: transaction.cleared_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'network_id']).doUpdateSet({
        ...state,
        ...(bonus.benefit > 0 && {
          // Like other transactions, one that was paid stays paid while its award is above zero.
          award_status: sql<string>`case when transactions.paid_at is null then 'Awarded' else 'Paid' end`,
          // A bonus that is posted again may belong to another transaction.
          card_id: transaction.card_id,
          merchant_id: transaction.merchant_id,
          merchant_name: transaction.merchant_name,
          network_location_id: transaction.network_location_id,
          card_last_four: transaction.card_last_four,
          occurred_at: transaction.occurred_at,
          cleared_at: transaction.cleared_at,
        }),
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

export interface ManualEntry {
  memberId: number
  cardId: number | null
  cardLastFour: string
  merchantId: number | null
  merchantName: string
  networkId: string
  publicId: string
  cents: number
  unit: string
  reason: object
  dinedAt: Date
}

/** Inserts a manual entry that is not posted yet, unless it already exists. */
export async function insertManualEntry(tx: Tx, entry: ManualEntry): Promise<void> {
  await tx
    .insertInto('transactions')
    .values({
      public_id: entry.publicId,
      network_id: entry.networkId,
      member_id: entry.memberId,
      card_id: entry.cardId,
      merchant_id: entry.merchantId,
      merchant_name: entry.merchantName,
      network_location_id: '',
      card_last_four: entry.cardLastFour,
      type_code: 'M',
      stage: 'cleared',
      award_status: 'Forfeit',
      ticket_cents: entry.cents,
      cleared_cents: entry.cents,
      unit: entry.unit,
      reason: JSON.stringify(entry.reason),
      occurred_at: entry.dinedAt,
      cleared_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'network_id']).doNothing())
    .execute()
}

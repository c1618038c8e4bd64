import { type Selectable, sql } from 'kysely'
import type { Transactions } from '../../../db/schema.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { withTerms } from './award-terms.ts'
import type { TransactionDecision } from './decide.ts'
import { persistAgain } from './persist-again.ts'
import type { TransactionRow } from './store.ts'

// A card that moved to another program and came back is linked in both for the time in between, and both may be told of
// one meal. It counts where the card is now; the other program withdraws its award (docs/decisions/020). The database
// tells a program nothing about the other one but that a meal counts there.

/** Returns those of these cards that two programs have for the same time. */
export async function findOverlappingCards(tx: Tx, cardIds: readonly number[]): Promise<number[]> {
  if (cardIds.length === 0) return []
  const { rows } = await sql<{ id: number }>`select find_overlapping_cards(${cardIds}::bigint[]) as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * Withdraws the awards of meals by these cards that count in another program, restores those that no longer do, and
 * tells the other program by a job what counts here. `written` are the transactions that this database transaction has
 * written. Returns them as they are now, and the others that changed. The caller holds the locks of the members.
 */
export async function settleOverlaps(
  tx: Tx,
  ctx: Ctx,
  cardIds: readonly number[],
  written: readonly TransactionDecision[],
): Promise<readonly TransactionDecision[]> {
  // The locks come first: what the other program stores meanwhile is seen here, or told to this program by a job.
  await sql`select announce_counted_meals(${cardIds}::bigint[])`.execute(tx)
  const { rows } = await sql<{ id: string }>`
    select find_meals_counted_elsewhere(${cardIds}::bigint[]) as id`.execute(tx)
  const elsewhere = new Set(rows.map(({ id }) => id))
  return persistAgain(tx, ctx, written, {
    rows: await listMeals(tx, cardIds, [...elsewhere]),
    flag: 'countedElsewhere',
    isSet: (row) => elsewhere.has(row.network_id),
  })
}

/** Returns the reported meals by these cards that count elsewhere: these, and those that did before. */
async function listMeals(tx: Tx, cardIds: readonly number[], elsewhere: readonly string[]): Promise<TransactionRow[]> {
  const { rows } = await sql<Selectable<Transactions>>`
    select t.* from cards c join transactions t on t.member_id = c.member_id and t.card_id = c.id and t.type_code = 'S'
    where c.id = any(${cardIds})
      and (t.network_id = any(${elsewhere}) or t.reason -> 'inputs' -> 'countedElsewhere' is not null)
    order by t.occurred_at, t.network_id collate "C"`.execute(tx)
  return withTerms(tx, rows)
}

/** Returns this program's card of an overlap that another program has told of, with its member. */
export async function findCardOfOverlap(tx: Tx, id: string): Promise<{ cardId: number; memberId: number } | undefined> {
  const { rows } = await sql<{ cardId: number; memberId: number }>`
    select id as "cardId", member_id as "memberId" from cards where id = card_of_overlap(${id}::uuid)`.execute(tx)
  return rows[0]
}

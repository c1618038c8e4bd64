import type { Selectable } from 'kysely'
import type { Db, Tx } from '../kit/server/db.ts'
import type { Cards } from '../kit/server/schema.ts'

export type CardRow = Selectable<Cards>

/** The member's linked cards, oldest first. */
export async function cardsOf(db: Db | Tx, memberId: number): Promise<CardRow[]> {
  return db
    .selectFrom('cards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** The linked card with a fingerprint, whoever's it is. */
export async function findByFingerprint(tx: Tx, fingerprint: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('cards')
    .selectAll()
    .where('fingerprint', '=', fingerprint)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

export type NewCardRow = Pick<
  CardRow,
  'public_id' | 'member_id' | 'token' | 'fingerprint' | 'card_type' | 'description' | 'last_four'
>

/** Nothing when the card was linked by someone else at this very moment. */
export async function insertCard(tx: Tx, card: NewCardRow): Promise<CardRow | undefined> {
  return tx
    .insertInto('cards')
    .values(card)
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'fingerprint']).where('removed_at', 'is', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** The member's card by its public id, linked or removed. */
export async function findOwn(tx: Tx, memberId: number, publicId: string): Promise<CardRow | undefined> {
  return tx
    .selectFrom('cards')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}

export async function markRemoved(tx: Tx, id: number): Promise<void> {
  await tx.updateTable('cards').set({ removed_at: new Date() }).where('id', '=', id).execute()
}

import { type Selectable, sql } from 'kysely'
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

/** Every card a member ever linked, with the tokens that no other member's linked card shares. */
export async function tokensOf(db: Db, memberId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('cards')
    .select('token')
    .distinct()
    .where('member_id', '=', memberId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('cards as other')
            .select('other.id')
            .whereRef('other.token', '=', 'cards.token')
            .where('other.member_id', '<>', memberId)
            .where('other.removed_at', 'is', null),
        ),
      ),
    )
    .execute()
  return rows.map(({ token }) => token)
}

/** Unlinks what is linked and takes from every card of a member what could find it again. */
export async function blankCardsOf(tx: Tx, memberId: number): Promise<void> {
  await tx
    .updateTable('cards')
    .set({
      removed_at: sql<Date>`coalesce(removed_at, now())`,
      token: sql<string>`'forgotten:' || id`,
      fingerprint: sql<string>`'forgotten:' || id`,
      last_four: '0000',
      partner_card_id: null,
    })
    .where('member_id', '=', memberId)
    .execute()
}

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { publicId } from '../../platform/security/ids.ts'

export interface SampleCard {
  token: string
  lastFour: string
  scheme: string
}

/** Links a card that does not exist at the vault: for simulated members. */
export async function linkSampleCard(
  tx: Tx,
  { memberId, lastFour, linkedAt }: { memberId: number; lastFour: string; linkedAt: Date },
): Promise<SampleCard> {
  const token = randomUUID()
  await tx
    .insertInto('cards')
    .values({
      public_id: publicId(),
      member_id: memberId,
      token,
      fingerprint: randomUUID(),
      card_type: 'VISA',
      description: 'Visa',
      last_four: lastFour,
      linked_at: linkedAt,
    })
    .execute()
  return { token, lastFour, scheme: 'visa' }
}

/** Returns each member's first linked card. */
export async function findFirstCards(tx: Tx, memberIds: readonly number[]): Promise<Map<number, SampleCard>> {
  const rows = await tx
    .selectFrom('cards')
    .select(['member_id', 'token', 'last_four', 'card_type'])
    .where('member_id', '=', sql<number>`any(${memberIds})`)
    .where('removed_at', 'is', null)
    .orderBy('id', 'desc')
    .execute()
  return new Map(
    rows.map((row) => [
      row.member_id,
      { token: row.token, lastFour: row.last_four, scheme: row.card_type.toLowerCase() },
    ]),
  )
}

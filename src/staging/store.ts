import type { MemberRow } from '../identity/members/service.ts'
import type { Db } from '../platform/database/db.ts'

export interface LinkedCard {
  publicId: string
  token: string
  lastFour: string
  scheme: string
  firstName: string
  lastName: string
}

/** Returns the linked cards of this program, newest first. */
export async function linkedCards(db: Db): Promise<LinkedCard[]> {
  return db
    .selectFrom('cards')
    .innerJoin('members', 'members.id', 'cards.member_id')
    .select([
      'cards.public_id as publicId',
      'cards.token',
      'cards.last_four as lastFour',
      'cards.card_type as scheme',
      'members.first_name as firstName',
      'members.last_name as lastName',
    ])
    .where('cards.removed_at', 'is', null)
    .orderBy('cards.id', 'desc')
    .limit(50)
    .execute()
}

/** Returns the card network's location id of a merchant. */
export async function networkLocation(
  db: Db,
  publicId: string,
): Promise<{ locationId: string; name: string } | undefined> {
  return db
    .selectFrom('merchants')
    .select(['network_location_id as locationId', 'name'])
    .where('public_id', '=', publicId)
    .executeTakeFirst()
}

/** Returns the members of this program, newest first. */
export async function newestMembers(db: Db): Promise<MemberRow[]> {
  return db.selectFrom('members').selectAll().where('deleted_at', 'is', null).orderBy('id', 'desc').limit(30).execute()
}

import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'

/** Maximum number of members in one notification: its payload is limited. */
const maxMembersPerPayload = 500

/** Notifies every process, on commit, that something changed for members. */
export async function publishActivity(tx: Tx, partner: string, members: readonly number[]): Promise<void> {
  for (let from = 0; from < members.length; from += maxMembersPerPayload) {
    const payload = JSON.stringify({ partner, members: members.slice(from, from + maxMembersPerPayload) })
    await sql`select pg_notify('member_activity', ${payload})`.execute(tx)
  }
}

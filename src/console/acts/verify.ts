import { sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { firstHash, type HashedAct, hashAct } from './hash.ts'
import { isoTime } from './service.ts'

/** Entries that are checked with one query. */
const batch = 1_000

export interface ChainResult {
  /** Number of whole entries, up to the first broken one. */
  checked: number
  /** Id of the first entry that was changed, or that is beside a removed one; null when the chain is whole. */
  brokenAt: number | null
}

/** The last entry that a check has seen. */
interface Anchor {
  lastId: number
  lastHash: Buffer
}

/**
 * Checks the chain of all entries, and that the last entry of earlier checks is still there: a chain whose newest entries
 * were removed is whole. Memory does not grow with the number of entries.
 */
export async function verifyActs(db: Db, anchor: Anchor | null = null): Promise<ChainResult & Partial<Anchor>> {
  let last: Anchor = { lastId: 0, lastHash: firstHash }
  let checked = 0
  let isAnchored = anchor === null
  for (;;) {
    const { rows } = await sql<HashedAct & { id: number; previousHash: Buffer; hash: Buffer }>`
      select id, ${isoTime(sql`at`)} as at, operator_id as "operatorId", operator_name as "operatorName", action,
        partner_id as "partnerId", object_type as "objectType", object_id as "objectId", object_label as "objectLabel",
        member_id as "memberId", reason, before, after, status, address, request_id as "requestId",
        previous_hash as "previousHash", hash
      from console.acts where id > ${last.lastId} order by id limit ${batch}`.execute(db)
    for (const { id, previousHash, hash, ...act } of rows) {
      const isWhole = last.lastHash.equals(previousHash) && hashAct(last.lastHash, act).equals(hash)
      // A chain that was written anew, or that went on after its newest entries were removed, is whole.
      isAnchored ||= id === anchor?.lastId && hash.equals(anchor.lastHash)
      const isAnother = !isAnchored && id >= (anchor?.lastId ?? 0)
      if (!isWhole || isAnother) return { checked, brokenAt: id, ...last }
      last = { lastId: id, lastHash: hash }
      checked++
    }
    if (rows.length < batch) break
  }
  return { checked, brokenAt: isAnchored ? null : (anchor?.lastId ?? null), ...last }
}

export interface ChainCheck extends ChainResult {
  at: Date
}

/** Checks the audit log and stores the result. Returns what was found. */
export async function checkActs(db: Db): Promise<ChainResult> {
  const { rows } = await sql<Anchor>`
    select last_id as "lastId", last_hash as "lastHash" from console.act_checks
    where broken_at is null and last_id is not null order by id desc limit 1`.execute(db)
  const { checked, brokenAt, lastId, lastHash } = await verifyActs(db, rows[0] ?? null)
  await db
    .insertInto('console.act_checks')
    .values({ checked, broken_at: brokenAt, last_id: lastId || null, last_hash: lastId ? (lastHash ?? null) : null })
    .execute()
  return { checked, brokenAt }
}

/** Returns the result of the last check; null before the first one. */
export async function findLastCheck(db: Db): Promise<ChainCheck | null> {
  const row = await db
    .selectFrom('console.act_checks')
    .select(['at', 'checked', 'broken_at as brokenAt'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { networksOf } from '../http/network.ts'
import type { Db, Tx } from './db.ts'
import { fromNow } from './from-now.ts'

/** Returns the key that attempts are counted under: a keyed hash, so that the table does not reveal what was typed. */
export function attemptKey(secret: Buffer, ...about: readonly string[]): Buffer {
  return createHmac('sha256', secret).update(about.join(':')).digest()
}

/** Returns whether the key is locked now, by the database clock. */
export async function isLocked(db: Db | Tx, key: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('attempts')
    .select('key_hash')
    .where('key_hash', '=', key)
    .where('locked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Counts an attempt in a window of `windowMs`; the attempt that reaches `maxAttempts` locks the key for `windowMs`. Returns
 * the attempt's number within the window. Call it before the attempt is made, so that concurrent attempts cannot exceed
 * the limit.
 */
export async function countAttempt(
  db: Db | Tx,
  { key, maxAttempts, windowMs }: { key: Buffer; maxAttempts: number; windowMs: number },
): Promise<number> {
  const lockedUntil = fromNow(windowMs)
  // A window in which every attempt was withdrawn starts again: a later failure must count for as long as any other.
  const expired = sql<boolean>`(attempts.started_at < ${fromNow(-windowMs)} or attempts.count = 0)`
  const { rows } = await sql<{ count: number }>`
    insert into attempts (key_hash, count, locked_until)
    values (${key}, 1, case when ${maxAttempts}::int <= 1 then ${lockedUntil} end)
    on conflict (partner_id, key_hash) do update set
      count = case when ${expired} then 1 else attempts.count + 1 end,
      started_at = case when ${expired} then now() else attempts.started_at end,
      locked_until = case
        when not ${expired} and attempts.count + 1 >= ${maxAttempts} then ${lockedUntil}
        else attempts.locked_until end
    returning count`.execute(db)
  return rows[0]?.count ?? 1
}

/** Withdraws an attempt that was counted but not made, or is right, and the lock that it caused. */
export async function withdrawAttempt(
  db: Db | Tx,
  { key, maxAttempts }: { key: Buffer; maxAttempts: number },
): Promise<void> {
  await db
    .updateTable('attempts')
    .set({
      count: sql`count - 1`,
      locked_until: sql`case when count > ${maxAttempts}::int then locked_until end`,
    })
    .where('key_hash', '=', key)
    .where('count', '>', 0)
    .execute()
}

export async function resetAttempts(db: Db | Tx, key: Buffer): Promise<void> {
  await db.deleteFrom('attempts').where('key_hash', '=', key).execute()
}

export interface AddressAttempt {
  /** Keys the counters. */
  secret: Buffer
  /** Name of what is counted. */
  about: string
  partnerId: string
  address: string
}

/** Returns the keys that an address is counted under, each with its multiple of the limit. See `networksOf`. */
const keysOf = ({ secret, about, partnerId, address }: AddressAttempt) =>
  networksOf(address).map(({ network, times }) => ({ key: attemptKey(secret, about, partnerId, network), times }))

/** Returns whether a network of the address is locked now. */
export async function isAddressLocked(db: Db | Tx, from: AddressAttempt): Promise<boolean> {
  const locked = await Promise.all(keysOf(from).map(({ key }) => isLocked(db, key)))
  return locked.includes(true)
}

/**
 * Counts an attempt from an address, as `countAttempt` does. Returns its number, divided by its network's multiple of the
 * limit (the highest value of its networks): above `maxAttempts`, it exceeds the limit.
 */
export async function countAddressAttempt(
  db: Db | Tx,
  from: AddressAttempt,
  { maxAttempts, windowMs }: { maxAttempts: number; windowMs: number },
): Promise<number> {
  let highest = 0
  for (const { key, times } of keysOf(from)) {
    const count = await countAttempt(db, { key, maxAttempts: limitOf(maxAttempts, times), windowMs })
    highest = Math.max(highest, count / times)
  }
  return highest
}

/** Withdraws an attempt of an address that was counted and should not be, and the lock that it caused. */
export async function withdrawAddressAttempt(
  db: Db | Tx,
  from: AddressAttempt,
  { maxAttempts }: { maxAttempts: number },
): Promise<void> {
  for (const { key, times } of keysOf(from))
    await withdrawAttempt(db, { key, maxAttempts: limitOf(maxAttempts, times) })
}

const limitOf = (maxAttempts: number, times: number) => Math.min(maxAttempts * times, maxPgInteger)

// Maximum of PostgreSQL's integer type.
const maxPgInteger = 2_147_483_647

/** Deletes expired counters. */
export async function purgeAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('started_at', '<', sql<Date>`now() - interval '1 day'`)
    .where((where) => where.or([where('locked_until', 'is', null), where('locked_until', '<', sql<Date>`now()`)]))
    .execute()
}

import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from './db.ts'
import { networksOf } from './network.ts'

/** Under which attempts are counted: a keyed hash, so that the table tells nobody what was typed. */
export function attemptKey(secret: Buffer, ...about: readonly string[]): Buffer {
  return createHmac('sha256', secret).update(about.join(':')).digest()
}

/** Whether this key rests at this moment, by the database's clock. */
export async function isLocked(db: Db | Tx, key: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('attempts')
    .select('key_hash')
    .where('key_hash', '=', key)
    .where('locked_until', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return row !== undefined
}

/** How many attempts there were within the window, in milliseconds, that began with the first of them. */
export async function attemptsWithin(db: Db | Tx, key: Buffer, windowMs: number): Promise<number> {
  const row = await db
    .selectFrom('attempts')
    .select('count')
    .where('key_hash', '=', key)
    .where('began_at', '>', sql<Date>`now() - make_interval(secs => ${windowMs / 1000})`)
    .executeTakeFirst()
  return row?.count ?? 0
}

/**
 * Counts an attempt within the window, in milliseconds; the one that reaches `most` locks the key for as long. Answers
 * which attempt of the window this is. Counted before it is made, a thousand at once are no more than one by one.
 */
export async function countAttempt(
  db: Db | Tx,
  { key, most, windowMs }: { key: Buffer; most: number; windowMs: number },
): Promise<number> {
  const window = sql`make_interval(secs => ${windowMs / 1000})`
  const expired = sql<boolean>`attempts.began_at < now() - ${window}`
  const { rows } = await sql<{ count: number }>`
    insert into attempts (key_hash, count, locked_until)
    values (${key}, 1, case when ${most}::int <= 1 then now() + ${window} end)
    on conflict (partner_id, key_hash) do update set
      count = case when ${expired} then 1 else attempts.count + 1 end,
      began_at = case when ${expired} then now() else attempts.began_at end,
      locked_until = case
        when not ${expired} and attempts.count + 1 >= ${most} then now() + ${window}
        else attempts.locked_until end
    returning count`.execute(db)
  return rows[0]?.count ?? 1
}

export async function forgetAttempts(db: Db | Tx, key: Buffer): Promise<void> {
  await db.deleteFrom('attempts').where('key_hash', '=', key).execute()
}

export interface FromAddress {
  /** Keys the counters. */
  secret: Buffer
  /** What is counted. */
  about: string
  partnerId: string
  address: string
}

/** The keys that an address is counted under, each with how many times the limit it may reach. See `networksOf`. */
const keysOf = ({ secret, about, partnerId, address }: FromAddress) =>
  networksOf(address).map(({ network, times }) => ({ key: attemptKey(secret, about, partnerId, network), times }))

/** Whether the network of an address is locked at this moment. */
export async function isAddressLocked(db: Db | Tx, from: FromAddress): Promise<boolean> {
  const locked = await Promise.all(keysOf(from).map(({ key }) => isLocked(db, key)))
  return locked.includes(true)
}

/** Counts an attempt from an address, as `countAttempt` does. Returns whether it is one too many. */
export async function countFromAddress(
  db: Db | Tx,
  from: FromAddress,
  { most, windowMs }: { most: number; windowMs: number },
): Promise<boolean> {
  let isOver = false
  for (const { key, times } of keysOf(from)) {
    const count = await countAttempt(db, { key, most: Math.min(most * times, mostCountable), windowMs })
    if (count > most * times) isOver = true
  }
  return isOver
}

/** How often the limit was used from an address within the window, as a part of 1. */
export async function addressAttemptsWithin(db: Db | Tx, from: FromAddress, windowMs: number): Promise<number> {
  const counts = await Promise.all(
    keysOf(from).map(async ({ key, times }) => (await attemptsWithin(db, key, windowMs)) / times),
  )
  return Math.max(...counts)
}

// The largest number that PostgreSQL's integer holds.
const mostCountable = 2_147_483_647

/** Takes away what nobody counts any more. */
export async function sweepAttempts(db: Db): Promise<void> {
  await db
    .deleteFrom('attempts')
    .where('began_at', '<', sql<Date>`now() - interval '1 day'`)
    .where((where) => where.or([where('locked_until', 'is', null), where('locked_until', '<', sql<Date>`now()`)]))
    .execute()
}

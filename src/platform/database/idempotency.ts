import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { ApiError } from '../errors.ts'
import { acquireAdvisoryLock, type Db, type Tx } from './db.ts'

/** After a day, a request with the same key is a new one. */
const storedFor = '1 day'

/**
 * Runs `work` once per key: a request that is repeated within a day gets the first response. The response is stored in
 * the transaction of the effect, so that a crash leaves both or neither. Throws ApiError `keyReused` when the key was
 * used with another request. `scope` separates callers (the member) and calls.
 */
export async function withIdempotencyKey<T extends object>(
  tx: Tx,
  { scope, key, request }: { scope: string; key: string; request: unknown },
  work: () => Promise<T>,
): Promise<T> {
  await acquireAdvisoryLock(tx, `once:${scope}:${key}`)
  const hash = createHash('sha256').update(JSON.stringify(request)).digest()
  await tx
    .deleteFrom('idempotency_keys')
    .where('scope', '=', scope)
    .where('created_at', '<', sql<Date>`now() - ${storedFor}::interval`)
    .execute()
  const existing = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
  if (existing) {
    if (!hash.equals(existing.request_hash)) throw new ApiError('keyReused')
    return existing.reply as T
  }
  const reply = await work()
  await tx
    .insertInto('idempotency_keys')
    .values({ scope, key, request_hash: hash, reply: JSON.stringify(reply) })
    .execute()
  return reply
}

/** Deletes the stored responses that are no longer repeated. */
export async function purgeIdempotencyKeys(db: Db): Promise<void> {
  await db.deleteFrom('idempotency_keys').where('created_at', '<', sql<Date>`now() - ${storedFor}::interval`).execute()
}

/** Deletes the stored responses of a scope, because their contents must no longer be stored. */
export async function deleteIdempotencyKeys(tx: Tx, scope: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('scope', '=', scope).execute()
}

import { createHash } from 'node:crypto'
import { Refusal } from '../refusal.ts'
import type { Tx } from './db.ts'
import { lockName } from './db.ts'

/**
 * Runs `work` once per key: a repeated request gets the first response. The response is stored in the transaction of
 * the effect, so that a crash leaves both or neither. Throws Refusal `keyReused` when the key was used with another
 * request. `scope` separates callers (the member) and calls.
 */
export async function once<T extends object>(
  tx: Tx,
  { scope, key, request }: { scope: string; key: string; request: unknown },
  work: () => Promise<T>,
): Promise<T> {
  await lockName(tx, `once:${scope}:${key}`)
  const hash = createHash('sha256').update(JSON.stringify(request)).digest()
  const kept = await tx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'reply'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
  if (kept) {
    if (!hash.equals(kept.request_hash)) throw new Refusal('keyReused')
    return kept.reply as T
  }
  const reply = await work()
  await tx
    .insertInto('idempotency_keys')
    .values({ scope, key, request_hash: hash, reply: JSON.stringify(reply) })
    .execute()
  return reply
}

/** Deletes the stored responses of a scope, because their contents must no longer be stored. */
export async function forgetReplies(tx: Tx, scope: string): Promise<void> {
  await tx.deleteFrom('idempotency_keys').where('scope', '=', scope).execute()
}

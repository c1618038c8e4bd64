import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '../http/context.ts'
import { acquireAdvisoryLock, type Tx } from './db.ts'

export interface AuditEntry {
  /** A business event: `card.linked`. */
  action: string
  memberId: number
  /** Who asked for it, if a job does it later; defaults to the acting person. */
  actor?: 'visitor'
  /** Must not contain card numbers, secrets or free text from people. */
  detail?: Record<string, unknown>
}

/**
 * Adds an entry to the partner's audit log in the transaction of the action. Each entry contains the hash of the
 * previous one, so that removed or changed entries are detectable.
 */
export async function audit(tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> {
  const { action, memberId, actor = actorName(ctx), detail = {} } = entry
  await acquireAdvisoryLock(tx, `audit:${ctx.partnerId}`)
  const last = await tx.selectFrom('audit_entries').select('hash').orderBy('id', 'desc').limit(1).executeTakeFirst()
  const previous = last?.hash ?? Buffer.alloc(32)
  const text = JSON.stringify(detail)
  const hash = hashEntry(previous, { actor, action, memberId, text })
  await tx
    .insertInto('audit_entries')
    .values({ actor, action, member_id: memberId, detail: text, previous_hash: previous, hash })
    .execute()
}

/** Returns how often something was done for a member within the last day. The caller holds the member's lock. */
export async function countLastDay(
  tx: Tx,
  { action, memberId }: Pick<AuditEntry, 'action' | 'memberId'>,
): Promise<number> {
  const { count } = await tx
    .selectFrom('audit_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('member_id', '=', memberId)
    .where('action', '=', action)
    .where('at', '>', sql<Date>`now() - interval '1 day'`)
    .executeTakeFirstOrThrow()
  return count
}

function actorName({ actor, address }: Ctx): string {
  if (actor.operator) return `operator:${actor.operator.id} ${actor.operator.name}`
  if (actor.memberId !== null) return `member:${actor.memberId}`
  return address === '' ? 'system' : 'visitor'
}

/** Returns the hash of an entry, chained to the previous hash. */
export function hashEntry(
  previous: Buffer,
  entry: { actor: string; action: string; memberId: number; text: string },
): Buffer {
  return createHash('sha256')
    .update(previous)
    .update(JSON.stringify([entry.actor, entry.action, entry.memberId, entry.text]))
    .digest()
}

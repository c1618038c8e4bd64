import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { lockOpenMember, type MemberRow } from './store.ts'

/**
 * Locks the signed-in member for one of the member's own acts. Throws `unauthorized` when the account was deleted, or the
 * session has ended, since the request began: it may have waited for the transaction that did so.
 */
export async function lockOwnMember(tx: Tx, ctx: MemberCtx): Promise<MemberRow> {
  const member = await lockOpenMember(tx, ctx.actor.memberId)
  await requireSession(ctx, tx)
  return member
}

/**
 * Throws `unauthorized` when the session, or the impersonation of an operator, has ended since the request began. A session
 * stays until the act is stored, so that what ends it finds what the act has added, such as push messages to a browser.
 */
export async function requireSession(ctx: Ctx, tx: Tx): Promise<void> {
  const { sessionId, operator } = ctx.actor
  // Jobs and commands act without a session.
  if (!sessionId) return
  // A request of another tab may have replaced the id since this one began. Another request may prolong the session.
  const { rows } = operator
    ? await sql`select from impersonations
        where session_hash = ${sessionId} and ended_at is null and ends_at > now()`.execute(tx)
    : await sql`select from sessions
        where (id_hash = ${sessionId} or previous_hash = ${sessionId}) and expires_at > now() for key share`.execute(tx)
  if (rows.length === 0) throw new ApiError('unauthorized')
}

import { audit } from '../../platform/database/audit.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import type { OwnSession } from './contract.ts'
import * as store from './store.ts'

/** Returns the signed-in member's sessions, the current one first. */
export async function listSessions(ctx: MemberCtx): Promise<OwnSession[]> {
  const own = await store.listSessions(ctx.db, ctx.actor.memberId)
  const current = (session: store.OwnSession) => ctx.actor.sessionId?.equals(session.idHash) === true
  return own
    .map((session) => ({
      id: session.publicId,
      device: session.device,
      beganWith: session.beganWith,
      beganAt: session.beganAt.toISOString(),
      remembered: session.remembered,
      current: current(session),
    }))
    .sort((a, b) => Number(b.current) - Number(a.current))
}

/** Ends one session of the member. Throws `sessionNotFound`. */
export async function endOwn(ctx: MemberCtx, id: string): Promise<void> {
  if (!(await store.deleteOwnSession(ctx.db, ctx.actor.memberId, id))) throw new ApiError('sessionNotFound')
}

/** Ends all other sessions of the member, and deletes the known browsers. */
export async function endOthers(ctx: MemberCtx): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    await store.deleteSessionsOf(tx, memberId, ctx.actor.sessionId as Buffer)
    await store.deleteKnownDevices(tx, memberId)
    await audit(tx, ctx, { action: 'session.others-ended', memberId })
  })
}

import type { Call } from '../../platform/call.ts'
import { audit } from '../../platform/database/audit.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Actor, Ctx } from '../../platform/http/context.ts'
import { hasPermission, type Operator } from '../../platform/http/operator.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import { handoffTtlMs, impersonationTtlMs } from './rules.ts'
import * as store from './store.ts'

export {
  endByOperator,
  type FoundMember,
  findLiveIds as findLiveImpersonationIds,
  findMember,
  findOwnImpersonation,
  listImpersonations,
  redactReasons as redactImpersonations,
} from './store.ts'

/** Returns whether an operator may see a program's app as its members do. */
export const mayImpersonate = (operator: Operator, partnerId: string) =>
  hasPermission(operator, 'members.impersonate', partnerId)

/** Returns whether an operator may also act for members of a program. */
export const mayActFor = (operator: Operator, partnerId: string) => hasPermission(operator, 'members.act', partnerId)

export interface NewImpersonation {
  memberId: number
  partnerId: string
  operator: Operator
  reason: string
  /** Whether the operator wants to act for the member. */
  change: boolean
}

/**
 * Prepares an impersonation. Returns a single-use token, valid for one minute on the program's host, and the id of the
 * impersonation.
 */
export async function prepareImpersonation(
  db: Db,
  { memberId, partnerId, operator, reason, change }: NewImpersonation,
): Promise<{ token: string; impersonationId: string }> {
  const token = secretToken()
  const impersonationId = await store.insertImpersonation(db, {
    memberId,
    operatorId: operator.id,
    operatorName: operator.name,
    mayChange: change && mayActFor(operator, partnerId),
    reason,
    handoffHash: tokenHash(token),
    lengthMs: handoffTtlMs,
  })
  return { token, impersonationId }
}

/**
 * Starts a prepared impersonation. Returns the value of the frame's cookie, or null for an invalid, used or expired
 * token.
 */
export async function startImpersonation(
  ctx: Ctx,
  token: string,
): Promise<{ id: string; impersonationId: string } | null> {
  const id = secretToken()
  return inTransaction(ctx.db, async (tx) => {
    const started = await store.startImpersonation(tx, {
      handoffHash: tokenHash(token),
      sessionHash: tokenHash(id),
      csrfToken: secretToken(),
      lengthMs: impersonationTtlMs,
    })
    if (!started) return null
    const acting = { ...ctx, actor: toActor(started, tokenHash(id)) }
    const detail = { emulation: started.public_id, reason: started.reason, mayChange: started.may_change }
    await audit(tx, acting, { action: 'emulation.started', memberId: started.member_id, detail })
    return { id, impersonationId: started.public_id }
  })
}

function toActor(row: store.ImpersonationRow, sessionHash: Buffer): Actor {
  return {
    memberId: row.member_id,
    sessionId: sessionHash,
    csrfToken: row.csrf_token,
    operator: { id: row.operator_id, name: row.operator_name, mayChange: row.may_change },
  }
}

/** Returns the actor of an active impersonation, or null. */
export async function resumeImpersonation(ctx: Ctx, id: string): Promise<Actor | null> {
  const sessionHash = tokenHash(id)
  const row = await store.findLiveImpersonation(ctx.db, sessionHash)
  return row ? toActor(row, sessionHash) : null
}

/** Returns whether the browser's current impersonation is the one with this public id. */
export async function isViewing(ctx: Ctx, publicId: string): Promise<boolean> {
  const { operator, sessionId } = ctx.actor
  if (!operator || !sessionId) return false
  return (await store.findLiveImpersonation(ctx.db, sessionId))?.public_id === publicId
}

/** Ends the current impersonation. */
export async function endImpersonation(ctx: Ctx): Promise<void> {
  const { sessionId } = ctx.actor
  if (!sessionId) return
  await inTransaction(ctx.db, async (tx) => {
    const ended = await store.endBySession(tx, sessionId)
    if (!ended) return
    const detail = { emulation: ended.public_id }
    await audit(tx, ctx, { action: 'emulation.ended', memberId: ended.member_id, detail })
  })
}

/** Ends all impersonations of a member who ends every way into the account. Returns their number. */
export async function endImpersonationsOf(tx: Tx, ctx: Ctx, memberId: number): Promise<number> {
  const ended = await store.endByMember(tx, memberId)
  for (const emulation of ended) await audit(tx, ctx, { action: 'emulation.ended', memberId, detail: { emulation } })
  return ended.length
}

const isRead = (call: Call) => call.method === 'GET' || call.readOnly === true

/**
 * Returns whether the impersonating operator may make a call: reads always, changes with permission, and never calls
 * reserved for the member. Denied calls and changes are recorded in the audit log under the operator's name; a change
 * as attempted, before it begins, so that none is without a record.
 */
export async function operatorMayCall(ctx: Ctx, call: Call): Promise<boolean> {
  const { operator } = ctx.actor
  if (!operator) return true
  const may = call.memberOnly !== true && (isRead(call) || operator.mayChange)
  if (!may) await record(ctx, 'emulation.rejected', { call: call.id })
  else if (!isRead(call)) await record(ctx, 'emulation.attempted', { call: call.id })
  return may
}

/**
 * Records how an attempted change of the impersonating operator ended: `acted`, or `refused` with the error code. An
 * attempt without such an entry has an unknown outcome: the process ended, or the database could not be reached.
 */
export async function recordOperatorCall(
  ctx: Ctx,
  call: Call,
  { status, code }: { status: number; code?: string | undefined },
): Promise<void> {
  if (!ctx.actor.operator || isRead(call)) return
  const action = status < 400 ? 'emulation.acted' : 'emulation.refused'
  // The call has been made: what its caller gets does not depend on this entry.
  await record(ctx, action, { call: call.id, status, ...(code !== undefined && { code }) }).catch((error) =>
    ctx.log.error({ err: error }, 'outcome of an operator’s call not recorded'),
  )
}

async function record(ctx: Ctx, action: string, detail: Record<string, unknown>): Promise<void> {
  const { memberId } = ctx.actor
  if (memberId !== null) await inTransaction(ctx.db, (tx) => audit(tx, ctx, { action, memberId, detail }))
}

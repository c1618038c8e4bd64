import type { CallSpec } from '../kit/call.ts'
import { audit } from '../kit/server/audit.ts'
import type { Actor, Ctx } from '../kit/server/context.ts'
import { type Db, inTransaction } from '../kit/server/db.ts'
import { secretToken, tokenHash } from '../kit/server/ids.ts'
import type { Operator } from '../operators/context.ts'
import { emulationLength, handOverLength } from './rules.ts'
import * as store from './store.ts'

export {
  blankReasonsOf as eraseEmulations,
  emulationsOf,
  endByOperator,
  type FoundMember,
  findLiveIds as findLiveEmulationIds,
  findMember,
  findMembers,
} from './store.ts'

/** Whether an operator may see the app as members do at all. Editors work on words. */
export const mayEmulate = ({ role }: Operator) => role === 'support' || role === 'admin'

/** Whether an operator may also act for a member. */
export const mayActFor = ({ role }: Operator) => role === 'admin'

/**
 * Lets an operator see the app as a member does: answers a token that is good once, for a minute, at the program's own
 * door, and the id of what will begin there.
 */
export async function handOver(
  db: Db,
  { memberId, operator, reason, change }: { memberId: number; operator: Operator; reason: string; change: boolean },
): Promise<{ token: string; emulationId: string }> {
  const token = secretToken()
  const emulationId = await store.insertEmulation(db, {
    memberId,
    operatorId: operator.id,
    operatorName: operator.name,
    mayChange: change && mayActFor(operator),
    reason,
    handOverHash: tokenHash(token),
    lengthMs: handOverLength,
  })
  return { token, emulationId }
}

/** Begins what was handed over: answers the value of the frame's cookie; null for a token that is not good (any more). */
export async function beginEmulation(ctx: Ctx, token: string): Promise<{ id: string; emulationId: string } | null> {
  const id = secretToken()
  return inTransaction(ctx.db, async (tx) => {
    const begun = await store.beginEmulation(tx, {
      handOverHash: tokenHash(token),
      sessionHash: tokenHash(id),
      csrfToken: secretToken(),
      lengthMs: emulationLength,
    })
    if (!begun) return null
    const acting = { ...ctx, actor: actorOf(begun, tokenHash(id)) }
    const detail = { emulation: begun.public_id, reason: begun.reason, mayChange: begun.may_change }
    await audit(tx, acting, { action: 'emulation.begun', memberId: begun.member_id, detail })
    return { id, emulationId: begun.public_id }
  })
}

function actorOf(row: store.EmulationRow, sessionHash: Buffer): Actor {
  return {
    memberId: row.member_id,
    sessionId: sessionHash,
    csrfToken: row.csrf_token,
    operator: { id: row.operator_id, name: row.operator_name, mayChange: row.may_change },
  }
}

/** Who acts in the frame of a running emulation; null when there is none (any more). */
export async function continueEmulation(ctx: Ctx, id: string): Promise<Actor | null> {
  const sessionHash = tokenHash(id)
  const row = await store.findLive(ctx.db, sessionHash)
  return row ? actorOf(row, sessionHash) : null
}

/** Ends the emulation that acts. */
export async function endEmulation(ctx: Ctx): Promise<void> {
  const { sessionId } = ctx.actor
  if (!sessionId) return
  await inTransaction(ctx.db, async (tx) => {
    const ended = await store.endBySession(tx, sessionId)
    if (!ended) return
    const detail = { emulation: ended.public_id }
    await audit(tx, ctx, { action: 'emulation.ended', memberId: ended.member_id, detail })
  })
}

/**
 * Whether the operator who acts may make a call: looking always, changing with the right to, never what is the
 * member's alone. What changes something is written down under the operator's name, done or not.
 */
export async function operatorMay(ctx: Ctx, call: CallSpec): Promise<boolean> {
  const { operator, memberId } = ctx.actor
  if (!operator || memberId === null) return true
  const looks = call.method === 'GET' || call.reads === true
  const may = call.memberOnly !== true && (looks || operator.mayChange)
  if (!looks || !may) {
    await inTransaction(ctx.db, (tx) =>
      audit(tx, ctx, { action: may ? 'emulation.acted' : 'emulation.refused', memberId, detail: { call: call.id } }),
    )
  }
  return may
}

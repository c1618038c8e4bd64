import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { tryOrDo } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { Approval, ApprovalDetail, Effect } from './schemas.ts'
import * as store from './store.ts'

/** What carries out the approved requests of a kind, in the transaction of the decision. Returns its effect. */
export type Execute = (
  tx: Tx,
  ctx: OperatorCtx,
  request: { payload: unknown; reason: string; askedBy: string },
) => Promise<Effect>

/** By the kind of the request. */
export type Executions = Readonly<Record<string, Execute>>

const toApproval = (ctx: OperatorCtx, row: store.ApprovalRow): Approval => ({
  id: row.id,
  kind: row.kind,
  summary: row.summary,
  reason: row.reason,
  memberId: row.memberId,
  memberName: row.memberName,
  askedBy: row.askedBy,
  isMine: row.askedById === ctx.operator.id,
  askedAt: row.askedAt.toISOString(),
  state: row.state,
  decidedBy: row.decidedBy ?? '',
  decidedAt: row.decidedAt?.toISOString() ?? null,
  decisionReason: row.decisionReason,
  asked: (row.payload as { asked?: Effect }).asked ?? null,
})

interface ListQuery {
  state: 'open' | 'decided'
  asker: 'anybody' | 'others' | 'me'
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** Returns one page of the requests of a program. */
export async function listApprovals(ctx: OperatorCtx, { q, ...query }: ListQuery) {
  const { rows, next, total } = await store.listApprovals(ctx.db, { ...query, text: q, operatorId: ctx.operator.id })
  return { items: rows.map((row) => toApproval(ctx, row)), next, total }
}

/** Returns a request, with what approving it does now. Throws `notFound`. */
export async function getApproval(ctx: OperatorCtx, executions: Executions, id: string): Promise<ApprovalDetail> {
  const row = await store.findApproval(ctx.db, id)
  if (!row) throw new ApiError('notFound')
  return { ...toApproval(ctx, row), effect: row.state === 'open' ? await tryToExecute(ctx, executions, row) : null }
}

/** Returns what carrying out a request does, by doing it in a transaction that is rolled back; null when it cannot be. */
async function tryToExecute(
  ctx: OperatorCtx,
  executions: Executions,
  request: store.ApprovalRow,
): Promise<Effect | null> {
  try {
    return await tryOrDo<Effect>({ isDry: true }, (finish) =>
      inTransaction(ctx.db, async (tx) => finish(await executeOf(executions, request)(tx, ctx, request))),
    )
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function executeOf(executions: Executions, { kind }: store.ApprovalRow): Execute {
  const execute = executions[kind]
  if (!execute) throw new Error(`no code carries out requests of the kind ${kind}`)
  return execute
}

export { findOpenRequest, hasOpenRequestAbout } from './store.ts'

export type Request = Omit<store.NewApproval, 'publicId' | 'askedBy' | 'payload'> & {
  payload: object
  /** What the operator was shown. */
  asked: Effect
}

/**
 * Stores what needs a second person, in the transaction of its entry in the audit log. Returns its id. Throws `conflict`
 * when a request for its subject waits already.
 */
export async function askApproval(tx: Tx, ctx: OperatorCtx, { asked, ...request }: Request): Promise<string> {
  const id = publicId()
  const payload = { ...request.payload, asked }
  if (!(await store.insertApproval(tx, { ...request, payload, publicId: id, askedBy: ctx.operator.id })))
    throw new ApiError('conflict')
  return id
}

/** So long somebody does not approve what is asked by the one who gave them access: it could be one person. */
const dependentDays = 30

interface Decision {
  id: string
  decision: 'approve' | 'refuse'
  reason: string
  /** The balance that the operator saw. */
  expected?: string | undefined
}

/**
 * Approves a request and carries it out, or refuses it. Throws `notFound`, `ownRequest`, `dependentOperator`
 * for an approval of somebody to whom the one who asked has given access lately, and `conflict` when it was decided before,
 * or when the balance is not the one that the operator saw.
 */
export async function decideApproval(
  ctx: OperatorCtx,
  executions: Executions,
  { id, decision, reason, expected }: Decision,
): Promise<ApprovalDetail> {
  await inTransaction(ctx.db, async (tx) => {
    const request = await store.findApproval(tx, id, { isLocked: true })
    if (!request) throw new ApiError('notFound')
    if (request.askedById === ctx.operator.id) throw new ApiError('ownRequest')
    if (request.state !== 'open') throw new ApiError('conflict')
    const state = decision === 'approve' ? 'approved' : 'refused'
    await store.storeDecision(tx, request.rowId, { state, by: ctx.operator.id, reason })
    if (decision === 'approve') {
      const access = { giver: request.askedById, taker: ctx.operator.id, withinDays: dependentDays }
      if (await store.hasGivenAccess(tx, access)) throw new ApiError('dependentOperator')
      const { before } = await executeOf(executions, request)(tx, ctx, request)
      if (expected !== undefined && before !== expected) throw new ApiError('conflict')
    }
    await ctx.record(tx, {
      object: { type: 'approval', id, label: request.summary },
      before: { state: 'open', askedBy: request.askedBy },
      after: { state },
      reason,
      memberId: request.memberRowId,
    })
  })
  return getApproval(ctx, executions, id)
}

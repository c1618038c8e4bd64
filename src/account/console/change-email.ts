import { askApproval } from '../../console-kit/approvals/service.ts'
import type { MemberRow } from '../../identity/members/service.ts'
import { correctAddress, correctAddressIn, type RecoveryDeps } from '../../identity/recovery/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { tryOrDo } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { objectOf, requireStanding, requireVersion } from './acts.ts'
import { findMember } from './detail.ts'

interface EmailChange {
  id: string
  email: string
  version: string
  reason: string
}

interface Payload {
  memberId: number
  /** Absent once the request was decided. */
  email?: string
}

/**
 * Changes the email address; both addresses get an email, and the new one a code. An address that its owner has verified
 * recovers the account, so changing it is asked of a second operator. Throws `conflict`, also when a request waits, and
 * field errors.
 */
export async function changeEmail(
  ctx: OperatorCtx,
  deps: RecoveryDeps,
  { id, email, version, reason }: EmailChange,
): Promise<void> {
  const member = await findMember(ctx, id)
  requireStanding(member)
  requireVersion(member, version)
  const act = { object: objectOf(member), memberId: member.id, reason }
  if (member.email_verified_at !== null) return askForChange(ctx, deps, { member, email, reason })
  await correctAddress(ctx, deps, {
    memberId: member.id,
    email,
    also: (tx) =>
      ctx.record(tx, { ...act, before: { isVerified: false }, after: { changed: ['email'], isVerified: false } }),
  })
}

/** Refuses at once what could not be carried out: the change is tried first, without an effect. */
async function askForChange(
  ctx: OperatorCtx,
  deps: RecoveryDeps,
  { member, email, reason }: { member: MemberRow; email: string; reason: string },
): Promise<void> {
  const payload: Payload = { memberId: member.id, email }
  await tryOrDo({ isDry: true }, (finish) =>
    inTransaction(ctx.db, async (tx) => finish(await correctAddressIn(tx, ctx, deps, { memberId: member.id, email }))),
  )
  await inTransaction(ctx.db, async (tx) => {
    const summary = 'Change of a verified email address'
    const asked = { before: member.email, after: email }
    const request = { kind: 'email', subject: member.public_id, payload, asked, summary, reason, memberId: member.id }
    const approval = await askApproval(tx, ctx, request)
    await ctx.record(tx, { object: objectOf(member), memberId: member.id, reason, after: { asked: summary, approval } })
  })
}

/** Returns what carries out an approved change, in the transaction of the approval. */
export const executeEmailChange =
  (deps: RecoveryDeps) =>
  async (tx: Tx, ctx: OperatorCtx, { payload }: { payload: unknown }): Promise<{ before: string; after: string }> => {
    const { memberId, email } = payload as Payload
    if (email === undefined) throw new ApiError('notFound')
    const before = await correctAddressIn(tx, ctx, deps, { memberId, email })
    return { before, after: email }
  }

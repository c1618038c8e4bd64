import { askApproval } from '../../../console-kit/approvals/service.ts'
import { lockMembers, type MemberRow } from '../../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../../platform/database/db.ts'
import { tryOrDo } from '../../../platform/database/dry-run.ts'
import { ApiError, ValidationError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { objectOf } from '../acts.ts'
import { findMember } from '../detail.ts'
import type { MergePreview } from '../schemas.ts'
import { describeMerge, type MergeState, readState } from './preview.ts'
import { requireMergeable } from './refusals.ts'
import { mergeAccounts } from './rows.ts'
import { findRow } from './store.ts'

export interface MergeRequest {
  /** Public id of the account to keep. */
  into: string
  /** Typed: the member number of the account that ends, or its referral code where it has no number. */
  memberNumber: string
  /** Of the outcome that the operator saw. */
  fingerprint: string
  reason: string
}

interface Payload {
  from: number
  to: number
}

interface Accounts {
  from: MemberRow
  to: MemberRow
}

/** Locks both members, the one with the lower id first, and returns them. Throws `notFound`. */
async function lockBoth(tx: Tx, { from, to }: Payload): Promise<Accounts> {
  if (from === to) throw new ApiError('mergeSame')
  await lockMembers(tx, [from, to])
  const [own, kept] = [await findRow(tx, from), await findRow(tx, to)]
  if (!own || !kept || own.deleted_at || kept.deleted_at) throw new ApiError('notFound')
  return { from: own, to: kept }
}

interface Merged {
  accounts: Accounts
  before: MergeState
  after: MergeState
}

/** Merges two accounts that may be merged. Throws why they may not. */
async function carryOut(tx: Tx, ctx: OperatorCtx, payload: Payload): Promise<Merged> {
  const accounts = await lockBoth(tx, payload)
  await requireMergeable(tx, accounts)
  const before = await readState(tx, ctx, accounts)
  await mergeAccounts(tx, ctx, accounts)
  const after = await readState(tx, ctx, accounts)
  return { accounts, before, after }
}

/** Tries a merge: its code runs in a transaction that is rolled back. */
function tryMerge(ctx: OperatorCtx, payload: Payload): Promise<MergePreview> {
  return tryOrDo({ isDry: true }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const { accounts, before, after } = await carryOut(tx, ctx, payload)
      return finish(await describeMerge(tx, ctx, accounts, { before, after }))
    }),
  )
}

async function findBoth(ctx: OperatorCtx, id: string, into: string): Promise<Payload> {
  const [from, to] = [await findMember(ctx, id), await findMember(ctx, into)]
  return { from: from.id, to: to.id }
}

/** Returns what a merge would do, by doing it without an effect. Throws `notFound`, and why it is not possible. */
export async function previewMerge(ctx: OperatorCtx, id: string, into: string): Promise<MergePreview> {
  return tryMerge(ctx, await findBoth(ctx, id, into))
}

/** What an operator types so that the right account ends. */
const typedNumberOf = (member: Pick<MemberRow, 'partner_number' | 'referral_code'>): string =>
  member.partner_number ?? member.referral_code

/**
 * Asks a second operator for a merge. Throws `notFound`, why it is not possible, `conflict` when its outcome is no longer
 * the one that the operator saw, and a field error for another number than that of the account that ends.
 */
export async function askForMerge(
  ctx: OperatorCtx,
  id: string,
  { into, memberNumber, fingerprint, reason }: MergeRequest,
): Promise<{ approval: string }> {
  const payload = await findBoth(ctx, id, into)
  const preview = await tryMerge(ctx, payload)
  if (preview.fingerprint !== fingerprint) throw new ApiError('conflict')
  return inTransaction(ctx.db, async (tx) => {
    const accounts = await lockBoth(tx, payload)
    await requireMergeable(tx, accounts)
    if (memberNumber.trim().toLowerCase() !== typedNumberOf(accounts.from).toLowerCase())
      throw new ValidationError([{ field: 'memberNumber', message: 'console.members.merge_number' }])
    const { from, to } = accounts
    const summary = `Merge the account ${typedNumberOf(from)} into ${typedNumberOf(to)}`
    const asked = effectOf(preview)
    const request = { kind: 'merge', subject: from.public_id, payload, asked, summary, reason, memberId: from.id }
    const approval = await askApproval(tx, ctx, request)
    await ctx.record(tx, { object: objectOf(from), memberId: from.id, reason, after: { asked: summary, approval } })
    return { approval }
  })
}

/** The balances of both accounts before, and that of the one that is kept. */
const effectOf = ({ balances }: Pick<MergePreview, 'balances'>) => ({
  before: balances.map(({ from, into }) => `${from} and ${into}`).join('; ') || 'both empty',
  after: balances.map(({ after }) => after).join('; ') || 'empty',
})

/**
 * Carries out an approved merge, in the transaction of the approval. Returns the balances before and after. Throws why it is
 * no longer possible.
 */
export async function executeMerge(tx: Tx, ctx: OperatorCtx, { payload }: { payload: unknown }) {
  const { accounts, before, after } = await carryOut(tx, ctx, payload as Payload)
  return effectOf(await describeMerge(tx, ctx, accounts, { before, after }))
}

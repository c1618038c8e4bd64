import { resendFailed } from '../../identity/email/service.ts'
import { isSmsConsentValid } from '../../identity/members/profile/rules.ts'
import { updateProfile } from '../../identity/members/profile/service.ts'
import {
  deleteOwnNote,
  insertNote,
  isStanding,
  listNotes,
  listTagsOf,
  lockMember,
  type MemberRow,
  replaceTags,
} from '../../identity/members/service.ts'
import type { RecoveryDeps } from '../../identity/recovery/service.ts'
import { removePasskey as removeOwnPasskey } from '../../identity/session/passkeys/service.ts'
import { endOwnSession } from '../../identity/session/service.ts'
import { resetAttempts } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import { publicId } from '../../platform/security/ids.ts'
import { stateCodeOf } from '../../platform/us-state-names.ts'
import { isKnownZip } from '../../programs/places/service.ts'
import { grantBonus as grantTo } from '../../rewards/bonuses/service.ts'
import { closeAccount, reopenAccount } from '../../rewards/cards/service.ts'
import { actingAs } from './acting-as.ts'
import { findMember } from './detail.ts'
import { lockKeysOf } from './lock-keys.ts'
import type { Correction, MemberNote } from './schemas.ts'

/** What an act is about, without the member's name: the audit log stays when an account is deleted. */
export const objectOf = ({ public_id: id }: Pick<MemberRow, 'public_id'>) => ({ type: 'member', id })

/** Throws `mergedAccount` for an account that was merged into another one: what is to be done is done there. */
export function requireStanding(member: MemberRow): void {
  if (!isStanding(member)) throw new ApiError('mergedAccount')
}

/** Carries out an act on a member, whose row is locked, and its entry in the audit log. Throws `notFound`, `mergedAccount`. */
export async function actOn(
  ctx: OperatorCtx,
  id: string,
  act: (tx: Tx, member: MemberRow) => Promise<Omit<Parameters<OperatorCtx['record']>[1], 'object' | 'memberId'>>,
): Promise<void> {
  const { id: memberId } = await findMember(ctx, id)
  await inTransaction(ctx.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    if (!member || member.deleted_at) throw new ApiError('notFound')
    requireStanding(member)
    const entry = await act(tx, member)
    await ctx.record(tx, { object: objectOf(member), memberId, ...entry })
  })
}

/** Throws `conflict` when a member has changed since the operator saw the version. */
export function requireVersion(member: MemberRow, version: string): void {
  if (member.updated_at.toISOString() !== version) throw new ApiError('conflict')
}

/** Returns the notes about a member. Throws `notFound`. */
export async function getNotes(ctx: OperatorCtx, id: string): Promise<MemberNote[]> {
  const member = await findMember(ctx, id)
  const notes = await listNotes(ctx.db, member.id)
  return notes.map(({ id: noteId, operatorId, operatorName, body, at }) => ({
    id: noteId,
    by: operatorName,
    isMine: operatorId === ctx.operator.id,
    body,
    at: at.toISOString(),
  }))
}

/** Adds a note. Its text is in the note alone, which is deleted with the account. */
export async function addNote(ctx: OperatorCtx, id: string, body: string): Promise<MemberNote[]> {
  await actOn(ctx, id, async (tx, member) => {
    const note = publicId()
    await insertNote(tx, { publicId: note, memberId: member.id, operator: ctx.operator, body })
    return { after: { note } }
  })
  return getNotes(ctx, id)
}

/** Removes a note of the operator. Throws `notFound`. */
export async function removeNote(ctx: OperatorCtx, id: string, note: string): Promise<MemberNote[]> {
  await actOn(ctx, id, async (tx, member) => {
    const own = { publicId: note, memberId: member.id, operatorId: ctx.operator.id }
    if (!(await deleteOwnNote(tx, own))) throw new ApiError('notFound')
    return { before: { note } }
  })
  return getNotes(ctx, id)
}

/** Replaces the tags of a member. Throws `conflict` when they are not those that the operator saw. */
export async function setTags(
  ctx: OperatorCtx,
  id: string,
  { tags, expected }: { tags: readonly string[]; expected: readonly string[] },
): Promise<string[]> {
  const wanted = [...new Set(tags)].sort()
  await actOn(ctx, id, async (tx, member) => {
    const before = await listTagsOf(tx, member.id)
    if (before.join() !== [...expected].sort().join()) throw new ApiError('conflict')
    await replaceTags(tx, member.id, wanted, ctx.operator.name)
    return { before: { tags: before }, after: { tags: wanted } }
  })
  return wanted
}

const corrected = ['firstName', 'lastName', 'address1', 'address2', 'city', 'state', 'zipCode', 'phoneNumber'] as const

/**
 * Corrects the name, address and phone number by the rules of the member's own form. Consents stay; that to text messages
 * ends with its number where the program says so. Throws `conflict`, and field errors.
 */
export async function correct(ctx: OperatorCtx, id: string, { version, reason, ...sent }: Correction): Promise<void> {
  const form = { ...sent, state: stateCodeOf(sent.state) ?? '' }
  await actOn(ctx, id, async (tx, member) => {
    requireVersion(member, version)
    const before = toCorrection(member)
    const smsOptIn =
      member.sms_opt_in &&
      isSmsConsentValid({ before: before.phoneNumber, after: form.phoneNumber }, ctx.program.config)
    await updateProfile(
      actingAs(ctx, member.id, tx),
      { ...form, smsOptIn, emailOptIn: member.email_opt_in },
      { zipIsKnown: isKnownZip },
    )
    return { reason, after: { changed: corrected.filter((field) => form[field] !== before[field]) } }
  })
}

const toCorrection = (member: MemberRow) => ({
  firstName: member.first_name,
  lastName: member.last_name,
  address1: member.address1,
  address2: member.address2,
  city: member.city,
  state: member.state,
  zipCode: member.zip_code,
  phoneNumber: member.phone_number ?? '',
})

/** Ends a session, or the push messages in a browser. Throws `sessionNotFound`. */
export async function endSession(ctx: OperatorCtx, id: string, session: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    await endOwnSession(actingAs(ctx, member.id, tx), session)
    await audit(tx, ctx, { action: 'session.ended', memberId: member.id })
    return { before: { session } }
  })
}

/** Removes a passkey; the member gets an email. Throws `passkeyNotFound`. */
export async function removePasskey(
  ctx: OperatorCtx,
  { origin }: Pick<RecoveryDeps, 'origin'>,
  { id, passkey, reason }: { id: string; passkey: string; reason: string },
): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    await removeOwnPasskey(actingAs(ctx, member.id, tx), { origin: origin(ctx.partnerId) }, passkey)
    return { reason, before: { passkey } }
  })
}

/** Sends a failed email again. Throws `notFailed`. */
export async function resendEmail(ctx: OperatorCtx, id: string, email: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    const sent = await resendFailed(tx, { ids: [Number(email)], memberId: member.id })
    if (sent.length === 0) throw new ApiError('notFailed')
    return { before: { email, status: 'failed' }, after: { status: 'waiting' } }
  })
}

/** Grants a bonus under its current terms. Throws `bonusNotFound`, `bonusNotOffered`, `bonusHeld`. */
export async function grantBonus(
  ctx: OperatorCtx,
  id: string,
  { code, reason }: { code: string; reason: string },
): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    await grantTo(tx, ctx, member, code)
    return { reason, after: { bonus: code } }
  })
}

/** Ends the locks that wrong passwords have caused, in every browser. */
export async function unlock(ctx: OperatorCtx, lockKey: Buffer, id: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    for (const key of await lockKeysOf(ctx, lockKey, member.id, tx)) await resetAttempts(tx, key)
    await audit(tx, ctx, { action: 'member.unlocked', memberId: member.id })
    return { after: { isLocked: false } }
  })
}

/** Closes an account: unlinks its cards and ends its sessions. Throws `alreadyClosed`. */
export async function close(ctx: OperatorCtx, id: string, reason: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    await closeAccount(actingAs(ctx, member.id, tx))
    return { reason, before: { type: member.member_type }, after: { type: 'ClosedAccountMember' } }
  })
}

/** Opens a closed account again, without a card. Throws `alreadyOpen`. */
export async function reopen(ctx: OperatorCtx, id: string, reason: string): Promise<void> {
  await actOn(ctx, id, async (tx, member) => {
    await reopenAccount(actingAs(ctx, member.id, tx))
    return { reason, before: { type: member.member_type }, after: { type: 'NonCardMember' } }
  })
}

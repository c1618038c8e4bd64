import { queueEmail } from '../../identity/email/service.ts'
import { changeMember, findMemberRow, isStanding, lockMember, recordConsent } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import { DAY } from '../../platform/time.ts'
import type { CardRequest } from './contract.ts'
import { moveCompletedEmail, moveFailedEmail, moveRequestEmail } from './emails.ts'
import { isLinkedBefore, type LinkDeps } from './link-cards.ts'
import * as moveStore from './move-store.ts'
import { type MoveDeps, programName } from './moves.ts'
import * as store from './store.ts'

/**
 * Emails this program's members about their cards that members of other programs have requested. Any number of
 * processes may do so at once.
 */
export async function notifyOwners(ctx: Ctx, deps: MoveDeps): Promise<void> {
  for (;;) {
    const more = await inTransaction(ctx.db, async (tx) => {
      const request = await moveStore.claimUnsentRequest(tx)
      if (request) await requestApproval(tx, ctx, deps, request)
      return request !== undefined
    })
    if (!more) return
  }
}

async function requestApproval(tx: Tx, ctx: Ctx, deps: MoveDeps, request: moveStore.UnsentRequest): Promise<void> {
  const code = secretToken()
  await moveStore.markSent(tx, request.id, tokenHash(code))
  const member = await findMemberRow(tx, request.memberId)
  if (!member || member.deleted_at) return
  // A customer of a bank does not sign in by the mailbox: if the bank has not verified it, it may be another person's, who
  // would decide about the card. Without a question the card stays.
  if (ctx.program.config.enrollmentType === 'sso' && !member.email_verified_at) {
    const detail = { request: request.id, asked: false }
    return audit(tx, ctx, { action: 'card.moveRequested', memberId: member.id, detail })
  }
  await audit(tx, ctx, { action: 'card.moveRequested', memberId: member.id, detail: { request: request.id } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: request.lastFour,
    otherProgram: programName(deps, request.toPartner),
    origin: deps.origin(ctx.partnerId),
  }
  await queueEmail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: 'card.moveRequested',
    about: request.id,
    content: moveRequestEmail(parts, { code, until: request.expiresAt }),
    secretFor: 7 * DAY,
  })
}

/** Stores the decision of a card's owner. Throws `moveRequestOver` for a wrong, used or expired code. */
export async function decideRequest(
  ctx: Ctx,
  { code, allow }: { code: string; allow: boolean },
): Promise<{ allowed: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    const request = await moveStore.storeDecision(tx, tokenHash(code), allow)
    if (!request) throw new ApiError('moveRequestOver')
    const action = allow ? 'card.moveAllowed' : 'card.moveDeclined'
    await audit(tx, ctx, { action, memberId: request.memberId, detail: { request: request.id } })
    return { allowed: allow }
  })
}

/** Returns the signed-in member's requests for cards of other programs, as long as their holders may agree. */
export async function listRequests(ctx: MemberCtx): Promise<CardRequest[]> {
  const asked = await moveStore.listOpenQuestions(ctx.db, ctx.actor.memberId)
  return asked.map((at) => ({
    askedAt: at.toISOString(),
    until: new Date(at.getTime() + 7 * DAY).toISOString(),
  }))
}

export type CompleteMovesDeps = MoveDeps & Pick<LinkDeps, 'returningKey'>

/**
 * Links the cards that members of this program have requested and whose owners have agreed. Returns the vault tokens of
 * the linked ones: transactions may be waiting for them. Any number of processes may do so at once.
 */
export async function completeMoves(ctx: Ctx, deps: CompleteMovesDeps): Promise<string[]> {
  const linked: string[] = []
  for (;;) {
    const request = await inTransaction(ctx.db, async (tx) => {
      const taken = await moveStore.claimAllowedRequest(tx)
      return taken && { token: taken.card.token, moved: await completeOne(tx, ctx, deps, taken) }
    })
    if (!request) return linked
    if (request.moved) linked.push(request.token)
  }
}

async function completeOne(
  tx: Tx,
  ctx: Ctx,
  deps: CompleteMovesDeps,
  request: moveStore.AllowedRequest,
): Promise<boolean> {
  const { card, memberId } = request
  const member = await lockMember(tx, memberId)
  if (!member || !isStanding(member)) return false
  const moved = await linkMovedCard(tx, ctx, deps, request)
  const action = moved ? 'card.movedHere' : 'card.moveFailed'
  await audit(tx, ctx, { action, memberId, detail: { card: card.publicId, request: request.id } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: card.lastFour,
    otherProgram: programName(deps, request.fromPartner),
    origin: deps.origin(ctx.partnerId),
  }
  await queueEmail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: action,
    about: request.id,
    content: moved ? moveCompletedEmail(parts) : moveFailedEmail(parts),
  })
  return moved
}

// Checked again, under the locks: the request may be days old.
async function linkMovedCard(
  tx: Tx,
  ctx: Ctx,
  deps: CompleteMovesDeps,
  { id, memberId, card }: moveStore.AllowedRequest,
): Promise<boolean> {
  const home = await store.lockHome(tx, card.homeKey)
  const own = await store.listCards(tx, memberId)
  if (home === ctx.partnerId || own.length >= ctx.program.config.maximumCards) return false
  if (await store.findByFingerprint(tx, card.fingerprint)) return false
  const move = home === null ? null : await moveStore.releaseCard(tx, id)
  // It earns in a third program now, or was linked again: its owner has not agreed to that.
  if (home !== null && move === null) return false
  const row = await store.insertCard(tx, {
    public_id: card.publicId,
    member_id: memberId,
    token: card.token,
    fingerprint: card.fingerprint,
    card_type: card.cardType,
    description: card.description,
    last_four: card.lastFour,
    partner_card_id: card.partnerCardId,
    expires: card.expires,
    home_key: card.homeKey,
    linked_before: await isLinkedBefore(tx, deps, memberId, card.fingerprint),
  })
  // The other program's card is already released: roll back everything.
  if (!row) throw new Error('a card was linked while its home was locked')
  if (move !== null) await moveStore.recordArrival(tx, move, { cardId: row.id, memberId })
  const consent = { memberId, channel: 'card', topic: card.publicId, granted: true, source: 'link-card' } as const
  await recordConsent(tx, { ...consent, consentText: card.wording })
  await changeMember(tx, memberId, { member_type: 'EnrolledCardMember', active: true })
  return true
}

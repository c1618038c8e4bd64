import { postMail } from '../../identity/email/service.ts'
import { changeMember, lockMember, memberRow, recordConsent } from '../../identity/members/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { secretToken, tokenHash } from '../../platform/security/ids.ts'
import { DAY } from '../../platform/time.ts'
import { arrivedLetter, moveFailedLetter, requestLetter } from './letters.ts'
import { isLinkedBefore, type LinkDesk } from './link-cards.ts'
import * as moveStore from './move-store.ts'
import { type MoveDesk, nameOf } from './moves.ts'
import * as store from './store.ts'

/**
 * Emails this program's members about their cards that members of other programs have requested. Any number of
 * processes may do so at once.
 */
export async function notifyOwners(ctx: Ctx, desk: MoveDesk): Promise<void> {
  for (;;) {
    const more = await inTransaction(ctx.db, async (tx) => {
      const request = await moveStore.takeUnsent(tx)
      if (request) await askOwner(tx, ctx, desk, request)
      return request !== undefined
    })
    if (!more) return
  }
}

async function askOwner(tx: Tx, ctx: Ctx, desk: MoveDesk, request: moveStore.UnsentRequest): Promise<void> {
  const code = secretToken()
  await moveStore.markSent(tx, request.id, tokenHash(code))
  const member = await memberRow(tx, request.memberId)
  if (!member || member.deleted_at) return
  await audit(tx, ctx, { action: 'card.moveRequested', memberId: member.id, detail: { request: request.id } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: request.lastFour,
    otherProgram: nameOf(desk, request.toPartner),
    origin: desk.origin(ctx.partnerId),
  }
  await postMail(tx, ctx, {
    memberId: member.id,
    recipient: member.email,
    topic: 'card.moveRequested',
    about: request.id,
    letter: requestLetter(parts, { code, until: request.expiresAt }),
    secretFor: 7 * DAY,
  })
}

/** Stores the decision of a card's owner. Throws `moveRequestOver` for a wrong, used or expired code. */
export async function answerRequest(
  ctx: Ctx,
  { code, allow }: { code: string; allow: boolean },
): Promise<{ allowed: boolean }> {
  return inTransaction(ctx.db, async (tx) => {
    const request = await moveStore.answerRequest(tx, tokenHash(code), allow)
    if (!request) throw new Refusal('moveRequestOver')
    const action = allow ? 'card.moveAllowed' : 'card.moveRefused'
    await audit(tx, ctx, { action, memberId: request.memberId, detail: { request: request.id } })
    return { allowed: allow }
  })
}

export type CompletingDesk = MoveDesk & Pick<LinkDesk, 'returningKey'>

/**
 * Links the cards that members of this program have requested and whose owners have agreed. Returns the vault tokens of
 * the linked ones: transactions may be waiting for them. Any number of processes may do so at once.
 */
export async function completeMoves(ctx: Ctx, desk: CompletingDesk): Promise<string[]> {
  const linked: string[] = []
  for (;;) {
    const request = await inTransaction(ctx.db, async (tx) => {
      const taken = await moveStore.takeAllowed(tx)
      return taken && { token: taken.card.token, moved: await completeOne(tx, ctx, desk, taken) }
    })
    if (!request) return linked
    if (request.moved) linked.push(request.token)
  }
}

async function completeOne(
  tx: Tx,
  ctx: Ctx,
  desk: CompletingDesk,
  request: moveStore.AllowedRequest,
): Promise<boolean> {
  const { card, memberId } = request
  const member = await lockMember(tx, memberId)
  if (!member || member.deleted_at) return false
  const moved = await arrive(tx, ctx, desk, request)
  const action = moved ? 'card.movedHere' : 'card.moveFailed'
  await audit(tx, ctx, { action, memberId, detail: { card: card.publicId, request: request.id } })
  const parts = {
    ctx,
    firstName: member.first_name,
    lastFour: card.lastFour,
    otherProgram: nameOf(desk, request.fromPartner),
    origin: desk.origin(ctx.partnerId),
  }
  await postMail(tx, ctx, {
    memberId,
    recipient: member.email,
    topic: action,
    about: request.id,
    letter: moved ? arrivedLetter(parts) : moveFailedLetter(parts),
  })
  return moved
}

// Checked again, under the locks: the request may be days old.
async function arrive(
  tx: Tx,
  ctx: Ctx,
  desk: CompletingDesk,
  { id, memberId, card }: moveStore.AllowedRequest,
): Promise<boolean> {
  const home = await store.homeOf(tx, card.homeKey)
  const own = await store.cardsOf(tx, memberId)
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
    linked_before: await isLinkedBefore(tx, desk, memberId, card.fingerprint),
  })
  // The other program's card is already released: roll back everything.
  if (!row) throw new Error('a card was linked while its home was locked')
  if (move !== null) await moveStore.recordArrival(tx, move, { cardId: row.id, memberId })
  const consent = { memberId, channel: 'card', topic: card.publicId, granted: true, source: 'link-card' } as const
  await recordConsent(tx, { ...consent, wording: card.wording })
  await changeMember(tx, memberId, { member_type: 'EnrolledCardMember', active: true })
  return true
}

import { changeMember, getSignedInMember, lockOwnMember, type MemberRow } from '../../identity/members/service.ts'
import { endSessions } from '../../identity/session/service.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { deleteIdempotencyKeys } from '../../platform/database/idempotency.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { HOUR } from '../../platform/time.ts'
import type { CardType } from '../../programs/partners/contract.ts'
import type { MemberCard } from './contract.ts'
import { linkScope } from './link-cards.ts'
import { deleteMemberRequests } from './move-store.ts'
import { brandKind } from './rules.ts'
import * as store from './store.ts'
import type { CardIntent, CardVault } from './vault.ts'

export { linkCards } from './link-cards.ts'
export {
  type CompleteMovesDeps,
  completeMoves,
  decideRequest as decideMoveRequest,
  listRequests as listMoveRequests,
  notifyOwners,
} from './move-requests.ts'
export {
  endQuestions as endMoveQuestions,
  findLinkedToken,
  purgeMoves,
  withdrawRequests as withdrawMoveRequests,
} from './move-store.ts'
export { listMoves, notifyMoves, undoMove } from './moves.ts'
export { notifyExpiringCards } from './notify-expiry.ts'
export {
  deleteReplacedCard,
  listPartnerCardExpiries,
  listPartnerCards,
  loadPartnerCard,
  PartnerCardLoad,
  partnerCardColumns,
  vaultProblems,
} from './partner-cards.ts'
export { findFirstCards, linkSampleCard, type SampleCard } from './sample-card.ts'
export { sealCard } from './seal-card.ts'
export { hasCard, listCardFingerprints, listVaultTokens } from './store.ts'

/** Returns the signed-in member's linked cards. */
export async function listCards(ctx: MemberCtx): Promise<MemberCard[]> {
  const rows = await store.listCards(ctx.db, ctx.actor.memberId)
  return rows.map((row) => memberCard(ctx, row))
}

function memberCard(ctx: Ctx, row: store.CardRow): MemberCard {
  const wait = ctx.program.config.linkActivationHours * HOUR
  return {
    id: row.public_id,
    cardType: brandKind(row.card_type as CardType),
    description: row.description,
    lastFour: row.last_four,
    partnerCardId: row.partner_card_id,
    linkedAt: row.linked_at.toISOString(),
    earnsFrom: new Date(row.linked_at.getTime() + wait).toISOString(),
    expires: row.expires,
  }
}

/** Returns a card intent of the vault for the signed-in member. Throws error code `vaultUnavailable`. */
export async function createIntent(ctx: MemberCtx, vault: CardVault, parentOrigin: string): Promise<CardIntent> {
  const member = await getSignedInMember(ctx)
  const brands = ctx.program.config.cardTypesAccepted
  return vault.createIntent({ tenant: ctx.partnerId, holder: member.public_id, parentOrigin, brands })
}

/**
 * Unlinks a card of the signed-in member. The last one closes the account and ends its sessions: an active account
 * always has a card. A second removal has no effect. Throws error codes `cardNotFound`, and `cardsChanged` when the
 * member was told otherwise about the account.
 */
export async function removeCard(
  ctx: MemberCtx,
  { id, closesAccount }: { id: string; closesAccount?: boolean | undefined },
): Promise<{ closed: boolean }> {
  const memberId = ctx.actor.memberId
  return inTransaction(ctx.db, async (tx) => {
    await lockOwnMember(tx, ctx)
    const card = await store.findOwn(tx, memberId, id)
    if (!card) throw new ApiError('cardNotFound')
    if (card.removed_at) return { closed: false }
    await store.markRemoved(tx, card.id)
    // The same card may be linked again, and one that was beyond the limit is no longer.
    await deleteIdempotencyKeys(tx, linkScope(memberId))
    await audit(tx, ctx, { action: 'card.removed', memberId, detail: { card: id } })
    const left = await store.listCards(tx, memberId)
    if (closesAccount !== undefined && closesAccount !== (left.length === 0)) throw new ApiError('cardsChanged')
    if (left.length > 0) return { closed: false }
    await close(tx, ctx, memberId)
    return { closed: true }
  })
}

async function close(tx: Tx, ctx: Ctx, memberId: number): Promise<void> {
  await changeMember(tx, memberId, { member_type: 'ClosedAccountMember', active: false })
  await endSessions(tx, memberId)
  await audit(tx, ctx, { action: 'member.closed', memberId })
}

/** Unlinks every card of a member, which closes the account and ends its sessions. Throws `alreadyClosed`. */
export async function closeAccount(ctx: MemberCtx): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    const member = await lockOwnMember(tx, ctx)
    if (member.member_type === 'ClosedAccountMember') throw new ApiError('alreadyClosed')
    const cards = await store.listCards(tx, memberId)
    for (const { public_id: id } of cards) await removeCard({ ...ctx, db: tx }, { id })
    if (cards.length === 0) await close(tx, ctx, memberId)
  })
}

/**
 * Opens a closed account again, as one without a card: the member can sign in and link one. Throws `alreadyOpen`.
 */
export async function reopenAccount(ctx: MemberCtx): Promise<void> {
  const memberId = ctx.actor.memberId
  await inTransaction(ctx.db, async (tx) => {
    const member = await lockOwnMember(tx, ctx)
    if (member.member_type !== 'ClosedAccountMember') throw new ApiError('alreadyOpen')
    await changeMember(tx, memberId, { member_type: 'NonCardMember', active: true })
    await audit(tx, ctx, { action: 'member.reopened', memberId })
  })
}

/**
 * Gives the cards of an account to the one that it is merged into, which is open with a card then. The caller holds the
 * locks of both members.
 */
export async function mergeCards(tx: Tx, { from, to }: { from: MemberRow; to: MemberRow }): Promise<void> {
  await store.moveCards(tx, { from, to })
  await deleteIdempotencyKeys(tx, linkScope(from.id))
  if ((await store.listCards(tx, to.id)).length > 0)
    await changeMember(tx, to.id, { member_type: 'EnrolledCardMember', active: true })
}

/** Unlinks and redacts every card of a member; deletes the stored responses of their requests, and loaded cards. */
export async function eraseCards(tx: Tx, memberId: number): Promise<void> {
  await store.deletePartnerCards(tx, await store.listHolders(tx, memberId))
  await deleteMemberRequests(tx, memberId)
  await store.redactCards(tx, memberId)
  await deleteIdempotencyKeys(tx, linkScope(memberId))
}

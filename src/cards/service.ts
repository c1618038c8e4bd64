import { createHash } from 'node:crypto'
import { Refusal } from '../kit/refusal.ts'
import { audit } from '../kit/server/audit.ts'
import type { Ctx } from '../kit/server/context.ts'
import { inTransaction, type Tx } from '../kit/server/db.ts'
import { forgetReplies, once } from '../kit/server/idempotency.ts'
import { publicId } from '../kit/server/ids.ts'
import { changeMember, lockMember, memberRow, recordConsent } from '../members/service.ts'
import type { CardType } from '../partners/contract.ts'
import { endSessionsOf } from '../session/service.ts'
import type { AddCardForm, CardRegistration, MemberCard, NewCard } from './contract.ts'
import { brandKind, brandName } from './rules.ts'
import * as store from './store.ts'
import type { CardIntent, CardVault, Exchange, VaultCard } from './vault.ts'

/** The signed-in member's linked cards. */
export async function listCards(ctx: Ctx): Promise<MemberCard[]> {
  const rows = await store.cardsOf(ctx.db, ctx.actor.memberId as number)
  return rows.map(memberCard)
}

function memberCard(row: store.CardRow): MemberCard {
  return {
    id: row.public_id,
    cardType: brandKind(row.card_type as CardType),
    description: row.description,
    lastFour: row.last_four,
    partnerCardId: row.partner_card_id,
  }
}

/** A permission of the vault for the signed-in member's next card. Refusal `vaultUnavailable`. */
export async function openIntent(ctx: Ctx, vault: CardVault, parentOrigin: string): Promise<CardIntent> {
  const brands = ctx.program.config.cardTypesAccepted
  return vault.createIntent({ ...(await holderOf(ctx)), parentOrigin, brands })
}

async function holderOf(ctx: Ctx): Promise<{ tenant: string; holder: string }> {
  const member = await memberRow(ctx.db, ctx.actor.memberId as number)
  if (!member) throw new Error('a signed-in member who is not there')
  return { tenant: ctx.partnerId, holder: member.public_id }
}

/**
 * Links sealed cards. The vault is asked first, outside any transaction; then everything is written in one, with
 * the answer itself, so that the same request sent again links nothing more. `tokens` are those of the cards that the vault took. Refusals: `vaultUnavailable`, `keyReused`.
 */
export async function linkCards(
  ctx: Ctx,
  vault: CardVault,
  form: AddCardForm,
  idempotencyKey: string | undefined,
): Promise<{ cardRegistration: CardRegistration[]; tokens: string[] }> {
  const memberId = ctx.actor.memberId as number
  const holder = await holderOf(ctx)
  const exchanges: Exchange[] = []
  for (const { encryptedCardNumber } of form.creditCards) {
    exchanges.push(await vault.exchange({ ...holder, encryptedCardNumber }))
  }
  const request = form.creditCards.map((card) => card.encryptedCardNumber)
  // A request without a key is its own key: a double click is one request.
  const key = idempotencyKey ?? createHash('sha256').update(JSON.stringify(request)).digest('hex')
  const { cardRegistration } = await inTransaction(ctx.db, (tx) =>
    once(tx, { scope: `link-cards:${memberId}`, key, request }, async () => ({
      cardRegistration: await register(tx, ctx, memberId, form.creditCards, exchanges),
    })),
  )
  return { cardRegistration, tokens: exchanges.flatMap((exchange) => ('card' in exchange ? exchange.card.token : [])) }
}

async function register(
  tx: Tx,
  ctx: Ctx,
  memberId: number,
  cards: readonly NewCard[],
  exchanges: readonly Exchange[],
): Promise<CardRegistration[]> {
  // Counted under the lock: two tabs cannot both find the last place free.
  await lockMember(tx, memberId)
  const results: CardRegistration[] = []
  for (const [index, exchange] of exchanges.entries()) {
    const sent = cards[index] as NewCard
    results.push(
      'error' in exchange ? failed(ctx, sent, exchange.error) : await linkOne(tx, ctx, memberId, exchange.card, sent),
    )
  }
  if (results.some((result) => !result.error)) {
    await changeMember(tx, memberId, { member_type: 'EnrolledCardMember', active: true })
  }
  return results
}

async function linkOne(tx: Tx, ctx: Ctx, memberId: number, card: VaultCard, sent: NewCard): Promise<CardRegistration> {
  const { config } = ctx.program
  if (!config.cardTypesAccepted.includes(card.cardType)) return failed(ctx, sent, 'UNSUPPORTED_BRAND')
  const linked = await store.findByFingerprint(tx, card.fingerprint)
  // Whose it is stays private: somebody else may be asking.
  if (linked) return failed(ctx, sent, linked.member_id === memberId ? 'DUPLICATE' : 'ALREADY_LINKED')
  const own = await store.cardsOf(tx, memberId)
  if (own.length >= config.maximumCards) return failed(ctx, sent, 'LIMIT')
  const row = await store.insertCard(tx, {
    public_id: publicId(),
    member_id: memberId,
    token: card.token,
    fingerprint: card.fingerprint,
    card_type: card.cardType,
    description: brandName(card.cardType),
    last_four: card.lastFour,
  })
  if (!row) return failed(ctx, sent, 'ALREADY_LINKED')
  const wording = ctx.word('cards.file_feed_consent')
  await recordConsent(tx, {
    memberId,
    channel: 'card',
    topic: row.public_id,
    granted: true,
    wording,
    source: 'link-card',
  })
  await audit(tx, ctx, { action: 'card.linked', memberId, detail: { card: row.public_id } })
  return { memberCard: memberCard(row) }
}

function failed(ctx: Ctx, sent: NewCard, code: string): CardRegistration {
  const card: MemberCard = {
    id: '',
    cardType: brandKind(sent.cardType),
    description: brandName(sent.cardType),
    lastFour: sent.lastFour,
    partnerCardId: null,
  }
  return { memberCard: card, error: { code, message: ctx.word(`cards.error.${code}`) } }
}

/**
 * Unlinks a card of the signed-in member. The last one closes the account and ends its sessions: an active account
 * always has a card. A card that was removed already is removed. Refusal `cardNotFound`.
 */
export async function removeCard(ctx: Ctx, id: string): Promise<{ closed: boolean }> {
  const memberId = ctx.actor.memberId as number
  return inTransaction(ctx.db, async (tx) => {
    await lockMember(tx, memberId)
    const card = await store.findOwn(tx, memberId, id)
    if (!card) throw new Refusal('cardNotFound')
    if (card.removed_at) return { closed: false }
    await store.markRemoved(tx, card.id)
    await audit(tx, ctx, { action: 'card.removed', memberId, detail: { card: id } })
    const left = await store.cardsOf(tx, memberId)
    if (left.length > 0) return { closed: false }
    await changeMember(tx, memberId, { member_type: 'ClosedAccountMember', active: false })
    await endSessionsOf(tx, memberId)
    await audit(tx, ctx, { action: 'member.closed', memberId })
    return { closed: true }
  })
}

/** Lets the vault forget a member's cards, those excepted that somebody else has linked since. Refusal `vaultUnavailable`. */
export async function forgetAtVault(ctx: Ctx, vault: CardVault, memberId: number): Promise<void> {
  const tokens = (await store.tokensOf(ctx.db, memberId)).filter((token) => !token.startsWith('forgotten:'))
  if (tokens.length > 0) await vault.forget({ tenant: ctx.partnerId, tokens })
}

/** Unlinks and blanks every card of a member; the answers kept for repeated requests go too. */
export async function eraseCards(tx: Tx, memberId: number): Promise<void> {
  await store.blankCardsOf(tx, memberId)
  await forgetReplies(tx, `link-cards:${memberId}`)
}

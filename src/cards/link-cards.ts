import { createHash } from 'node:crypto'
import { Refusal } from '../kit/refusal.ts'
import { attemptKey, countAttempt } from '../kit/server/attempts.ts'
import { audit } from '../kit/server/audit.ts'
import type { Ctx } from '../kit/server/context.ts'
import { inTransaction, type Tx } from '../kit/server/db.ts'
import { once } from '../kit/server/idempotency.ts'
import { publicId } from '../kit/server/ids.ts'
import { DAY } from '../kit/time.ts'
import { changeMember, lockMember, memberRow, recordConsent } from '../members/service.ts'
import type { AddCardForm, CardRegistration, NewCard } from './contract.ts'
import { findLoaded } from './partner-cards.ts'
import { brandKind, brandName, hasExpired, mostExchangesADay } from './rules.ts'
import * as store from './store.ts'
import type { CardVault, VaultCard } from './vault.ts'

export interface LinkDesk {
  vault: CardVault
  /** Keys the counters of attempts. */
  lockKey: Buffer
  /** How other programs of the house call themselves. */
  programName: (partnerId: string) => string
}

export interface LinkRequest {
  form: AddCardForm
  idempotencyKey?: string | undefined
  /** The session of the card provider's script in the member's browser. */
  deviceSession?: string | undefined
}

interface Linked {
  cardRegistration: CardRegistration[]
  /** Vault tokens of the cards that are linked now: meals may be waiting for them. */
  tokens: string[]
}

/** Under which the answers to repeated requests are kept. */
export const linkScope = (memberId: number) => `link-cards:${memberId}`

type Found = { card: VaultCard; description: string; partnerCardId: string | null } | { error: string }

/**
 * Links cards, typed or chosen. The vault is asked first, outside any transaction; then everything is written in one,
 * with the answer itself, so that the same request sent again links nothing more. A card that earns in another program
 * of the house is moved only with `moveHere`. Refusals: `vaultUnavailable`, `keyReused`, `tooManyCards`.
 */
export async function linkCards(ctx: Ctx, desk: LinkDesk, request: LinkRequest): Promise<Linked> {
  const memberId = ctx.actor.memberId as number
  const { creditCards, moveHere } = request.form
  const found: Found[] = []
  for (const card of creditCards) found.push(await findCard(ctx, desk, card, request.deviceSession))
  const asked = { cards: creditCards.map(nameOf), moveHere }
  // A request without a key is its own key: a double click is one request.
  const key = request.idempotencyKey ?? createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  return inTransaction(ctx.db, (tx) =>
    once(tx, { scope: linkScope(memberId), key, request: asked }, () =>
      register(tx, ctx, { desk, memberId, sent: creditCards, found, moveHere }),
    ),
  )
}

const nameOf = (card: NewCard) => ('cardId' in card ? card.cardId : card.encryptedCardNumber)

async function findCard(
  ctx: Ctx,
  { vault, lockKey }: LinkDesk,
  card: NewCard,
  deviceSession: string | undefined,
): Promise<Found> {
  const memberId = ctx.actor.memberId as number
  if ('cardId' in card) return (await findLoaded(ctx, memberId, card.cardId)) ?? { error: 'NOT_LOADED' }
  const holder = await memberRow(ctx.db, memberId)
  if (!holder) throw new Error('a signed-in member who is not there')
  // Somebody who tries cards out tries many: the vault hears of a few a day.
  const key = attemptKey(lockKey, 'cards', ctx.partnerId, String(memberId))
  const tries = await countAttempt(ctx.db, { key, most: mostExchangesADay, windowMs: DAY })
  if (tries > mostExchangesADay) throw new Refusal('tooManyCards')
  const { encryptedCardNumber } = card
  const exchange = await vault.exchange({
    tenant: ctx.partnerId,
    holder: holder.public_id,
    encryptedCardNumber,
    deviceSession,
  })
  if ('error' in exchange) return exchange
  return { ...exchange, description: brandName(exchange.card.cardType), partnerCardId: null }
}

interface Registering {
  desk: LinkDesk
  memberId: number
  sent: readonly NewCard[]
  found: readonly Found[]
  moveHere: boolean
}

async function register(tx: Tx, ctx: Ctx, all: Registering): Promise<Linked> {
  // Counted under the lock: two tabs cannot both find the last place free.
  await lockMember(tx, all.memberId)
  const results: CardRegistration[] = []
  const tokens: string[] = []
  for (const [index, card] of all.found.entries()) {
    const sent = all.sent[index] as NewCard
    const result = 'error' in card ? failed(ctx, sent, card.error) : await linkOne(tx, ctx, all, card, sent)
    if (!result.error && 'card' in card) tokens.push(card.card.token)
    results.push(result)
  }
  if (tokens.length > 0) {
    await changeMember(tx, all.memberId, { member_type: 'EnrolledCardMember', active: true })
  }
  return { cardRegistration: results, tokens }
}

async function linkOne(
  tx: Tx,
  ctx: Ctx,
  { desk, memberId, moveHere }: Registering,
  found: Extract<Found, { card: VaultCard }>,
  sent: NewCard,
): Promise<CardRegistration> {
  const { config } = ctx.program
  const { card } = found
  if (!config.cardTypesAccepted.includes(card.cardType)) return failed(ctx, sent, 'UNSUPPORTED_BRAND')
  if (hasExpired(card.expires, ctx.now())) return failed(ctx, sent, 'EXPIRED_CARD')
  const home = await store.homeOf(tx, card.homeKey)
  const linked = await store.findByFingerprint(tx, card.fingerprint)
  // Whose it is stays private: somebody else may be asking.
  if (linked) return failed(ctx, sent, linked.member_id === memberId ? 'DUPLICATE' : 'ALREADY_LINKED')
  const own = await store.cardsOf(tx, memberId)
  if (own.length >= config.maximumCards) return failed(ctx, sent, 'LIMIT')
  const elsewhere = home !== null && home !== ctx.partnerId ? home : null
  if (elsewhere !== null && !moveHere) return failed(ctx, sent, 'LINKED_ELSEWHERE', desk.programName(elsewhere))
  const move = elsewhere === null ? null : await store.releaseCard(tx, card.homeKey)
  const row = await store.insertCard(tx, {
    public_id: publicId(),
    member_id: memberId,
    token: card.token,
    fingerprint: card.fingerprint,
    card_type: card.cardType,
    description: found.description,
    last_four: card.lastFour,
    partner_card_id: found.partnerCardId,
    expires: card.expires,
    home_key: card.homeKey,
  })
  // The other program's card is released already: all of it is undone rather than half of it kept.
  if (!row && move !== null) throw new Error('a card was linked while its home was locked')
  if (!row) return failed(ctx, sent, 'ALREADY_LINKED')
  if (move !== null) await store.recordArrival(tx, move, { cardId: row.id, memberId })
  await consent(tx, ctx, memberId, row.public_id)
  await audit(tx, ctx, {
    action: move === null ? 'card.linked' : 'card.movedHere',
    memberId,
    detail: { card: row.public_id, ...(move !== null && { from: elsewhere, move }) },
  })
  const { cardType, lastFour } = card
  const { description, partnerCardId } = found
  return { memberCard: { id: row.public_id, cardType: brandKind(cardType), description, lastFour, partnerCardId } }
}

async function consent(tx: Tx, ctx: Ctx, memberId: number, card: string): Promise<void> {
  const wording = ctx.word('cards.file_feed_consent')
  await recordConsent(tx, { memberId, channel: 'card', topic: card, granted: true, wording, source: 'link-card' })
}

function failed(ctx: Ctx, sent: NewCard, code: string, elsewhere?: string): CardRegistration {
  const memberCard = {
    id: '',
    cardType: brandKind(sent.cardType),
    description: brandName(sent.cardType),
    lastFour: sent.lastFour,
    partnerCardId: null,
  }
  const message = ctx.word(`cards.error.${code}`)
  return { memberCard, error: { code, message, ...(elsewhere !== undefined && { elsewhere }) } }
}

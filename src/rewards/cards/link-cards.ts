import { createHash } from 'node:crypto'
import {
  changeMember,
  getSignedInMember,
  isFormerMember,
  lockOwnMember,
  recordConsent,
} from '../../identity/members/service.ts'
import { attemptKey, countAddressAttempt, countAttempt } from '../../platform/database/attempts.ts'
import { audit } from '../../platform/database/audit.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { withIdempotencyKey } from '../../platform/database/idempotency.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import { DAY } from '../../platform/time.ts'
import type { AddCardForm, CardRegistration, NewCard } from './contract.ts'
import * as moves from './move-store.ts'
import { findLoaded } from './partner-cards.ts'
import {
  brandKind,
  brandName,
  hasExpired,
  maxExchangesPerDay,
  maxLoadedPerDay,
  maxMoveRequestsPerAddress,
  maxMoveRequestsPerDay,
} from './rules.ts'
import * as store from './store.ts'
import type { CardVault, VaultCard } from './vault.ts'

export interface LinkDeps {
  vault: CardVault
  /** HMAC key of the attempt counters. */
  lockKey: Buffer
  /** HMAC key of the marks by which a card of a deleted account is recognized. */
  returningKey: Buffer
}

export interface LinkRequest {
  form: AddCardForm
  idempotencyKey?: string | undefined
  /** The session of the card provider's script in the member's browser. */
  deviceSession?: string | undefined
}

interface Linked {
  cardRegistration: CardRegistration[]
  /** Vault tokens of the newly linked cards: transactions may be waiting for them. */
  tokens: string[]
}

/** Returns the idempotency scope of a member's stored responses. */
export const linkScope = (memberId: number) => `link-cards:${memberId}`

/** `ownerCardId` is the linked card of another program that this one may be moved from: the expiry date matched. */
type FoundCard = {
  card: VaultCard
  description: string
  partnerCardId: string | null
  ownerCardId?: number | undefined
}
type Found = FoundCard | { error: string }

/**
 * Links cards, typed or chosen. The vault is called first, outside any transaction; then everything is written in one,
 * including the response, so that a repeated request links nothing more. A card of another program stays there; with
 * `moveHere` its owner gets an email. Throws `vaultUnavailable`, `keyReused`, `tooManyCards`. See docs/decisions/036.
 */
export async function linkCards(ctx: MemberCtx, deps: LinkDeps, request: LinkRequest): Promise<Linked> {
  const memberId = ctx.actor.memberId
  const { creditCards, moveHere } = request.form
  const found: Found[] = []
  for (const card of creditCards) {
    const result = await findCard(ctx, deps, card, request.deviceSession)
    found.push('card' in result && moveHere ? await checkMove(ctx, deps, result) : result)
  }
  const requestContent = { cards: creditCards.map(identifierOf), moveHere }
  // Without an idempotency key the hash of the request is the key, so that a double click is one request.
  const key = request.idempotencyKey ?? createHash('sha256').update(JSON.stringify(requestContent)).digest('hex')
  try {
    return await inTransaction(ctx.db, (tx) =>
      withIdempotencyKey(tx, { scope: linkScope(memberId), key, request: requestContent }, () =>
        register(tx, ctx, { deps, memberId, sent: creditCards, found, moveHere }),
      ),
    )
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unauthorized') await deleteFoundCards(ctx, found)
    throw error
  }
}

/** Deletes cards at the vault, by jobs, after the account was deleted while they were being linked. */
async function deleteFoundCards(ctx: Ctx, found: readonly Found[]): Promise<void> {
  const tokens = found.flatMap((each) => ('card' in each ? [each.card.token] : []))
  const ownerless = tokens.length > 0 ? await store.findOwnerlessTokens(ctx.db, tokens) : []
  if (ownerless.length > 0) await store.recordReplacedTokens(ctx.db, ownerless)
}

const identifierOf = (card: NewCard) => ('cardId' in card ? card.cardId : card.encryptedCardNumber)

async function findCard(
  ctx: MemberCtx,
  { vault, lockKey }: LinkDeps,
  card: NewCard,
  deviceSession: string | undefined,
): Promise<Found> {
  const memberId = ctx.actor.memberId
  // Limits card testing: the vault receives only a few typed cards per member and day. A chosen one that is linked and
  // removed again and again adds as many rows.
  const limit =
    'cardId' in card
      ? { about: 'loaded-cards', maxAttempts: maxLoadedPerDay }
      : { about: 'cards', maxAttempts: maxExchangesPerDay }
  const key = attemptKey(lockKey, limit.about, ctx.partnerId, String(memberId))
  const tries = await countAttempt(ctx.db, { key, maxAttempts: limit.maxAttempts, windowMs: DAY })
  if (tries > limit.maxAttempts) throw new ApiError('tooManyCards')
  if ('cardId' in card) return (await findLoaded(ctx, memberId, card.cardId)) ?? { error: 'NOT_LOADED' }
  const holder = await getSignedInMember(ctx)
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

// Counted before the expiry date is compared: a guess counts like a correct date.
async function checkMove(ctx: MemberCtx, { vault, lockKey }: LinkDeps, found: FoundCard): Promise<Found> {
  const elsewhere = await moves.findElsewhere(ctx.db, found.card.homeKey)
  if (!elsewhere) return found
  const memberId = ctx.actor.memberId
  const key = attemptKey(lockKey, 'card-move', ctx.partnerId, String(memberId))
  const tries = await countAttempt(ctx.db, { key, maxAttempts: maxMoveRequestsPerDay, windowMs: DAY })
  const from = { secret: lockKey, about: 'card-move-address', partnerId: ctx.partnerId, address: ctx.address }
  const ofAddress = await countAddressAttempt(ctx.db, from, { maxAttempts: maxMoveRequestsPerAddress, windowMs: DAY })
  if (ofAddress > maxMoveRequestsPerAddress || tries > maxMoveRequestsPerDay) throw new ApiError('tooManyCards')
  const holder = await getSignedInMember(ctx)
  const same = await vault.sameExpiry({
    tenant: ctx.partnerId,
    token: found.card.token,
    holder: found.partnerCardId === null ? holder.public_id : '',
    home: { tenant: elsewhere.partner, holder: elsewhere.holder },
  })
  return same ? { ...found, ownerCardId: elsewhere.card } : found
}

interface RegisterInput {
  deps: LinkDeps
  memberId: number
  sent: readonly NewCard[]
  found: readonly Found[]
  moveHere: boolean
}

async function register(tx: Tx, ctx: MemberCtx, all: RegisterInput): Promise<Linked> {
  // Counted under the lock, so that two tabs cannot both use the last place.
  await lockOwnMember(tx, ctx)
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
  { deps, memberId, moveHere }: RegisterInput,
  found: FoundCard,
  sent: NewCard,
): Promise<CardRegistration> {
  const { config } = ctx.program
  const { card } = found
  const fails = (code: string) => failed(ctx, sent, code, found.description)
  if (!config.cardTypesAccepted.includes(card.cardType)) return fails('UNSUPPORTED_BRAND')
  if (hasExpired(card.expires, ctx.now())) return fails('EXPIRED_CARD')
  const home = await store.lockHome(tx, card.homeKey)
  const linked = await store.findByFingerprint(tx, card.fingerprint)
  // The owner of a card stays private: the requester may be another person.
  if (linked) return fails(linked.member_id === memberId ? 'DUPLICATE' : 'ALREADY_LINKED')
  const own = await store.listCards(tx, memberId)
  if (own.length >= config.maximumCards) return fails('LIMIT')
  if (home !== null && home !== ctx.partnerId) return await requestMove(tx, ctx, { memberId, moveHere, found, fails })
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
    linked_before: await isLinkedBefore(tx, deps, memberId, card.fingerprint),
  })
  if (!row) return fails('ALREADY_LINKED')
  await consent(tx, ctx, memberId, row.public_id)
  await audit(tx, ctx, { action: 'card.linked', memberId, detail: { card: row.public_id } })
  const { cardType, lastFour } = card
  const { description, partnerCardId } = found
  return { memberCard: { id: row.public_id, cardType: brandKind(cardType), description, lastFour, partnerCardId } }
}

/** Returns whether a card was linked in another account of this program, deleted or not. */
export async function isLinkedBefore(
  tx: Tx,
  { returningKey }: Pick<LinkDeps, 'returningKey'>,
  memberId: number,
  fingerprint: string,
): Promise<boolean> {
  const others = await store.isKnownToOthers(tx, memberId, fingerprint)
  return others || (await isFormerMember(tx, returningKey, { fingerprints: [fingerprint] }))
}

interface Elsewhere {
  memberId: number
  moveHere: boolean
  found: FoundCard
  fails: (code: string) => CardRegistration
}

// The same result whether or not the owner is notified: it must not reveal whether the expiry date was right.
async function requestMove(
  tx: Tx,
  ctx: Ctx,
  { memberId, moveHere, found, fails }: Elsewhere,
): Promise<CardRegistration> {
  const { card, ownerCardId } = found
  if (!moveHere) return fails('LINKED_ELSEWHERE')
  if (await moves.isInMoveCooldown(tx, card.homeKey)) return fails('MOVE_TOO_SOON')
  const requestId = publicId()
  // Also when no request is stored: the member can export these entries.
  await audit(tx, ctx, { action: 'card.requested', memberId, detail: { card: requestId } })
  if (ownerCardId !== undefined) {
    const request = {
      ...card,
      publicId: requestId,
      description: found.description,
      partnerCardId: found.partnerCardId,
      wording: ctx.t('cards.file_feed_consent'),
    }
    await moves.insertRequest(tx, { expected: ownerCardId, memberId, card: request })
  }
  return fails('MOVE_REQUESTED')
}

async function consent(tx: Tx, ctx: Ctx, memberId: number, card: string): Promise<void> {
  const consentText = ctx.t('cards.file_feed_consent')
  await recordConsent(tx, {
    memberId,
    channel: 'card',
    topic: card,
    granted: true,
    consentText,
    source: 'link-card',
  })
}

/** `description` is the name of a found card, under which it was offered; by default the brand. */
function failed(ctx: Ctx, sent: NewCard, code: string, description = brandName(sent.cardType)): CardRegistration {
  const memberCard = {
    id: '',
    cardType: brandKind(sent.cardType),
    description,
    lastFour: sent.lastFour,
    partnerCardId: null,
  }
  return { memberCard, error: { code, message: ctx.t(`cards.error.${code}`) } }
}

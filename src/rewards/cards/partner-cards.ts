import { z } from 'zod'
import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Column } from '../../platform/files/columns.ts'
import { sentLine } from '../../platform/form-schema.ts'
import type { Ctx, MemberCtx } from '../../platform/http/context.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { CardType } from '../../programs/partners/contract.ts'
import type { PartnerCard } from './contract.ts'
import { hasExpired } from './rules.ts'
import * as store from './store.ts'
import type { CardVault, VaultCard, VaultError } from './vault.ts'

/** Returns the cards loaded for the signed-in member that no other member has linked. Throws `notOffered`. */
export async function listPartnerCards(ctx: MemberCtx): Promise<PartnerCard[]> {
  if (!ctx.program.config.hasPartnerLoadedCards) throw new ApiError('notOffered')
  const memberId = ctx.actor.memberId
  const loaded = await store.listPartnerCards(ctx.db, await store.listHolders(ctx.db, memberId))
  const fingerprints = loaded.map(({ fingerprint }) => fingerprint)
  const linked = await store.findLinkedByOthers(ctx.db, memberId, fingerprints)
  const { cardTypesAccepted } = ctx.program.config
  return loaded
    .filter(({ fingerprint, expires }) => !linked.has(fingerprint) && !hasExpired(expires, ctx.now()))
    .filter(({ card_type }) => cardTypesAccepted.includes(card_type as CardType))
    .map((row) => ({
      cardId: row.public_id,
      cardType: row.card_type as CardType,
      description: row.description,
      lastFour: row.last_four,
      partnerCardId: row.partner_card_id,
    }))
}

/** Returns the months in which the cards expire that are loaded for a holder: `2030-04`. */
export async function listPartnerCardExpiries(db: Db, holder: string): Promise<string[]> {
  return (await store.listPartnerCards(db, [holder])).map(({ expires }) => expires)
}

/** Returns a loaded card of this member, in the shape of a vault card. */
export async function findLoaded(
  ctx: Ctx,
  memberId: number,
  cardId: string,
): Promise<{ card: VaultCard; description: string; partnerCardId: string } | null> {
  if (!ctx.program.config.hasPartnerLoadedCards) return null
  const loaded = await store.listPartnerCards(ctx.db, await store.listHolders(ctx.db, memberId))
  const row = loaded.find(({ public_id }) => public_id === cardId)
  if (!row) return null
  const { token, fingerprint, card_type, last_four: lastFour, expires, home_key: homeKey } = row
  const card = { token, fingerprint, cardType: card_type as CardType, lastFour, expires, homeKey }
  return { card, description: row.description, partnerCardId: row.partner_card_id }
}

/** A line of a file of loaded cards. */
export const PartnerCardLoad = z.strictObject({
  /** The member's public id, or the subject at the partner's identity provider. */
  holder: z.string().min(1).max(255),
  partnerCardId: z.string().min(1).max(100),
  description: sentLine().min(1).max(200),
  /** Sealed for the vault: `{number, expires, tenant, purpose: "load", exp}`. */
  encryptedCardNumber: z.string().min(50).max(4096),
})
export type PartnerCardLoad = z.output<typeof PartnerCardLoad>

/** Why the vault refuses a loaded card, as a sentence. */
export const vaultProblems: Readonly<Record<VaultError, string>> = {
  INVALID_CARD: 'It has no valid card number or expiry date.',
  EXPIRED_CARD: 'The card has expired.',
  UNSUPPORTED_BRAND: 'Cards of this brand are not accepted.',
  DECLINED: 'The card was declined.',
  INTENT_USED: 'It was used before.',
  INTENT_EXPIRED: 'Its time “exp” is over; encrypt the card again.',
  WRONG_HOLDER: 'It was encrypted for another program.',
  TAMPERED: 'The vault cannot decrypt it; encrypt the card with the vault’s current key.',
}

/** The columns of a file of loaded cards. */
export const partnerCardColumns: readonly Column[] = [
  { name: 'holder', required: true },
  { name: 'partnerCardId', also: ['cardId'], required: true },
  { name: 'description', required: true },
  { name: 'encryptedCardNumber', required: true },
]

/**
 * Stores a card that the partner has sealed for the vault, for a member who may not exist yet; loading it again updates
 * it. A job deletes a replaced number at the vault. Returns the vault's error code, or null. Throws error code
 * `vaultUnavailable`.
 */
export async function loadPartnerCard(
  ctx: Pick<Ctx, 'partnerId' | 'db'>,
  vault: CardVault,
  load: PartnerCardLoad,
): Promise<VaultError | null> {
  const exchange = await vault.load({ tenant: ctx.partnerId, encryptedCardNumber: load.encryptedCardNumber })
  if ('error' in exchange) return exchange.error
  const { card } = exchange
  await store.savePartnerCard(ctx.db, {
    public_id: publicId(),
    holder: load.holder,
    partner_card_id: load.partnerCardId,
    description: load.description,
    token: card.token,
    fingerprint: card.fingerprint,
    home_key: card.homeKey,
    card_type: card.cardType,
    last_four: card.lastFour,
    expires: card.expires,
  })
  return null
}

/** Deletes a replaced card at the vault, unless a card of this program has its token. Throws `vaultUnavailable`. */
export async function deleteReplacedCard(
  { db, partnerId }: Pick<Ctx, 'partnerId' | 'db'>,
  vault: Pick<CardVault, 'deleteCards'>,
  id: number,
): Promise<void> {
  const token = await store.findReplacedToken(db, id)
  if (token === undefined) return
  const tokens = await store.findOwnerlessTokens(db, [token])
  if (tokens.length > 0) await vault.deleteCards({ tenant: partnerId, tokens })
  await store.deleteReplacement(db, id)
}

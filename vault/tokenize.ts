import { createHash } from 'node:crypto'
import { secretToken } from '../src/platform/security/ids.ts'
import { brandOf, hasExpired, isExpiryMonth, passesLuhn } from '../src/rewards/cards/rules.ts'
import type { VaultKeys } from './keys.ts'
import { openLoaded, openSealed, type SealedCard } from './sealed-card.ts'
import type { Intent, TokenizedCard, VaultStore } from './store.ts'

export interface TokenRequest {
  tenant: string
  holder: string
  encryptedCardNumber: string
  /** The session of the provider script in the browser that sent it; stored with the intent. */
  deviceSession?: string | undefined
}

export type TokenError =
  | 'TAMPERED'
  | 'WRONG_HOLDER'
  | 'INTENT_EXPIRED'
  | 'INTENT_USED'
  | 'INVALID_CARD'
  | 'EXPIRED_CARD'
  | 'UNSUPPORTED_BRAND'
  | 'DECLINED'

export type TokenResult = { card: TokenizedCard } | { error: TokenError }

/** Cards that end with these digits are always declined, to test declines by the issuer. */
export const declinedLastFour = '0002'

/**
 * Converts a sealed card to a token, and repeats every check of the frame. The same sealed card for the same intent
 * returns the same token; a different one for a used intent returns `INTENT_USED`.
 */
export async function tokenize(
  { keys, store, now }: { keys: VaultKeys; store: VaultStore; now: () => Date },
  request: TokenRequest,
): Promise<TokenResult> {
  const sealed = await openSealed(keys, request.encryptedCardNumber)
  if (!sealed) return { error: 'TAMPERED' }
  const hash = createHash('sha256').update(request.encryptedCardNumber).digest()
  return store.withIntent(sealed.intent, async (intent, { redeem, findCard }) => {
    const wrong = checkHolder(sealed, intent, request, now())
    if (wrong) return { error: wrong }
    const { requestHash, token } = intent as Intent
    if (requestHash)
      return requestHash.equals(hash) && token
        ? { card: await findCard(token, request.holder) }
        : { error: 'INTENT_USED' }
    const error = checkCard(sealed, intent as Intent, now())
    if (error) return { error: error }
    const session = request.deviceSession
    const deviceSession = session && keys.isSession(session, now()) ? session : null
    return { card: await redeem(intent as Intent, toTokenizedCard(keys, sealed), { requestHash: hash, deviceSession }) }
  })
}

/** Tokenizes a card that a partner loads for a member: sealed for this tenant and purpose, with the same checks. */
export async function tokenizeLoaded(
  { keys, store, now }: { keys: VaultKeys; store: VaultStore; now: () => Date },
  { tenant, encryptedCardNumber }: Pick<TokenRequest, 'tenant' | 'encryptedCardNumber'>,
): Promise<TokenResult> {
  const loaded = await openLoaded(keys, encryptedCardNumber)
  if (!loaded) return { error: 'TAMPERED' }
  if (loaded.tenant !== tenant) return { error: 'WRONG_HOLDER' }
  if (loaded.exp * 1000 < now().getTime()) return { error: 'INTENT_EXPIRED' }
  const error = checkNumber(loaded, now())
  if (error) return { error: error }
  return { card: await store.loadCard(tenant, toTokenizedCard(keys, { ...loaded, tenant })) }
}

function toTokenizedCard(keys: VaultKeys, card: { number: string; expires: string; tenant: string }): TokenizedCard {
  return {
    token: `tok_${secretToken()}`,
    fingerprint: keys.fingerprint(card.tenant, card.number),
    homeKey: keys.homeKey(card.number),
    cardType: brandOf(card.number) as string,
    lastFour: card.number.slice(-4),
    expires: card.expires,
  }
}

/** Returns an error unless this holder may use the sealed card for this intent now. */
export function checkHolder(
  sealed: SealedCard,
  intent: Intent | undefined,
  request: Pick<TokenRequest, 'tenant' | 'holder'>,
  now: Date,
): TokenError | null {
  if (sealed.tenant !== request.tenant || sealed.holder !== request.holder) return 'WRONG_HOLDER'
  if (!intent) return 'INTENT_EXPIRED'
  if (intent.tenant !== request.tenant || intent.holder !== request.holder) return 'WRONG_HOLDER'
  if (sealed.exp * 1000 < now.getTime() || intent.expiresAt < now) return 'INTENT_EXPIRED'
  return null
}

function checkCard(sealed: SealedCard, intent: Intent, now: Date): TokenError | null {
  const brand = brandOf(sealed.number)
  if (brand && !intent.brands.includes(brand)) return 'UNSUPPORTED_BRAND'
  return checkNumber(sealed, now)
}

function checkNumber({ number, expires }: { number: string; expires: string }, now: Date): TokenError | null {
  if (!brandOf(number) || !passesLuhn(number) || !isExpiryMonth(expires, now)) return 'INVALID_CARD'
  if (hasExpired(expires, now)) return 'EXPIRED_CARD'
  return number.endsWith(declinedLastFour) ? 'DECLINED' : null
}

import { z } from 'zod'
import { UnavailableError } from '../../platform/errors.ts'
import { outboundFetch } from '../../platform/http/outbound-fetch.ts'
import { CardType } from '../../programs/partners/schemas.ts'
import type { SealingKey } from './seal-card.ts'

export interface Holder {
  /** The partner, and the member by public id: a sealed card is valid for these alone. */
  tenant: string
  holder: string
}

export const VaultCard = z.object({
  token: z.string(),
  fingerprint: z.string(),
  cardType: CardType,
  lastFour: z.string().regex(/^\d{4}$/),
  /** The last valid month, `YYYY-MM`. */
  expires: z.string().regex(/^\d{4}-\d{2}$/),
  /** The same in every program of the installation. */
  homeKey: z.string(),
})
export type VaultCard = z.infer<typeof VaultCard>

export const vaultErrors = [
  'INVALID_CARD',
  'EXPIRED_CARD',
  'UNSUPPORTED_BRAND',
  'DECLINED',
  'INTENT_USED',
  'INTENT_EXPIRED',
  'WRONG_HOLDER',
  'TAMPERED',
] as const
export type VaultError = (typeof vaultErrors)[number]

export type Exchange = { card: VaultCard } | { error: VaultError }

const Intent = z.object({ intentId: z.string(), frameUrl: z.url(), expiresAt: z.iso.datetime() })
export type CardIntent = z.infer<typeof Intent>

/** The app's interface to a card vault. All calls throw `vaultUnavailable` when it does not respond. */
export interface CardVault {
  createIntent(request: Holder & { parentOrigin: string; brands: readonly CardType[] }): Promise<CardIntent>
  /** Exchanges a sealed card for a token. Idempotent: the same sealed card and holder give the same result. */
  exchange(request: Holder & { encryptedCardNumber: string; deviceSession?: string | undefined }): Promise<Exchange>
  /** Loads a card that the partner has sealed; a repeated call returns the same token. */
  load(request: { tenant: string; encryptedCardNumber: string }): Promise<Exchange>
  /** Returns the public key for sealing cards. */
  sealingKey(): Promise<SealingKey>
  /**
   * Returns whether the holder of a token has given the same expiry date as the holder of this card in another program.
   * An empty `holder` is the partner that loaded the card. The vault reveals neither date.
   */
  sameExpiry(request: Holder & { token: string; home: Holder }): Promise<boolean>
  /** Deletes cards, and what a holder has typed, at the vault; unknown tokens are ignored. */
  deleteCards(request: { tenant: string; tokens: readonly string[]; holder?: string }): Promise<void>
}

/** Returns a vault client over HTTP. `apiUrl` is the origin at which the app reaches it. */
export function createHttpVault({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): CardVault {
  async function post(path: string, body: unknown): Promise<{ status: number; json: unknown }> {
    const send = () =>
      outboundFetch(new URL(path, apiUrl), {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
      })
    try {
      const response = await send().catch(send)
      return { status: response.status, json: await response.json() }
    } catch {
      throw new UnavailableError('vaultUnavailable')
    }
  }
  return {
    async createIntent(request) {
      const { status, json } = await post('/api/intents', request)
      if (status !== 200) throw new UnavailableError('vaultUnavailable')
      return Intent.parse(json)
    },
    exchange: async (request) => toExchange(await post('/api/tokens', request)),
    load: async (request) => toExchange(await post('/api/loaded-cards', request)),
    async sealingKey() {
      const response = await outboundFetch(new URL('/api/keys', apiUrl), { redirect: 'error' }).catch(() => null)
      const read = z.object({ keys: z.tuple([z.looseObject({ kid: z.string() })]) }).safeParse(await response?.json())
      if (!read.success) throw new UnavailableError('vaultUnavailable')
      return read.data.keys[0]
    },
    async sameExpiry(request) {
      const { status, json } = await post('/api/tokens/same-expiry', request)
      const read = z.object({ same: z.boolean() }).safeParse(json)
      if (status !== 200 || !read.success) throw new UnavailableError('vaultUnavailable')
      return read.data.same
    },
    async deleteCards(request) {
      const { status } = await post('/api/tokens/forget', request)
      if (status !== 200) throw new UnavailableError('vaultUnavailable')
    },
  }
}

function toExchange({ status, json }: { status: number; json: unknown }): Exchange {
  if (status === 200) return { card: VaultCard.parse(json) }
  const failed = z.object({ error: z.enum(vaultErrors) }).safeParse(json)
  if (status === 422 && failed.success) return failed.data
  throw new UnavailableError('vaultUnavailable')
}

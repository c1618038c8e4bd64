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
  /**
   * Deletes cards at the vault. With `holder`, also what this member has typed, and the cards that then belong to no
   * member and that the partner has not loaded. Unknown tokens are ignored.
   */
  deleteCards(request: { tenant: string; tokens: readonly string[]; holder?: string }): Promise<void>
}

/** Returns a vault client over HTTP. `apiUrl` is the origin at which the app reaches it. */
export function createHttpVault({ apiUrl, apiKey }: { apiUrl: string; apiKey: string }): CardVault {
  async function post(path: string, body: unknown): Promise<VaultResponse> {
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
      return read(Intent, await post('/api/intents', request))
    },
    exchange: async (request) => toExchange(await post('/api/tokens', request)),
    load: async (request) => toExchange(await post('/api/loaded-cards', request)),
    async sealingKey() {
      const response = await outboundFetch(new URL('/api/keys', apiUrl), { redirect: 'error' }).catch(() => null)
      const json = await response?.json().catch(() => null)
      return read(Keys, { status: response?.status ?? 0, json }).keys[0]
    },
    async sameExpiry(request) {
      return read(SameExpiry, await post('/api/tokens/same-expiry', request)).same
    },
    async deleteCards(request) {
      const { status } = await post('/api/tokens/forget', request)
      if (status !== 200) throw new UnavailableError('vaultUnavailable')
    },
  }
}

interface VaultResponse {
  status: number
  json: unknown
}

const Keys = z.object({ keys: z.tuple([z.looseObject({ kid: z.string() })]) })
const SameExpiry = z.object({ same: z.boolean() })

/** Throws `vaultUnavailable` for an error, and for a response of another server, for example of a proxy. */
function read<S extends z.ZodType>(schema: S, { status, json }: VaultResponse): z.output<S> {
  const parsed = schema.safeParse(json)
  if (status !== 200 || !parsed.success) throw new UnavailableError('vaultUnavailable')
  return parsed.data
}

function toExchange(response: VaultResponse): Exchange {
  const failed = z.object({ error: z.enum(vaultErrors) }).safeParse(response.json)
  if (response.status === 422 && failed.success) return failed.data
  return { card: read(VaultCard, response) }
}

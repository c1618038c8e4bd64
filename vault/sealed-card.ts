import { compactDecrypt, importJWK } from 'jose'
import { z } from 'zod'
import type { VaultKeys } from './keys.ts'

/**
 * The sealed content of a frame: the card, and the holder, intent and expiry for which it is valid. Times are seconds
 * since 1970.
 */
export const SealedCard = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  expires: z.string().regex(/^\d{4}-\d{2}$/),
  intent: z.string(),
  tenant: z.string(),
  holder: z.string(),
  exp: z.number().int(),
})
export type SealedCard = z.infer<typeof SealedCard>

/** The sealed content for a card that a partner loads for a member. `exp` is in seconds since 1970. */
export const LoadedCard = z.strictObject({
  number: SealedCard.shape.number,
  expires: SealedCard.shape.expires,
  tenant: z.string(),
  purpose: z.literal('load'),
  exp: z.number().int(),
})
export type LoadedCard = z.infer<typeof LoadedCard>

/** Decrypts a sealed card; returns null unless it was sealed for this vault in this format and is unchanged. */
export function openSealed(keys: Pick<VaultKeys, 'privateJwk'>, sealed: string): Promise<SealedCard | null> {
  return open(keys, sealed, SealedCard)
}

/**
 * Decrypts a card that a partner has sealed for loading; returns null for anything else, including a card of a frame.
 */
export function openLoaded(keys: Pick<VaultKeys, 'privateJwk'>, sealed: string): Promise<LoadedCard | null> {
  return open(keys, sealed, LoadedCard)
}

async function open<T>(keys: Pick<VaultKeys, 'privateJwk'>, sealed: string, shape: z.ZodType<T>): Promise<T | null> {
  try {
    const { plaintext } = await compactDecrypt(sealed, await importJWK(keys.privateJwk, 'ECDH-ES'), {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    return shape.safeParse(JSON.parse(Buffer.from(plaintext).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

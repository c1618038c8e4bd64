import { compactDecrypt, importJWK } from 'jose'
import { z } from 'zod'
import type { VaultKeys } from './keys.ts'

/** What a frame seals: the card, and whom, for what and until when it may be brought. Times are seconds since 1970. */
export const SealedCard = z.strictObject({
  number: z.string().regex(/^\d{12,19}$/),
  expires: z.string().regex(/^\d{4}-\d{2}$/),
  intent: z.string(),
  tenant: z.string(),
  holder: z.string(),
  exp: z.number().int(),
})
export type SealedCard = z.infer<typeof SealedCard>

/** Opens a sealed card; null for whatever was not sealed for this vault, in just this way, unchanged. */
export async function openSealed(keys: Pick<VaultKeys, 'privateJwk'>, sealed: string): Promise<SealedCard | null> {
  try {
    const { plaintext } = await compactDecrypt(sealed, await importJWK(keys.privateJwk, 'ECDH-ES'), {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: ['A256GCM'],
    })
    return SealedCard.safeParse(JSON.parse(Buffer.from(plaintext).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}

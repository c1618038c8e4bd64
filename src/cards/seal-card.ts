import { CompactEncrypt, importJWK, type JWK } from 'jose'

export type SealingKey = JWK & { kid: string }

/** Seals a card for the vault, which alone can open it. `claims` say whose it is, what for and until when. */
export async function sealCard(key: SealingKey, claims: Record<string, unknown>): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

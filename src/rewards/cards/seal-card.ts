import { CompactEncrypt, importJWK, type JWK } from 'jose'

export type SealingKey = JWK & { kid: string }

/** Seals a card so that only the vault can open it. `claims` contain its holder, purpose and expiry. */
export async function sealCard(key: SealingKey, claims: Record<string, unknown>): Promise<string> {
  return new CompactEncrypt(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid })
    .encrypt(await importJWK(key, 'ECDH-ES'))
}

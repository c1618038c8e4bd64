import { createECDH, createHmac, timingSafeEqual } from 'node:crypto'
import type { JWK } from 'jose'
import { deriveKey, keyId } from '../src/kit/server/settings.ts'

export interface VaultKeys {
  /** Opens what frames seal. Never leaves the vault. */
  privateJwk: JWK
  /** What frames seal with. */
  publicJwk: JWK & { kid: string }
  /** Keyed by tenant as well: two programs cannot find out that they share a card. */
  fingerprint(tenant: string, number: string): string
  isApiKey(given: string): boolean
}

/** All keys of the vault, each derived from its secret for one purpose. */
export function vaultKeys(secret: string): VaultKeys {
  const { privateJwk, publicJwk } = sealingKeys(secret)
  const fingerprintKey = deriveKey(secret, 'vault-fingerprint')
  const apiKey = Buffer.from(deriveKey(secret, 'vault-api').toString('base64url'))
  return {
    privateJwk,
    publicJwk,
    fingerprint: (tenant, number) =>
      createHmac('sha256', fingerprintKey).update(`${tenant}:${number}`).digest('base64url'),
    isApiKey(given) {
      const bytes = Buffer.from(given)
      return bytes.length === apiKey.length && timingSafeEqual(bytes, apiKey)
    },
  }
}

function sealingKeys(secret: string): Pick<VaultKeys, 'privateJwk' | 'publicJwk'> {
  const scalar = deriveKey(secret, 'vault-seal')
  const curve = createECDH('prime256v1')
  // Throws for a scalar outside the curve's order, which one secret in four billion billion gives.
  curve.setPrivateKey(scalar)
  const point = curve.getPublicKey()
  const kid = keyId(point)
  const shared = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
    alg: 'ECDH-ES',
    kid,
  }
  return { publicJwk: shared, privateJwk: { ...shared, d: scalar.toString('base64url') } }
}

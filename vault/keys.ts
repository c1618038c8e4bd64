import { createECDH, createHmac, timingSafeEqual } from 'node:crypto'
import type { JWK } from 'jose'
import { deriveKey, keyId } from '../src/platform/config/settings.ts'
import { secretToken } from '../src/platform/security/ids.ts'
import { HOUR } from '../src/platform/time.ts'
import { publishableKeyOf } from '../src/rewards/cards/publishable-key.ts'

export interface VaultKeys {
  /** Decrypts what frames seal. Never leaves the vault. */
  privateJwk: JWK
  /** Encrypts in the frames. */
  publicJwk: JWK & { kid: string }
  /** Keyed by tenant as well, so that programs cannot correlate cards. */
  fingerprint(tenant: string, number: string): string
  /** The same for every tenant, because a card earns in only one program of an installation at a time. */
  homeKey(number: string): string
  isApiKey(given: string): boolean
  isPublishableKey(given: string): boolean
  /** Returns a signed session of the provider script: its hour and a random part. */
  openSession(now: Date): string
  isSession(given: string, now: Date): boolean
}

/** All keys of the vault, each derived from its secret for one purpose. */
export function deriveVaultKeys(secret: string): VaultKeys {
  const { privateJwk, publicJwk } = sealingKeys(secret)
  const fingerprintKey = deriveKey(secret, 'vault-fingerprint')
  const homeKey = deriveKey(secret, 'vault-home')
  const sessionKey = deriveKey(secret, 'vault-session')
  const apiKey = Buffer.from(deriveKey(secret, 'vault-api').toString('base64url'))
  return {
    privateJwk,
    publicJwk,
    fingerprint: (tenant, number) =>
      createHmac('sha256', fingerprintKey).update(`${tenant}:${number}`).digest('base64url'),
    homeKey: (number) => createHmac('sha256', homeKey).update(number).digest('base64url'),
    isApiKey: (given) => isSame(given, apiKey),
    isPublishableKey: (given) => given === publishableKeyOf(secret),
    openSession(now) {
      const text = `${now.getTime()}.${secretToken()}`
      return `${text}.${signed(sessionKey, text)}`
    },
    isSession(given, now) {
      const [at = '', random = '', signature = ''] = given.split('.')
      const age = now.getTime() - Number(at)
      return age >= 0 && age < HOUR && isSame(signature, Buffer.from(signed(sessionKey, `${at}.${random}`)))
    },
  }
}

function signed(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}

function isSame(given: string, known: Buffer): boolean {
  const bytes = Buffer.from(given)
  return bytes.length === known.length && timingSafeEqual(bytes, known)
}

function sealingKeys(secret: string): Pick<VaultKeys, 'privateJwk' | 'publicJwk'> {
  const scalar = deriveKey(secret, 'vault-seal')
  const curve = createECDH('prime256v1')
  // Throws for a scalar outside the curve's order, which one secret in four billion (2³²) yields.
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

import { deriveKey, keyId } from '../kit/server/settings.ts'

/**
 * What pages show to the script of the embedded card provider. It opens nothing; made of the vault's secret, it is
 * another one in each environment.
 */
export function publishableKeyOf(vaultSecret: string): string {
  return `pk_${keyId(deriveKey(vaultSecret, 'vault-publishable'))}`
}

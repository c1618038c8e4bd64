import { deriveKey, keyId } from '../../platform/config/settings.ts'

/**
 * Returns the public key that pages pass to the script of the embedded card provider. It grants no access; derived from
 * the vault's secret, it differs in each environment.
 */
export function publishableKeyOf(vaultSecret: string): string {
  return `pk_${keyId(deriveKey(vaultSecret, 'vault-publishable'))}`
}

import { deriveKey } from '../../platform/config/settings.ts'

/** Returns the signing key of a partner's card network, base64; each partner has its own. */
export function feedKey(feedSecret: string, partnerId: string): string {
  return deriveKey(feedSecret, `feed:${partnerId}`).toString('base64')
}

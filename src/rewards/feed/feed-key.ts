import { deriveKey } from '../../kit/server/settings.ts'

/** The key that a partner's card network signs with: base64 text, its own for every partner. */
export function feedKey(feedSecret: string, partnerId: string): string {
  return deriveKey(feedSecret, `feed:${partnerId}`).toString('base64')
}

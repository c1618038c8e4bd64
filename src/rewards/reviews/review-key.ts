import { deriveKey, type Settings } from '../../platform/config/settings.ts'

/** Returns the key with which the form service signs reviews: the setting, else a derived key. */
export function reviewKey({ REVIEW_KEY, APP_SECRET }: Pick<Settings, 'REVIEW_KEY' | 'APP_SECRET'>): string {
  return REVIEW_KEY ?? deriveKey(APP_SECRET, 'reviews').toString('base64')
}

import { deriveKey, type Settings } from '../kit/server/settings.ts'

/** What the form service signs with when it tells of a review: its own setting, else one derived for it. */
export function reviewKey({ REVIEW_KEY, APP_SECRET }: Pick<Settings, 'REVIEW_KEY' | 'APP_SECRET'>): string {
  return REVIEW_KEY ?? deriveKey(APP_SECRET, 'reviews').toString('base64')
}

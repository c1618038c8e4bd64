import { localKeys } from '../../../platform/browser/local-keys.ts'
import { recall, remember } from '../../../platform/browser/storage.ts'

/** Stores the card on the device for step three. */
export function rememberLinkedCard(lastFour: string): void {
  remember(localKeys.linkedCard, lastFour)
}

/** Returns the last four digits of the card that was just linked; null without one. */
export function linkedCard(): string | null {
  const kept = recall(localKeys.linkedCard)
  return kept && /^\d{4}$/.test(kept) ? kept : null
}

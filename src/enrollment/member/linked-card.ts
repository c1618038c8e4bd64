import { localKeys } from '../../kit/web/local-keys.ts'
import { recall, remember } from '../../kit/web/storage.ts'

/** Kept on the device, so that step three can say which card it was. */
export function rememberLinkedCard(lastFour: string): void {
  remember(localKeys.linkedCard, lastFour)
}

/** The last four digits of the card just linked; null without a step two. */
export function linkedCard(): string | null {
  const kept = recall(localKeys.linkedCard)
  return kept && /^\d{4}$/.test(kept) ? kept : null
}

import { getItem, setItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'

/** Stores the card on the device for step three. */
export function storeLinkedCard(lastFour: string): void {
  setItem(storageKeys.linkedCard, lastFour)
}

/** Returns the last four digits of the card that was just linked; null without one. */
export function getLinkedCard(): string | null {
  const stored = getItem(storageKeys.linkedCard)
  return stored && /^\d{4}$/.test(stored) ? stored : null
}

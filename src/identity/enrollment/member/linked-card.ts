import { getItem, setItem } from '../../../platform/browser/storage.ts'
import { storageKeys } from '../../../platform/browser/storage-keys.ts'

/** Stores the cards that were linked on the device for step three, by their last four digits. */
export function storeLinkedCards(lastFours: readonly string[]): void {
  setItem(storageKeys.linkedCard, lastFours.join(' '))
}

/** Returns the last four digits of the cards that were just linked; empty without one. */
export function getLinkedCards(): string[] {
  return getItem(storageKeys.linkedCard)?.match(/\b\d{4}\b/g) ?? []
}

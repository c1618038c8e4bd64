const key = 'cardRegistrationSuccess'

/** Kept on the device, so that step three can say which card it was. */
export function rememberLinkedCard(lastFour: string): void {
  localStorage.setItem(key, lastFour)
}

/** The last four digits of the card just linked; null without a step two. */
export function linkedCard(): string | null {
  const kept = typeof localStorage === 'undefined' ? null : localStorage.getItem(key)
  return kept && /^\d{4}$/.test(kept) ? kept : null
}

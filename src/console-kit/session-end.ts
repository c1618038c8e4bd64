import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let isEnded = false

/** Says that the session has ended, or that the operator has signed in again. */
export function setSessionEnded(ended: boolean): void {
  isEnded = ended
  for (const listener of listeners) listener()
}

/** Returns whether the session has ended while the page was open. */
export const useSessionEnded = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isEnded,
  )

/** Returns the address of the sign-in page, which leads back to this page with its filters. */
export const signInAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string =>
  `/sign-in?${new URLSearchParams({ returnTo: pathname + search })}`

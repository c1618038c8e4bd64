import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** Returns false for server-rendered HTML and true after hydration. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

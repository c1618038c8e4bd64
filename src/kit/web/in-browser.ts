import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False while the server's HTML shows, true once the script has taken over. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

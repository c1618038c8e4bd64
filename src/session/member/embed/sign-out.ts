// Not the contract: every page has this, and the forms' schemas would come along.
import { signOutPath } from '../../rules.ts'

/**
 * Ends the session by a call that outlives the page: whoever closes it at this moment is signed out too. A failure is
 * nobody's: what follows asks the server anyway.
 */
export async function signOutAnyhow(apiBase: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const options = { credentials: 'same-origin', keepalive: true } as const
  await fetch(apiBase + signOutPath, { ...options, headers: { accept: 'application/json', ...headers } }).catch(
    () => {},
  )
}

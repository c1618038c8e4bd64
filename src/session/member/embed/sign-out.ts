import { signOut } from '../../contract.ts'

/**
 * Ends the session by a call that outlives the page: whoever closes it at this moment is signed out too. A failure is
 * nobody's: what follows asks the server anyway.
 */
export async function signOutAnyhow(apiBase: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const options = { credentials: 'same-origin', keepalive: true } as const
  await fetch(apiBase + signOut.path, { ...options, headers: { accept: 'application/json', ...headers } }).catch(
    () => {},
  )
}

// Not from the contract: every page imports this, and the contract includes the forms' schemas.
import { signOutPath } from '../../rules.ts'

/**
 * Ends the session with a request that outlives the page, so that closing the page still signs out. A failure is
 * ignored, because the next page queries the server anyway.
 */
export async function signOutInBackground(
  apiBase: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const options = { credentials: 'same-origin', keepalive: true } as const
  await fetch(apiBase + signOutPath, { ...options, headers: { accept: 'application/json', ...headers } }).catch(
    () => {},
  )
}

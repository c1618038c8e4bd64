import { redirectDocument } from 'react-router'
import { getProgramVersion } from '../../content/contract.ts'
import { type Api, ApiError } from '../../kit/web/api.ts'

// Without a network a new document is what the service worker can still give.
const isOffline = (error: unknown) => error instanceof ApiError && error.status === 0 && !navigator.onLine

/**
 * Before a page shows: has the program changed since this document was loaded? Then the next page is a new document,
 * so that no old word, switch or route is left anywhere. Throws the redirect; without an answer all stays as it is.
 */
export async function stayCurrent(version: string, api: Api, url: URL): Promise<void> {
  const now = await api.call(getProgramVersion, {}).then(
    (answer) => answer.version,
    (error) => (isOffline(error) ? null : version),
  )
  if (now !== version) throw redirectDocument(url.pathname + url.search + url.hash)
}

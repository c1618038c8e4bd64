import { redirectDocument } from 'react-router'
import { type Api, ApiCallError } from '../../platform/browser/api.ts'
import { getProgramVersion } from '../../programs/content/contract.ts'

// Offline, the service worker can still provide a new document.
const isOffline = (error: unknown) => error instanceof ApiCallError && error.status === 0 && !navigator.onLine

/**
 * Checks before each page whether the program changed since this document was loaded. If so, throws a redirect that
 * loads a new document, so that no outdated message, flag or route remains. Without a response, nothing changes.
 */
export async function reloadIfOutdated(version: string, api: Api, url: URL): Promise<void> {
  const now = await api.call(getProgramVersion, {}).then(
    (response) => response.version,
    (error) => (isOffline(error) ? null : version),
  )
  if (now !== version) throw redirectDocument(url.pathname + url.search + url.hash)
}

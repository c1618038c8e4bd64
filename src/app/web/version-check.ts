import { ApiCallError, type ReadApi } from '../../platform/browser/api.ts'
import { Redirect } from '../../platform/browser/router/redirect.ts'
import { getProgramVersion } from '../../programs/content/contract.ts'

export interface VersionCheck {
  /** Records the version that a response carried. */
  record(version: string): void
  /**
   * Loads a page's data. Throws a redirect that loads a new document when the program has changed since this document
   * was loaded, so that no outdated message, flag or route remains.
   */
  load(url: URL, loadData: () => Promise<void>): Promise<void>
}

// Offline, the service worker can still provide a new document, or the page that says so.
const isOffline = (error: unknown) => error instanceof ApiCallError && error.status === 0 && !navigator.onLine

/**
 * Compares the version of this document with that of every API response. A page that makes no call, because its
 * data is here already or this document does not know it, requests the version; without a response, nothing changes.
 */
export function createVersionCheck(own: string, api: () => ReadApi): VersionCheck {
  let latest = own
  let recorded = 0
  return {
    record(version) {
      latest = version
      recorded++
    },
    async load(url, loadData) {
      const before = recorded
      const failure = await loadData().then(
        () => null,
        (error: unknown) => ({ error }),
      )
      const isUnreachable =
        isOffline(failure?.error) ||
        (recorded === before &&
          (await api()
            .call(getProgramVersion, {})
            .then(() => false, isOffline)))
      // A change within a page that handles the failure of its call stays on the page.
      const staysHere = failure === null && url.pathname === window.location.pathname
      if (latest !== own || (isUnreachable && !staysHere))
        throw new Redirect(url.pathname + url.search + url.hash, true)
      if (failure) throw failure.error
    },
  }
}

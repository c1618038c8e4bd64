import { ApiCallError } from './api.ts'
import { storeForNext } from './next-document.ts'
import { PageNotFound, Redirect } from './router/redirect.ts'

/** Returns the URL of the sign-in page; `returnTo` is the destination afterwards. */
export const signInPath = (returnTo: string): string => `/login?returnTo=${encodeURIComponent(returnTo)}`

/** Redirects to the sign-in page on a 401, with the current page as destination afterwards. */
export async function signInOn401<T>(work: Promise<T>, url: URL): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiCallError && error.status === 401) {
      throw new Redirect(signInPath(url.pathname + url.search))
    }
    throw error
  }
}

/** For the next document: a change was not saved because the member was signed out. */
export const unsavedKey = 'unsaved'

/**
 * Navigates to the sign-in page on a 401 to a change, and returns true; returns false for any other failure. The next
 * page says that the change was not saved.
 */
export function redirectOn401(error: unknown): boolean {
  if (!(error instanceof ApiCallError) || error.status !== 401) return false
  storeForNext(unsavedKey, '1')
  window.location.assign(signInPath(window.location.pathname + window.location.search))
  return true
}

/**
 * Shows the not-found page with status 404 when the call fails with one of the statuses: 404, and 400 where the call has
 * nothing but the address of the page, which cannot exist then.
 */
export async function notFoundOn<T>(statuses: readonly number[], work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiCallError && statuses.includes(error.status)) throw new PageNotFound()
    throw error
  }
}

import { redirect } from 'react-router'
import { ApiError } from './api.ts'

/** Returns the address of the sign-in page; `returnTo` is where the visitor goes afterwards. */
export const signInPath = (returnTo: string): string => `/login?returnTo=${encodeURIComponent(returnTo)}`

/** Sends whoever is not signed in to the sign-in page, which brings them back here afterwards. */
export async function orSignIn<T>(work: Promise<T>, url: URL): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      throw redirect(signInPath(url.pathname + url.search))
    }
    throw error
  }
}

/** Leaves for the sign-in page when a call was answered that nobody is signed in; false for any other failure. */
export function leftForSignIn(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.status !== 401) return false
  window.location.assign(signInPath(window.location.pathname + window.location.search))
  return true
}

/** Shows the not-found page with its status when the call found nothing. */
export async function orNotFound<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw new Response(null, { status: 404 })
    throw error
  }
}

import { QueryClient } from '@tanstack/react-query'
import { ApiCallError, createApi, type Send } from '../platform/browser/api.ts'
import type { Call, CallInput, ReplyOf } from '../platform/call.ts'
import { setSessionEnded, signInAddress } from './session-end.ts'

let csrfToken: string | null = null

/** Keeps the token that every call sends that changes something. */
export function keepCsrfToken(token: string): void {
  csrfToken = token
}

const csrf = { token: async () => csrfToken, refresh: async () => null }

/** Sends a request, with a file instead of a JSON body where one is given. */
const sendWith =
  (file?: Blob): Send =>
  async ({ method, path, headers, body = file }) => {
    let response: Response
    const type = file && { 'content-type': 'application/octet-stream' }
    try {
      response = await fetch(path, { method, headers: { ...headers, ...type }, ...(body !== undefined && { body }) })
    } catch {
      return { status: 0, body: { code: 'offline', title: 'The console could not be reached. Please try again.' } }
    }
    if (response.status === 401) {
      // Before the first page there is nothing to lose.
      if (csrfToken === null) location.assign(signInAddress(location))
      else setSessionEnded(true)
    }
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, body: isJson ? await response.json() : await response.text() }
  }

/** The client of the console's calls. A call after the end of the session opens the dialog that says so. */
export const api = createApi(sendWith(), csrf)

/** Makes a call whose body is a file. */
export const uploadFile = <C extends Call>(call: C, given: CallInput<C>, file: Blob): Promise<ReplyOf<C>> =>
  createApi(sendWith(file), csrf).call(call, given)

/** Returns what a failed call says to the operator. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiCallError)) return 'This did not work. Please try again.'
  if (error.fields.length > 0) return [...new Set(error.fields.map(({ message }) => message))].join(' ')
  const reference = error.status >= 500 && error.reference ? ` Reference: ${error.reference}` : ''
  return (error.title || 'This did not work. Please try again.') + reference
}

/** Returns whether a call failed because its address leads to nothing, or is none. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiCallError &&
  (error.status === 404 || (error.status === 400 && error.fields.some(({ field }) => /^id$/.test(field))))

/**
 * Returns what a failed act says to the operator. What it says about the end of the session is also true after signing in
 * again, when the page is as it was.
 */
export function failureOf(error: unknown): string {
  if (error instanceof ApiCallError && error.status === 401)
    return 'Your session had ended, so nothing was stored. Once you are signed in again, do it once more.'
  return messageOf(error)
}

/** Returns the messages of a failed call by field, for a form. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof ApiCallError)) return {}
  return Object.fromEntries(error.fields.map(({ field, message }) => [field, message]))
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A refused call is refused again.
      retry: (count, error) =>
        count < 2 && !(error instanceof ApiCallError && error.status >= 400 && error.status < 500),
    },
  },
})

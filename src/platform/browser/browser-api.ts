import { programVersionHeader } from '../call.ts'
import { SECOND } from '../time.ts'
import { type Api, ApiCallError, type CsrfSource, createApi, type Send } from './api.ts'
import { readProblem } from './read-problem.ts'

const tokenKey = 'csrfToken'
/** Stored in session storage when the token is unavailable; never sent. */
export const placeholderToken = 'csrf-token-unavailable'
/** Window event: a request requires a token and none is available. */
export const tokenMissing = 'csrf-token-missing'
/** Window event: a call was rejected because no member is signed in. Its `detail` is the path of the call. */
export const sessionMissing = 'session-missing'
const placeholderAfter = 35 * SECOND
const retries = 5

export interface BrowserApiOptions {
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>
  /** Called with the version of the program that a response carries. */
  onVersion?: (version: string) => void
}

/** Creates the browser client: same-origin credentials, JSON, the session's CSRF token, and additional headers. */
export function createBrowserApi(
  apiBase: string,
  { headers: extraHeaders = {}, onVersion }: BrowserApiOptions = {},
): { api: Api; csrf: BrowserCsrf } {
  const send: Send = async ({ method, path, headers, body }) => {
    let response: Response
    try {
      response = await fetch(apiBase + path, {
        method,
        headers: { ...headers, ...extraHeaders },
        credentials: 'same-origin',
        ...(body !== undefined && { body }),
      })
    } catch {
      throw new ApiCallError(0, { code: 'offline' })
    }
    const version = response.headers.get(programVersionHeader)
    if (version !== null) onVersion?.(version)
    const result = { status: response.status, body: await response.json().catch(() => null) }
    if (result.status === 401 && readProblem(result.body).code === 'unauthorized') {
      window.dispatchEvent(new CustomEvent(sessionMissing, { detail: path }))
    }
    return result
  }
  const csrf = new BrowserCsrf(send)
  return { api: createApi(send, csrf), csrf }
}

/**
 * Stores the token of this browser session. Requests it once, again after sign-in, and retries failures with growing
 * delays.
 */
export class BrowserCsrf implements CsrfSource {
  readonly #send: Send
  #pending: Promise<string | null> | null = null
  #giveUp: ReturnType<typeof setTimeout> | undefined
  constructor(send: Send) {
    this.#send = send
  }

  async token(): Promise<string | null> {
    const stored = sessionStorage.getItem(tokenKey)
    if (stored && stored !== placeholderToken) return stored
    if (stored === placeholderToken) {
      // Nothing is sent without a token; listeners of the event notify the user.
      window.dispatchEvent(new Event(tokenMissing))
      // The next attempt has one, without a reload, which would empty the form.
      void this.prefetch()
      return null
    }
    return this.prefetch()
  }

  refresh(): Promise<string | null> {
    return this.prefetch()
  }

  /** Stores the token of a new session. */
  renew(token: string): void {
    // Also the timer of an earlier request, which failed.
    clearTimeout(this.#giveUp)
    sessionStorage.setItem(tokenKey, token)
  }

  /** Requests the token now, regardless of a stored one. */
  prefetch(): Promise<string | null> {
    this.#pending ??= this.#fetchToken().finally(() => {
      this.#pending = null
    })
    return this.#pending
  }

  async #fetchToken(): Promise<string | null> {
    clearTimeout(this.#giveUp)
    this.#giveUp = setTimeout(() => sessionStorage.setItem(tokenKey, placeholderToken), placeholderAfter)
    for (let attempt = 0; attempt <= retries; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 2 ** (attempt - 1) * SECOND))
      const response = await this.#send({ method: 'GET', path: '/api/CSRF', headers: {} }).catch(() => null)
      const token = (response?.body as { csrfToken?: string } | null)?.csrfToken
      if (response?.status === 200 && token) {
        this.renew(token)
        return token
      }
    }
    return null
  }
}

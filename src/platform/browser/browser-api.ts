import { SECOND } from '../time.ts'
import { type Api, ApiError, type CsrfSource, createApi, type Send } from './api.ts'
import { readProblem } from './read-problem.ts'

const tokenKey = 'csrfToken'
/** Stored in session storage when the token is unavailable; never sent. */
export const placeholderToken = 'csrf-token-unavailable'
/** Window event: a request requires a token and none is available. */
export const tokenMissing = 'csrf-token-missing'
/** Window event: a call was rejected because no member is signed in. */
export const sessionMissing = 'session-missing'
const placeholderAfter = 35 * SECOND
const retries = 5

/** Creates the browser client: same-origin credentials, JSON, the session's CSRF token, and additional headers. */
export function createBrowserApi(
  apiBase: string,
  own: Readonly<Record<string, string>> = {},
): { api: Api; csrf: BrowserCsrf } {
  const send: Send = async ({ method, path, headers, body }) => {
    let response: Response
    try {
      response = await fetch(apiBase + path, {
        method,
        headers: { ...headers, ...own },
        credentials: 'same-origin',
        ...(body !== undefined && { body }),
      })
    } catch {
      throw new ApiError(0, { code: 'offline' })
    }
    const answer = { status: response.status, body: await response.json().catch(() => null) }
    if (answer.status === 401 && readProblem(answer.body).code === 'unauthorized') {
      window.dispatchEvent(new Event(sessionMissing))
    }
    return answer
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
  #asking: Promise<string | null> | null = null
  constructor(send: Send) {
    this.#send = send
  }

  async token(): Promise<string | null> {
    const kept = sessionStorage.getItem(tokenKey)
    if (kept && kept !== placeholderToken) return kept
    if (kept === placeholderToken) {
      // Nothing is sent without a token; listeners of the event notify the user.
      window.dispatchEvent(new Event(tokenMissing))
      return null
    }
    return this.prefetch()
  }

  fresh(): Promise<string | null> {
    return this.prefetch()
  }

  /** Stores the token of a new session. */
  renew(token: string): void {
    sessionStorage.setItem(tokenKey, token)
  }

  /** Requests the token now, regardless of a stored one. */
  prefetch(): Promise<string | null> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null
    })
    return this.#asking
  }

  async #ask(): Promise<string | null> {
    const giveUp = setTimeout(() => sessionStorage.setItem(tokenKey, placeholderToken), placeholderAfter)
    for (let attempt = 0; attempt <= retries; attempt++) {
      if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 2 ** (attempt - 1) * SECOND))
      const answer = await this.#send({ method: 'GET', path: '/api/CSRF', headers: {} }).catch(() => null)
      const token = (answer?.body as { csrfToken?: string } | null)?.csrfToken
      if (answer?.status === 200 && token) {
        clearTimeout(giveUp)
        this.renew(token)
        return token
      }
    }
    return null
  }
}

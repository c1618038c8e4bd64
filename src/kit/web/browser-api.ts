import { SECOND } from '../time.ts'
import { type Api, ApiError, type CsrfSource, createApi, type Send } from './api.ts'
import { readProblem } from './read-problem.ts'

const tokenKey = 'csrfToken'
/** Stands in the session storage when the token cannot be had; it is never sent. */
export const placeholderToken = 'csrf-token-unavailable'
/** Happens to the window when something should be sent and there is no token to send. */
export const tokenMissing = 'csrf-token-missing'
/** Happens to the window when a call was answered that nobody is signed in. */
export const sessionMissing = 'session-missing'
const placeholderAfter = 35 * SECOND
const retries = 5

/** The client of the page: same-origin credentials, JSON, the CSRF token of this session, and headers of its own. */
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

/** Keeps the token of this browser session; asks once, again after sign-in, with growing pauses on failure. */
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
      // Nothing is sent without a token: whoever listens tells the person.
      window.dispatchEvent(new Event(tokenMissing))
      return null
    }
    return this.prefetch()
  }

  fresh(): Promise<string | null> {
    return this.prefetch()
  }

  /** Takes the token of a session that has just begun. */
  renew(token: string): void {
    sessionStorage.setItem(tokenKey, token)
  }

  /** Asks for the token now, whatever is kept. */
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

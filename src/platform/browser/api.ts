import { type Call, type CallInput, callUrl, needsCsrf, type ReadCall, type ReplyOf } from '../call.ts'
import type { FieldError, Problem } from '../errors.ts'
import { readFieldErrors, readProblem } from './read-problem.ts'

/** Sends one request of the browser. */
export type Send = (request: {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}) => Promise<{ status: number; body: unknown }>

/** A failed call: the status, the error code, and the field errors of a 400. */
export class ApiCallError extends Error {
  readonly status: number
  readonly code: string
  readonly title: string
  readonly fields: readonly FieldError[]
  readonly detail: Record<string, unknown>
  readonly reference: string
  constructor(status: number, problem: Partial<Problem>, fields: readonly FieldError[] = []) {
    super(problem.code ?? String(status))
    this.name = status === 401 ? 'Unauthorized' : 'ApiError'
    this.status = status
    this.code = problem.code ?? 'unknown'
    this.title = problem.title ?? ''
    this.fields = fields
    this.detail = problem.detail ?? {}
    this.reference = problem.reference ?? ''
  }
}

export interface Api {
  call<C extends Call>(call: C, given: CallInput<C>, extra?: { headers?: Record<string, string> }): Promise<ReplyOf<C>>
}

/** The client without write calls. */
export interface ReadApi {
  call<C extends ReadCall>(call: C, given: CallInput<C>): Promise<ReplyOf<C>>
}

export interface CsrfSource {
  /** Returns the token to send, or null when it is unavailable. */
  token(): Promise<string | null>
  /** Requests a new token after the session of the previous one ended. */
  refresh(): Promise<string | null>
}

/** Creates the typed client. Every failure rejects with an ApiError; status 0 means that no response was received. */
export function createApi(send: Send, csrf: CsrfSource): Api {
  return {
    async call(call, given, extra) {
      const headers: Record<string, string> = { accept: 'application/json', ...extra?.headers }
      if (needsCsrf(call)) {
        const token = await csrf.token()
        if (token === null) throw new ApiCallError(0, { code: 'CSRF-0' })
        headers['x-xsrf-token'] = token
      }
      const body = 'body' in given && given.body !== undefined ? JSON.stringify(given.body) : undefined
      if (body !== undefined) headers['content-type'] = 'application/json'
      const request = { method: call.method, path: callUrl(call, given), headers, ...(body && { body }) }
      let response = await send(request)
      if (response.status === 403 && readProblem(response.body).code === 'csrf') {
        // The session ended meanwhile, in another tab or by expiry. The server did nothing, so the call can be retried.
        const token = await csrf.refresh()
        if (token !== null) response = await send({ ...request, headers: { ...headers, 'x-xsrf-token': token } })
      }
      if (isSuccess(response.status)) return response.body as never
      throw errorOf(response)
    },
  }
}

/** Makes a call on the server, without HTTP. */
export type Invoke = (
  call: Call,
  given: { params?: unknown; query?: unknown; body?: unknown },
) => Promise<{ status: number; body: unknown }>

/** Creates the typed client of a page that the server renders. Failures reject as in the browser. */
export function createServerApi(invoke: Invoke): Api {
  return {
    async call(call, given) {
      const response = await invoke(call, given)
      if (isSuccess(response.status)) return response.body as never
      throw errorOf(response)
    },
  }
}

/** A readable redirect (303 without a location) is a successful response. */
const isSuccess = (status: number) => (status >= 200 && status < 300) || status === 303

function errorOf({ status, body }: { status: number; body: unknown }): ApiCallError {
  const fields = readFieldErrors(body)
  return fields ? new ApiCallError(status, { code: 'fields' }, fields) : new ApiCallError(status, readProblem(body))
}

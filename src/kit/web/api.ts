import { addressOf, type CallSpec, type Given, needsCsrf, type ReplyOf } from '../call.ts'
import type { FieldError, Problem } from '../refusal.ts'
import { readFieldErrors, readProblem } from './read-problem.ts'

/** Carries one request; the browser fetches, the server injects into itself. */
export type Send = (request: {
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}) => Promise<{ status: number; body: unknown }>

/** A call that failed: the status, the refusal's code, and the field errors of a 400. */
export class ApiError extends Error {
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
  call<C extends CallSpec>(call: C, given: Given<C>, extra?: { headers?: Record<string, string> }): Promise<ReplyOf<C>>
}

export interface CsrfSource {
  /** The token to send, or null when it could not be had. */
  token(): Promise<string | null>
}

/** The typed client. Every failure rejects with an ApiError; status 0 means that nothing was reached. */
export function createApi(send: Send, csrf: CsrfSource): Api {
  return {
    async call(call, given, extra) {
      const headers: Record<string, string> = { accept: 'application/json', ...extra?.headers }
      if (needsCsrf(call)) {
        const token = await csrf.token()
        if (token === null) throw new ApiError(0, { code: 'CSRF-0' })
        headers['x-xsrf-token'] = token
      }
      const body = 'body' in given && given.body !== undefined ? JSON.stringify(given.body) : undefined
      if (body !== undefined) headers['content-type'] = 'application/json'
      const answer = await send({ method: call.method, path: addressOf(call, given), headers, ...(body && { body }) })
      if (answer.status >= 200 && answer.status < 300) return answer.body as never
      throw errorOf(answer)
    },
  }
}

function errorOf({ status, body }: { status: number; body: unknown }): ApiError {
  const fields = readFieldErrors(body)
  return fields ? new ApiError(status, { code: 'fields' }, fields) : new ApiError(status, readProblem(body))
}

import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Required access for a call. There is no default: a call without `access` does not compile.
 * `anyone` requires no session, `member` requires a signed-in member, and `machine` is authenticated by the handler
 * itself (by a signature) and is therefore exempt from the CSRF token.
 */
export type Access = 'anyone' | 'member' | 'machine'

type Schema = z.ZodType

export interface CallSpec {
  /** Stable name: the OpenAPI operation id and the query key. */
  id: string
  method: Method
  /** Path in Fastify syntax, parameters as `:name`. Paths are case-sensitive. */
  path: string
  access: Access
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** Request headers that the handler reads, except cookies and credentials. */
  headers?: Schema
  /** Media types of the body and of the response, when they are not JSON. */
  bodyType?: string
  replyType?: string
  /** Set for a call that also requires the bearer token of a known member. */
  bearer?: boolean
  /** Names of the cookies that the response sets or deletes; over plain http they lack the prefix `__Host-`. */
  cookies?: readonly string[]
  /** Schema of the success response: status 200, or `status` when set. */
  reply: Schema
  status?: number
  /**
   * Error codes that the caller can handle, mapped to HTTP statuses. Any other failure is a problem document (RFC
   * 9457).
   */
  errors?: Record<string, number>
  /**
   * Overrides whether the CSRF token is required, for example for a GET that discloses personal data or a beacon
   * without a body.
   */
  csrf?: boolean
  /**
   * Validates the items of an array body one by one: invalid items are dropped and only valid ones reach the handler.
   */
  eachItem?: boolean
  /** Set for a call that changes nothing although its method is not GET. */
  readOnly?: boolean
  /** Only the member may make this call: operators who impersonate a member may not, in any role. */
  memberOnly?: boolean
  /** Maximum requests per minute and network address (counted in the memory of one process). */
  perMinute?: number
}

/** The version of the program, in every response of the API: an open page compares it with its own. */
export const programVersionHeader = 'program-version'

export type Call<S extends CallSpec = CallSpec> = Readonly<S>

/** A call that changes nothing: it may run again at any time, for example when the window gets the focus. */
export type ReadCall = CallSpec & ({ method: 'GET' } | { readOnly: true })

/** A call that may change something: it runs once for each action of the user. */
export type WriteCall = CallSpec & { method: Exclude<Method, 'GET'>; readOnly?: never }

/** Declares a call once; server validation, the client and the OpenAPI page are derived from it. */
export function defineCall<const S extends CallSpec>(spec: S): Call<S> {
  return spec
}

type InputOf<T> = T extends Schema ? z.input<T> : undefined
type OutputOf<T> = T extends Schema ? z.output<T> : undefined

export type BodyOf<C extends CallSpec> = InputOf<C['body']>
export type QueryOf<C extends CallSpec> = InputOf<C['query']>
export type ParamsOf<C extends CallSpec> = InputOf<C['params']>
export type ReplyOf<C extends CallSpec> = z.output<C['reply']>

/** Validated input of a handler, with defaults applied. */
export interface HandlerInput<C extends CallSpec> {
  params: OutputOf<C['params']>
  query: OutputOf<C['query']>
  body: OutputOf<C['body']>
}

/** Input that a caller passes: only the parts that the call declares. */
export type CallInput<C extends CallSpec> = (C['params'] extends Schema
  ? { params: ParamsOf<C> }
  : { params?: undefined }) &
  (C['query'] extends Schema ? { query: QueryOf<C> } : { query?: undefined }) &
  (C['body'] extends Schema ? { body: BodyOf<C> } : { body?: undefined })

/** Returns whether the call requires the CSRF token of `GET /api/CSRF`. */
export function needsCsrf(call: CallSpec): boolean {
  if (call.csrf !== undefined) return call.csrf
  return call.method !== 'GET' && call.access !== 'machine'
}

/** Returns the URL of a call with its parameters and query in canonical order; undefined fields are omitted. */
export function callUrl(call: CallSpec, given: { params?: unknown; query?: unknown }): string {
  const params = (given.params ?? {}) as Record<string, string | number>
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = toQueryString((given.query ?? {}) as Record<string, unknown>)
  return search ? `${path}?${search}` : path
}

/** Arrays become repeated parameters; undefined, null and empty arrays are omitted. */
export function toQueryString(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  return search.toString()
}

import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Required access for a call. There is no default: a call without `access` does not compile.
 * `anyone` requires no session, `member` requires a signed-in member, and `machine` is authenticated by the handler
 * itself (by a signature) and is therefore exempt from the CSRF token. `operator` requires an operator of the console
 * who has the call's `permission`.
 */
export type Access = 'anyone' | 'member' | 'machine' | 'operator'

/** What an operator may do: `claims.decide`. The console has the list of all. */
export type PermissionName = `${string}.${string}`

/**
 * `self`: every signed-in operator may make the call, because it concerns only the operator. A list: an operator with any
 * of these permissions may, and the response has only what the operator's own ones allow.
 */
type CallAccess =
  | { access: Exclude<Access, 'operator'>; permission?: never }
  | { access: 'operator'; permission: PermissionName | readonly PermissionName[] | 'self' }

type Schema = z.ZodType

declare const schemas: unique symbol

/** What browsers know of a call: its entry in `contract.ts`. */
interface CallContract {
  /** Stable name: the OpenAPI operation id and the query key. */
  id: string
  method: Method
  /**
   * Path in Fastify syntax, parameters as `:name`. Paths are case-sensitive. In an operator's call, `:program` names the
   * program that it is about.
   */
  path: string
  /**
   * Overrides whether the CSRF token is required, for example for a GET that discloses personal data or a beacon
   * without a body.
   */
  csrf?: boolean
  /** Set for a call that changes nothing although its method is not GET. */
  readOnly?: boolean
  /** Only the member may make this call: operators who impersonate a member may not, in any role. */
  memberOnly?: boolean
  /** Set for an operator's read that is recorded like a write, because it discloses personal data. */
  audited?: boolean
}

/** The types of a call's schemas. The property exists for the compiler only. */
interface TypedBy<S extends CallSchemas> {
  readonly [schemas]?: S
}

/** A call as browsers know it. */
export type Call<S extends CallSchemas = CallSchemas> = CallContract & CallAccess & TypedBy<S>

/** What the server also needs of a call: it checks requests and responses and describes the API. */
export interface CallSchemas {
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
   * Validates the items of an array body one by one: invalid items are dropped and only valid ones reach the handler.
   */
  eachItem?: boolean
  /** Fields at the top of the body that may have several lines. All other texts are one line. */
  multiline?: readonly string[]
  /**
   * What closes the call, besides the maintenance of the whole program: that of sign-in, or of joining. `open` is not even
   * closed by that of the program. Calls of machines are always open.
   */
  maintenance?: 'login' | 'join' | 'open'
  /** Maximum requests per minute and network address (counted in the memory of one process). */
  perMinute?: number
}

/** A call with its schemas, on the server. */
export type CallSpec = Call & CallSchemas

/** The version of the program, in every response of the API: an open page compares it with its own. */
export const programVersionHeader = 'program-version'

/** A call that changes nothing: it may run again at any time, for example when the window gets the focus. */
export type ReadCall = Call & ({ method: 'GET' } | { readOnly: true })

/** A call that may change something: it runs once for each action of the user. */
export type WriteCall = Call & { method: Exclude<Method, 'GET'>; readOnly?: never }

/**
 * Declares a call in a module's `contract.ts`, with the type of its schemas:
 * `defineCall<typeof schemas.listCards>()({ id, method, path, access })`.
 */
export function defineCall<S extends CallSchemas>() {
  return <const C extends CallContract & CallAccess>(call: C): C & TypedBy<S> => call
}

/** Declares the schemas of a call in a module's `schemas.ts`, which no browser loads. */
export function defineSchemas<const S extends CallSchemas>(given: S): S {
  return given
}

/** The schemas of a call. */
export type SchemasOf<C extends Call> = C extends TypedBy<infer S> ? S : never

type InputOf<T> = T extends Schema ? z.input<T> : undefined
type OutputOf<T> = T extends Schema ? z.output<T> : undefined

export type BodyOf<C extends Call> = InputOf<SchemasOf<C>['body']>
export type QueryOf<C extends Call> = InputOf<SchemasOf<C>['query']>
export type ReplyOf<C extends Call> = z.output<SchemasOf<C>['reply']>

/** Validated input of a handler, with defaults applied. */
export interface HandlerInput<S extends CallSchemas> {
  params: OutputOf<S['params']>
  query: OutputOf<S['query']>
  body: OutputOf<S['body']>
}

/** Input that a caller passes: only the parts that the call declares. */
export type CallInput<C extends Call> = InputFor<SchemasOf<C>>

type InputFor<S extends CallSchemas> = Part<'params', S['params']> & Part<'query', S['query']> & Part<'body', S['body']>
type Part<N extends string, T> = T extends Schema ? Record<N, z.input<T>> : Partial<Record<N, undefined>>

/** Returns whether the call requires the CSRF token of `GET /api/CSRF`. */
export function needsCsrf(call: Call): boolean {
  if (call.csrf !== undefined) return call.csrf
  return call.method !== 'GET' && call.access !== 'machine'
}

/** Returns the URL of a call with its parameters and query in canonical order; undefined fields are omitted. */
export function callUrl(call: Call, given: { params?: unknown; query?: unknown }): string {
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

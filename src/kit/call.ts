import type { z } from 'zod'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * Who may make a call. There is no default: a call that does not say cannot be defined.
 * `anyone` has no session need, `member` needs a signed-in member, `machine` is authenticated
 * by the handler itself (a signature) and is therefore exempt from the CSRF token.
 */
export type Access = 'anyone' | 'member' | 'machine'

type Schema = z.ZodType

export interface CallSpec {
  /** Stable name: the OpenAPI operation id and the query key. */
  id: string
  method: Method
  /** Fastify spelling, parameters as `:name`. Paths are case-sensitive. */
  path: string
  access: Access
  summary: string
  params?: Schema
  query?: Schema
  body?: Schema
  /** What is answered with status 200, or with `status` when another one is the norm. */
  reply: Schema
  status?: number
  /** Refusals a person can mend: code to HTTP status. Any other failure is the one problem document. */
  refusals?: Record<string, number>
  /** GETs that disclose personal data and mutations need the token; a body-less beacon may opt out. */
  csrf?: boolean
  /** Items of the body count one by one: a wrong one costs no other. Of an array, only the right ones are received. */
  eachItem?: boolean
  /** Changes nothing, though it is not a GET. */
  reads?: boolean
  /** What only the member may do: no operator who sees the app as the member does, whatever the role. */
  memberOnly?: boolean
  /** The most requests one address may make in a minute (memory of one process). */
  perMinute?: number
}

export type Call<S extends CallSpec = CallSpec> = Readonly<S>

/** Declares a call once: the server validates with it, the client and the OpenAPI page are made from it. */
export function defineCall<const S extends CallSpec>(spec: S): Call<S> {
  return spec
}

type InputOf<T> = T extends Schema ? z.input<T> : undefined
type OutputOf<T> = T extends Schema ? z.output<T> : undefined

export type BodyOf<C extends CallSpec> = InputOf<C['body']>
export type QueryOf<C extends CallSpec> = InputOf<C['query']>
export type ParamsOf<C extends CallSpec> = InputOf<C['params']>
export type ReplyOf<C extends CallSpec> = z.output<C['reply']>

/** What a handler receives: validated, with defaults filled in. */
export interface Received<C extends CallSpec> {
  params: OutputOf<C['params']>
  query: OutputOf<C['query']>
  body: OutputOf<C['body']>
}

/** What a caller gives: only the parts that the call has. */
export type Given<C extends CallSpec> = (C['params'] extends Schema
  ? { params: ParamsOf<C> }
  : { params?: undefined }) &
  (C['query'] extends Schema ? { query: QueryOf<C> } : { query?: undefined }) &
  (C['body'] extends Schema ? { body: BodyOf<C> } : { body?: undefined })

/** Whether the token of `GET /api/CSRF` must come with the call. */
export function needsCsrf(call: CallSpec): boolean {
  if (call.csrf !== undefined) return call.csrf
  return call.method !== 'GET' && call.access !== 'machine'
}

/** The address of a call with its parameters and query in canonical order; undefined fields are dropped. */
export function addressOf(call: CallSpec, given: { params?: unknown; query?: unknown }): string {
  const params = (given.params ?? {}) as Record<string, string | number>
  const path = call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = searchOf((given.query ?? {}) as Record<string, unknown>)
  return search ? `${path}?${search}` : path
}

/** Lists become repeated parameters; undefined, null and empty lists are left out. */
export function searchOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined && item !== null) search.append(name, String(item))
    }
  }
  return search.toString()
}

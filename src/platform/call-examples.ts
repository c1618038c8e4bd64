import type { Call, CallInput, CallSpec, ReplyOf, SchemasOf } from './call.ts'

/** A valid request of a call and its response. */
export type CallExample<C extends Call> = CallInput<C> & {
  headers?: Readonly<Record<string, string>>
  reply: ReplyOf<C>
  /** The `detail` of problem documents, by error code. */
  errorDetails?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** An example of any call. */
export interface AnyExample extends Pick<CallExample<Call>, 'headers' | 'errorDetails'> {
  params?: unknown
  query?: unknown
  body?: unknown
  reply: unknown
}

/** The calls of a module in the API description: a tag, with an example of each call. */
export interface CallGroup {
  tag: string
  /** Groups are described in ascending order of this number. */
  place: number
  /** The same for their paths, where it differs: the published description keeps the order that it had. */
  pathsPlace?: number
  description: string
  examples: readonly { call: CallSpec; example: AnyExample }[]
}

/** Joins a call, its schemas and its example, which must have the types of the call's schemas. */
export function example<C extends Call>(
  call: C,
  schemas: SchemasOf<C>,
  given: CallExample<C>,
): CallGroup['examples'][number] {
  return { call: { ...call, ...schemas }, example: given as AnyExample }
}

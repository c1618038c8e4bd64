import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type Call, type CallSchemas, type CallSpec, type HandlerInput, needsCsrf, type SchemasOf } from '../call.ts'
import { RETRY_AFTER_SECONDS } from '../database/database-unavailable.ts'
import { ApiError, type FieldError, ValidationError } from '../errors.ts'
import { illegiblePath } from '../legible-text.ts'
import { unstorablePath } from '../text.ts'
import type { Ctx, MemberCtx } from './context.ts'
import type { InstallationCtx, OperatorCtx } from './operator.ts'
import { problem, problemBody } from './problem.ts'
import { statusOf } from './request-boundary.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by host resolution before any handler runs. */
    ctx: Ctx
  }
  interface FastifyInstance {
    /** Every registered call, for the OpenAPI page and the route matrix tests. */
    calls: CallSpec[]
    /** Runs a call by method and path of its contract, for pages. */
    runCalls: Map<string, RunCall>
    /** Returns whether an impersonating operator may make a call, and records it. */
    operatorMay: (ctx: Ctx, call: Call) => Promise<boolean>
    /** Returns whether a call is closed for maintenance. */
    isClosed: (ctx: Ctx, call: CallSpec) => boolean
    /** Checks the permission of an operator's call, runs it, and records it. The app of the console has it. */
    runForOperator?: (
      ctx: Ctx,
      call: CallSpec,
      given: GivenInput,
      run: () => Promise<CallResult>,
    ) => Promise<CallResult>
    /** Records how a call of an impersonating operator ended. */
    recordOperatorCall: (ctx: Ctx, call: Call, outcome: { status: number; code?: string | undefined }) => Promise<void>
  }
}

/** The handler's access to HTTP: the raw request (for signatures) and the reply (for cookies). */
export interface HttpContext {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * A response serialized once and sent to many callers as it is, neither parsed nor serialized again. Its fields must be
 * those of the reply's schema: tests/support/declared-response.ts compares them.
 */
export class SerializedJson<T> {
  readonly json: string
  /** The type of what the JSON contains. */
  declare readonly value?: T
  constructor(json: string) {
    this.json = json
  }
}

type Reply<C extends Call> = z.input<SchemasOf<C>['reply']>

/**
 * The context that a call's handler gets: with a member, where only members may make the call, and with an operator, where
 * only operators may.
 */
type HandlerCtx<C extends Call> = C['access'] extends 'member'
  ? MemberCtx
  : C['access'] extends 'operator'
    ? OperatorCtxOf<C['path']>
    : Ctx

type OperatorCtxOf<Path extends string> = Path extends `${string}/:program/${string}` ? OperatorCtx : InstallationCtx

type HandlerResult<C extends Call> = Reply<C> | SerializedJson<Reply<C>>

export type Handler<C extends Call> = (
  ctx: HandlerCtx<C>,
  input: HandlerInput<SchemasOf<C>>,
  http: HttpContext,
) => Promise<HandlerResult<C>> | HandlerResult<C>

/** The response of a call: its body, or its body as JSON. */
export interface CallResult {
  status: number
  body?: unknown
  json?: string
}

/** Runs a registered call for a context. `http` is null when a page makes the call in this process. */
export type RunCall = (ctx: Ctx, given: GivenInput, http: HttpContext | null) => Promise<CallResult>

/** Input before validation, as it arrives over HTTP: parameters and query are strings. */
export interface GivenInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/**
 * Binds a call to its schemas and its handler. Validation, access checks and error responses happen only here, for requests and for the
 * calls of pages; CSRF concerns requests only.
 */
export function registerRoute<C extends Call>(
  app: FastifyInstance,
  contract: C,
  schemas: SchemasOf<C>,
  handler: Handler<C>,
): void {
  const call: CallSpec = { ...contract, ...schemas }
  app.calls.push(call)
  const run = runnerOf(app, call, handler)
  app.runCalls.set(`${call.method} ${call.path}`, run)
  app.route({
    method: call.method,
    url: call.path,
    ...(call.perMinute && { config: { rateLimit: { max: call.perMinute, timeWindow: 60_000 } } }),
    handler: async (request, reply) => {
      if (app.isClosed(request.ctx, call)) {
        reply.header('retry-after', RETRY_AFTER_SECONDS)
        return problem(reply, 503, 'maintenance', request.ctx.t('maintenance.other'))
      }
      const isMember = call.access !== 'member' || request.ctx.actor.memberId !== null
      if (isMember && needsCsrf(call) && !hasToken(request)) return problem(reply, 403, 'csrf', 'Forbidden')
      if (isMember && isForeignPage(call, request)) return problem(reply, 403, 'crossSite', 'Forbidden')
      const { status, body, json } = await run(request.ctx, request, { request, reply })
      if (isSent(reply)) return reply
      reply.code(status)
      if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS)
      if (json !== undefined) return reply.type('application/json; charset=utf-8').send(json)
      return status < 400 || Array.isArray(body) ? reply.send(body) : reply.type('application/problem+json').send(body)
    },
  })
}

/** Returns whether a handler has sent the response itself, also when its reader went away before the end. */
const isSent = ({ sent, raw }: FastifyReply): boolean => sent || raw.headersSent

function runnerOf<C extends Call>(app: FastifyInstance, call: CallSpec, handler: Handler<C>): RunCall {
  const run = handlingOf(call, handler)
  return async (ctx, given, http) => {
    if (call.access === 'operator') {
      if (!app.runForOperator) throw new Error(`${call.id} is registered outside the console`)
      return app.runForOperator(ctx, call, given, () => run(ctx, given, http))
    }
    if (call.access === 'member' && ctx.actor.memberId === null)
      return failure(ctx, 401, 'unauthorized', 'Unauthorized')
    const { operator } = ctx.actor
    if (!operator) return run(ctx, given, http)
    if (!(await app.operatorMay(ctx, call))) {
      // An operator with write access is denied only calls reserved for the member.
      return failure(ctx, 403, 'readOnly', ctx.t(operator.mayChange ? 'error.memberOnly' : 'error.readOnly'))
    }
    try {
      const result = await run(ctx, given, http)
      await app.recordOperatorCall(ctx, call, { status: result.status, code: codeOf(result) })
      return result
    } catch (error) {
      await app.recordOperatorCall(ctx, call, { status: statusOf(error as { statusCode?: number; code?: string }) })
      throw error
    }
  }
}

const codeOf = ({ status, body }: CallResult) =>
  status < 400 || Array.isArray(body) ? undefined : (body as { code?: string } | undefined)?.code

function failure(ctx: Ctx, status: number, code: string, title: string, detail?: Record<string, unknown>): CallResult {
  return { status, body: problemBody(ctx.requestId, status, code, title, detail) }
}

/** Returns what reads the input of a call and runs its handler, for a caller who may make it. */
function handlingOf<C extends Call>(call: CallSpec, handler: Handler<C>): RunCall {
  return async (ctx, given, http) => {
    const input = parseInput<SchemasOf<C>>(call, given)
    if ('errors' in input) return { status: 400, body: translateFields(ctx, input.errors) }
    const status = call.status ?? 200
    try {
      const result = await handler(ctx as unknown as HandlerCtx<C>, input.received, http ?? noHttp)
      if (http && isSent(http.reply)) return { status }
      if (result instanceof SerializedJson) return { status, json: result.json }
      // Removes every field that the schema does not name, for any caller. The largest public response (300 pins, 51 kB)
      // is parsed in 45 microseconds and serialized in 124; a small one (35 bytes) in 0.2 and 0.3.
      return { status, body: call.reply.parse(result) }
    } catch (error) {
      if (error instanceof ValidationError) return { status: 400, body: translateFields(ctx, error.fields) }
      // The account was deleted during the request, and its session with it.
      if (error instanceof ApiError && error.code === 'unauthorized')
        return failure(ctx, 401, 'unauthorized', 'Unauthorized')
      const known = error instanceof ApiError ? call.errors?.[error.code] : undefined
      if (!(error instanceof ApiError) || known === undefined) throw error
      return failure(ctx, known, error.code, ctx.t(`error.${error.code}`), error.detail)
    }
  }
}

/** What a handler gets when a page makes its call: there is no request of its own, and nothing to send. */
const noHttp = new Proxy({} as HttpContext, {
  get(_target, name) {
    throw new Error(`a page makes a call that needs the ${String(name)}`)
  },
})

/** Maximum number of items that are validated individually. */
const maxItems = 1_000

function hasToken(request: FastifyRequest): boolean {
  const expected = request.ctx.actor.csrfToken
  const given = request.headers['x-xsrf-token']
  if (!expected || typeof given !== 'string') return false
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

// Fetch metadata sent by the browser: a second check besides the token.
function isForeignPage(call: Call, { headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return needsCsrf(call) && (site === 'cross-site' || site === 'same-site')
}

type Input<S extends CallSchemas> = { received: HandlerInput<S> } | { errors: FieldError[] }

function parseInput<S extends CallSchemas>(call: CallSpec, given: GivenInput): Input<S> {
  const received: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = call[part]
    if (!schema) continue
    const sent = given[part] ?? {}
    const eachItem = part === 'body' && call.eachItem === true
    const value = eachItem ? validItems(schema, sent) : sent
    // The lines of a text are validated individually by the handler that splits them.
    const unstorable = eachItem && typeof value === 'string' ? null : unstorablePath(value)
    if (unstorable !== null) {
      errors.push({ field: toSafeFieldName(unstorable), message: 'validation.check' })
      continue
    }
    const parsed = schema.safeParse(value, { reportInput: true })
    if (!parsed.success) {
      for (const error of fieldErrors(parsed.error)) errors.push(error)
      continue
    }
    const illegible = readsText(call, part, value) ? illegiblePath(parsed.data, call.multiline) : null
    if (illegible === null) received[part] = parsed.data
    else errors.push({ field: toSafeFieldName(illegible), message: 'validation.characters' })
  }
  return errors.length > 0 ? { errors } : { received: received as unknown as HandlerInput<S> }
}

/**
 * Returns whether a part of a request has texts that someone may read. Parameters are ids of what exists or does not.
 * Machines send messages that are stored as they are; what is shown of them is cleaned when they are read.
 */
function readsText({ access }: Pick<CallSpec, 'access'>, part: 'params' | 'query' | 'body', value: unknown): boolean {
  return part !== 'params' && access !== 'machine' && typeof value !== 'string'
}

/** Maximum number of invalid fields in a response, so that it is never much larger than the request. */
const maxFieldErrors = 100

/** Converts zod issues to field errors; an issue without a message key gets a general one. Limited to the first 100. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.slice(0, maxFieldErrors).flatMap((issue) => {
    const path = issue.path.map(String)
    const fields =
      issue.code === 'unrecognized_keys' ? issue.keys.slice(0, maxFieldErrors).map((key) => [...path, key]) : [path]
    return fields.map((field) => ({ field: toSafeFieldName(field.join('.')), message: messageKeyOf(issue) }))
  })
}

/** Returns a field name for a response: shortened, and without characters that cannot be stored. */
function toSafeFieldName(field: string): string {
  return field.slice(0, 200).replaceAll('\0', '\ufffd').toWellFormed()
}

/** Returns the valid items of an array; the unchanged array when none is valid or it exceeds `maxItems`. */
function validItems(schema: z.ZodType, value: unknown): unknown {
  if (!Array.isArray(value) || value.length > maxItems) return value
  const storable = value.filter((item) => unstorablePath(item) === null && illegiblePath(item) === null)
  const wrong = new Set(schema.safeParse(storable).error?.issues.map(({ path }) => path[0]))
  const good = storable.filter((_, index) => !wrong.has(index))
  return good.length > 0 ? good : value
}

function messageKeyOf(issue: z.core.$ZodIssue): string {
  if (/^[a-z]+\.[\w.]+(\|.*)?$/.test(issue.message)) return issue.message
  const missing = issue.code === 'invalid_type' && issue.input === undefined && issue.path.length > 0
  return missing ? 'validation.required' : 'validation.check'
}

function translateFields(ctx: Ctx, errors: readonly FieldError[]): FieldError[] {
  return errors.map(({ field, message }) => ({ field, message: ctx.t(message) }))
}

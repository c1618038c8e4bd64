import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { type CallSpec, type HandlerInput, needsCsrf } from '../call.ts'
import { ApiError, type FieldError, ValidationError } from '../errors.ts'
import { unstorablePath } from '../text.ts'
import type { Ctx } from './context.ts'
import { problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by host resolution before any handler runs. */
    ctx: Ctx
  }
  interface FastifyInstance {
    /** Every registered call, for the OpenAPI page and the route matrix tests. */
    calls: CallSpec[]
    /** Whether responses of public calls are validated too (always in tests). */
    checksEveryReply: boolean
    /** Returns whether an impersonating operator may make a call, and records it. */
    operatorMay: (ctx: Ctx, call: CallSpec) => Promise<boolean>
  }
}

/** The handler's access to HTTP: the raw request (for signatures) and the reply (for cookies). */
export interface HttpContext {
  request: FastifyRequest
  reply: FastifyReply
}

/** A response serialized once and sent to many callers. */
export class SerializedJson<T> {
  readonly json: string
  constructor(value: T) {
    this.json = JSON.stringify(value)
  }
}

type HandlerResult<C extends CallSpec> = z.input<C['reply']> | SerializedJson<z.input<C['reply']>>

export type Handler<C extends CallSpec> = (
  ctx: Ctx,
  input: HandlerInput<C>,
  http: HttpContext,
) => Promise<HandlerResult<C>> | HandlerResult<C>

/** Binds a call to its handler. Validation, access checks, CSRF and error responses happen only here. */
export function registerRoute<C extends CallSpec>(app: FastifyInstance, call: C, handler: Handler<C>): void {
  app.calls.push(call)
  app.route({
    method: call.method,
    url: call.path,
    ...(call.perMinute && { config: { rateLimit: { max: call.perMinute, timeWindow: 60_000 } } }),
    handler: async (request, reply) => {
      const { ctx } = request
      if (call.access === 'member' && ctx.actor.memberId === null) {
        return problem(reply, 401, 'unauthorized', 'Unauthorized')
      }
      if (needsCsrf(call) && !hasToken(request)) return problem(reply, 403, 'csrf', 'Forbidden')
      if (isForeignPage(call, request)) return problem(reply, 403, 'crossSite', 'Forbidden')
      if (ctx.actor.operator && !(await app.operatorMay(ctx, call))) {
        // An operator with write access is denied only calls reserved for the member.
        const reason = ctx.actor.operator.mayChange ? 'error.memberOnly' : 'error.readOnly'
        return problem(reply, 403, 'readOnly', ctx.t(reason))
      }
      const input = parseInput(call, request)
      if ('errors' in input) return reply.code(400).send(translateFields(ctx, input.errors))
      try {
        const result = await handler(ctx, input.received, { request, reply })
        if (reply.sent) return reply
        if (result instanceof SerializedJson) {
          if (app.checksEveryReply) call.reply.parse(JSON.parse(result.json))
          return reply
            .code(call.status ?? 200)
            .type('application/json; charset=utf-8')
            .send(result.json)
        }
        const checked = call.access === 'member' || app.checksEveryReply ? call.reply.parse(result) : result
        return reply.code(call.status ?? 200).send(checked)
      } catch (error) {
        return sendError(call, ctx, reply, error)
      }
    },
  })
}

/** Maximum number of items that are validated individually. */
const maxItems = 1_000

function sendError(call: CallSpec, ctx: Ctx, reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ValidationError) return reply.code(400).send(translateFields(ctx, error.fields))
  // The account was deleted during the request, and its session with it.
  if (error instanceof ApiError && error.code === 'unauthorized') {
    return problem(reply, 401, 'unauthorized', 'Unauthorized')
  }
  const status = error instanceof ApiError ? call.errors?.[error.code] : undefined
  if (!(error instanceof ApiError) || status === undefined) throw error
  return problem(reply, status, error.code, ctx.t(`error.${error.code}`), error.detail)
}

function hasToken(request: FastifyRequest): boolean {
  const expected = request.ctx.actor.csrfToken
  const given = request.headers['x-xsrf-token']
  if (!expected || typeof given !== 'string') return false
  const [a, b] = [Buffer.from(expected), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

// Fetch metadata sent by the browser: a second check besides the token.
function isForeignPage(call: CallSpec, { headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return needsCsrf(call) && (site === 'cross-site' || site === 'same-site')
}

type Input<C extends CallSpec> = { received: HandlerInput<C> } | { errors: FieldError[] }

function parseInput<C extends CallSpec>(call: C, request: FastifyRequest): Input<C> {
  const received: Record<string, unknown> = {}
  const errors: FieldError[] = []
  for (const part of ['params', 'query', 'body'] as const) {
    const schema = call[part]
    if (!schema) continue
    const given = request[part] ?? {}
    const eachItem = part === 'body' && call.eachItem === true
    const value = eachItem ? validItems(schema, given) : given
    // The lines of a text are validated individually by the handler that splits them.
    const unstorable = eachItem && typeof value === 'string' ? null : unstorablePath(value)
    if (unstorable !== null) {
      errors.push({ field: toSafeFieldName(unstorable), message: 'validation.check' })
      continue
    }
    const parsed = schema.safeParse(value, { reportInput: true })
    if (parsed.success) received[part] = parsed.data
    else for (const error of fieldErrors(parsed.error)) errors.push(error)
  }
  return errors.length > 0 ? { errors } : { received: received as unknown as HandlerInput<C> }
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
  const storable = value.filter((item) => unstorablePath(item) === null)
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

import type { FastifyInstance } from 'fastify'
import type { Invoke } from '../../platform/browser/api.ts'
import { databaseUnavailable, isDatabaseUnavailable } from '../../platform/database/database-unavailable.ts'
import type { Ctx } from '../../platform/http/context.ts'
import type { HttpAppError } from '../../platform/http/create-http-app.ts'
import { problemBody } from '../../platform/http/problem.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'

export interface PageCallOptions {
  /** The context of the page request: its calls use it. */
  ctx: Ctx
  signal: AbortSignal
  /** Called when a call failed: the page is then incomplete and must not be cached. */
  onFailure: () => void
  /** The request and reply of a posted form: its calls count toward their limits, and may set cookies. */
  http?: HttpContext
}

/**
 * Returns a function that makes a page's calls in this process: the same validation, access checks and error responses
 * as over HTTP, without a request, its session lookup and its JSON. Rejects when the client has disconnected.
 */
export function createPageCalls(app: FastifyInstance, { ctx, signal, onFailure, http }: PageCallOptions): Invoke {
  return async (call, given) => {
    signal.throwIfAborted()
    const run = app.runCalls.get(`${call.method} ${call.path}`)
    if (!run) return { status: 404, body: problemBody(ctx.requestId, 404, 'notFound', ctx.t('not_found.title')) }
    try {
      const input = { params: toStrings(given.params), query: toStrings(given.query), body: given.body }
      if (http) await app.rateLimits.get(`${call.method} ${call.path}`)?.(http.request, http.reply)
      const { status, body, json } = await run(ctx, input, http ?? null)
      return { status, body: json === undefined ? body : JSON.parse(json) }
    } catch (error) {
      signal.throwIfAborted()
      if ((error as HttpAppError).statusCode === 429)
        return { status: 429, body: problemBody(ctx.requestId, 429, 'tooMany', ctx.t('errors.too_many')) }
      ctx.log.error({ err: error, route: call.path }, 'failed')
      onFailure()
      const [status, code] = isDatabaseUnavailable(error) ? [503, databaseUnavailable] : [500, 'serverError']
      return { status, body: problemBody(ctx.requestId, status as number, code as string, ctx.t('errors.general')) }
    }
  }
}

/** Returns parameters as the server reads them from a URL: strings, and arrays only for repeated parameters. */
function toStrings(given: unknown): Record<string, string | string[]> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>).flatMap(([name, value]) => {
    const values = [value].flat().filter((each) => each !== undefined && each !== null)
    if (values.length === 0) return []
    return [[name, values.length === 1 ? String(values[0]) : values.map(String)] as const]
  })
  return Object.fromEntries(entries)
}

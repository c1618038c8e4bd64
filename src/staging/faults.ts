import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { problem } from '../platform/http/problem.ts'
import { SECOND } from '../platform/time.ts'
import { type Fault, faultCookie, faultOf } from './rules.ts'

/** Longer than a page waits for its CSRF token. */
const lateMs = 40 * SECOND

/** What the app itself answers with each status. */
const answers: Partial<Record<Fault, [code: string, title: string]>> = {
  400: ['badRequest', 'errors.general'],
  401: ['unauthorized', 'errors.general'],
  403: ['forbidden', 'errors.general'],
  404: ['notFound', 'errors.general'],
  429: ['tooMany', 'errors.too_many'],
  500: ['serverError', 'errors.general'],
  503: ['busy', 'errors.busy'],
}

/**
 * Lets requests of one browser fail, as its cookie says: they reach no handler, so that nothing happens. Pages and these
 * tools are left out. Not registered in production.
 */
export function simulateFaults(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    const cookie = request.cookies[faultCookie]
    const fault = cookie === undefined ? null : faultOf(cookie, request.url)
    if (!fault) return
    reply.header('cache-control', 'no-store')
    if (fault === 'late') return void (await wait(lateMs))
    if (fault === 'none') {
      reply.hijack()
      request.raw.socket.destroy()
      return
    }
    const [code, title] = answers[fault] ?? ['serverError', 'errors.general']
    return problem(reply, Number(fault), code, request.ctx.t(title))
  })
}

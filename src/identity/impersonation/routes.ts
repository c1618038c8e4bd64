import type { FastifyInstance, FastifyReply } from 'fastify'
import { csp, NONE } from '../../platform/http/csp.ts'
import type { renderPlainPage } from '../../ui/static-page.tsx'
import type { CookieRules } from '../session/cookies.ts'
import { sendImpersonationCookie } from './cookies.ts'
import { endedPath, idParameter } from './rules.ts'
import { isViewing, startImpersonation } from './service.ts'

export interface ImpersonationDeps {
  cookies: CookieRules
  /** The only origin that may show the program in a frame, and only during impersonation. */
  consoleOrigin: string
  pages: { renderPlainPage: typeof renderPlainPage }
}

/**
 * Starts the console's frame: a full navigation with a single-use token, and the id of the impersonation, with which it goes
 * on when it is loaded again.
 */
export function impersonationRoutes(app: FastifyInstance, { cookies, consoleOrigin, pages }: ImpersonationDeps): void {
  const options = { config: { rateLimit: { max: 30, timeWindow: 60_000 } } }
  app.get('/Emulate', options, async (request, reply) => {
    const { token, [idParameter]: id } = request.query as Record<string, unknown>
    const started = typeof token === 'string' ? await startImpersonation(request.ctx, token) : null
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer')
    // The console's page was loaded again: the visit goes on.
    if (!started && typeof id === 'string' && (await isViewing(request.ctx, id))) return showApp(reply, id)
    if (!started) return sendNotice(reply.code(410), 'This way in has been used, or is over. Go back, and look again.')
    sendImpersonationCookie(reply, started.id, cookies)
    return showApp(reply, started.impersonationId)
  })
  app.get(endedPath, (_request, reply) => sendNotice(reply, 'You have left the member’s view.'))

  const showApp = (reply: FastifyReply, id: string) =>
    reply.redirect(`/account/overview?${idParameter}=${encodeURIComponent(id)}`, 303)

  // For operators, in the frame: as plain as the console.
  const sendNotice = (reply: FastifyReply, text: string) =>
    reply
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': csp({ 'default-src': NONE, 'frame-ancestors': consoleOrigin }),
      })
      .type('text/html; charset=utf-8')
      .send(pages.renderPlainPage(text, [text], { text: 'Back to the console', href: consoleOrigin }))
}

import type { FastifyInstance } from 'fastify'
import { safeReturnPath } from '../identity/session/sso/return-path.ts'
import { queryOf } from '../platform/http/request-boundary.ts'

export interface PartnerSwitch {
  partners: ReadonlySet<string>
  /** Returns the origin of a program's pages. */
  origin: (partnerId: string) => string
}

/** Redirects a page URL with `?partner=code` to the same path of that program. Not registered in production. */
export function switchPartners(app: FastifyInstance, { partners, origin }: PartnerSwitch): void {
  app.addHook('onRequest', async (request, reply) => {
    if (request.method !== 'GET' || request.url.startsWith('/api/')) return
    const [path = '/'] = request.url.split('?')
    const params = queryOf(request)
    const partner = params.get('partner')
    if (partner === null || !partners.has(partner)) return
    const target = new URL(origin(partner))
    if (request.headers.host === target.host) return
    params.delete('partner')
    target.pathname = safeReturnPath(path)
    target.search = params.toString()
    return reply.header('cache-control', 'no-store').redirect(target.href, 302)
  })
}

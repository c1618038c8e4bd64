import type { FastifyInstance } from 'fastify'

/** The robots.txt (RFC 9309) of a host that search engines must not read. */
export const closedRobots = 'User-agent: *\nDisallow: /\n'

/** Serves the robots.txt of a host without pages for search engines, before the host's own hooks ask for a sign-in. */
export function denyRobots(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method, url }, reply) => {
    if (url !== '/robots.txt' || (method !== 'GET' && method !== 'HEAD')) return
    return reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(closedRobots)
  })
}

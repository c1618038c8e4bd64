import type { FastifyInstance } from 'fastify'
import { sameForAll } from './caching.ts'

/** The robots.txt (RFC 9309) of a host that search engines must not read. */
export const closedRobots = 'User-agent: *\nDisallow: /\n'

/** Serves the robots.txt of a host without pages for search engines. */
export function denyRobots(app: FastifyInstance): void {
  app.get('/robots.txt', sameForAll, (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/plain; charset=utf-8').send(closedRobots),
  )
}

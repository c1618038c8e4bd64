import type { FastifyInstance } from 'fastify'
import { sameForAll } from '../../../platform/http/caching.ts'
import { csp, NONE, UNSAFE_INLINE } from '../../../platform/http/csp.ts'
import { EncodedBody, sendEncoded } from '../../../platform/http/encoded-body.ts'
import type { ServerPages } from '../server-pages.ts'
import { conventions } from './conventions.ts'
import { openApi } from './document.ts'
import { describeCalls } from './reference.ts'

/**
 * Serves `/api/openapi.json` and `/api/docs`, a readable page without scripts, both generated once from the calls.
 * Without `pages` there is only the former.
 */
export function docsRoutes(
  app: FastifyInstance,
  { pages }: { pages: Pick<ServerPages, 'renderReference'> | null },
): void {
  const json = once(() => new EncodedBody(JSON.stringify(openApi(app.calls))))
  app.get('/api/openapi.json', sameForAll, (request, reply) =>
    sendEncoded(request, reply, json(), 'application/json; charset=utf-8'),
  )
  if (!pages) return
  const page = once(() => new EncodedBody(pages.renderReference({ groups: describeCalls(app.calls), conventions })))
  app.get('/api/docs', sameForAll, (request, reply) => {
    reply.header(
      'content-security-policy',
      csp({ 'default-src': NONE, 'style-src': UNSAFE_INLINE, 'base-uri': NONE, 'frame-ancestors': NONE }),
    )
    return sendEncoded(request, reply, page(), 'text/html; charset=utf-8')
  })
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

import type { FastifyInstance } from 'fastify'
import { csp, NONE, UNSAFE_INLINE } from '../../../platform/http/csp.ts'
import { EncodedBody, sendEncoded } from '../../../platform/http/encoded-body.ts'
import { openApi } from './document.ts'
import { docsPage } from './page.ts'

/** Serves `/api/openapi.json` and a readable page without scripts, both generated once from the calls. */
export function docsRoutes(app: FastifyInstance): void {
  const json = once(() => new EncodedBody(JSON.stringify(openApi(app.calls))))
  const page = once(() => new EncodedBody(docsPage(app.calls)))
  app.get('/api/openapi.json', (request, reply) =>
    sendEncoded(request, reply, json(), 'application/json; charset=utf-8'),
  )
  app.get('/api/docs', (request, reply) => {
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

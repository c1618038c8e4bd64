import type { FastifyInstance, FastifyReply } from 'fastify'

/** Returns a function that tells whether a request other than for a page waits for its response. */
export function trackOpenCalls(app: FastifyInstance): () => boolean {
  const open = new Set<FastifyReply>()
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url !== '/*') open.add(reply)
  })
  app.addHook('onResponse', async (_request, reply) => {
    open.delete(reply)
  })
  // An event stream has sent its headers.
  return () => [...open].some(({ raw }) => !raw.headersSent)
}

import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Waits until a client may use the main thread for a while. */
export type WaitForTurn = (request: FastifyRequest) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    waitForTurn: WaitForTurn
  }
}

/** Characters from which parsing a body counts: it takes the thread for about as long as a small request. */
const longBody = 16 * 1024

/** Parses a body, a long one in a turn of its client. Rejects as `parse` throws. */
export async function parseInTurn<T>(
  request: FastifyRequest,
  body: string,
  parse: (body: string) => T | Promise<T>,
): Promise<T> {
  if (body.length > longBody) await request.server.waitForTurn(request)
  return parse(body)
}

/** Replaces the parser of JSON bodies by one that parses long ones in a turn of their client. */
export function parseLongJsonInTurn(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, async (request: FastifyRequest, body: string) =>
    parseInTurn(
      request,
      body,
      (text) =>
        new Promise<unknown>((resolve, reject) => {
          void parse(request, text, (error, value) => (error ? reject(error) : resolve(value)))
        }),
    ),
  )
}

import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../kit/server/context.ts'
import type { Send } from '../../kit/web/api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    innerCalls: InnerCalls
  }
}

export interface InnerCallParts {
  /** The context that was resolved for the page: its calls act with it, and with nothing that a cookie says. */
  ctx: Ctx
  host: string
  signal: AbortSignal
  /** Runs when a call was limited or failed: the page then lacks something that others would get. */
  onFailure: () => void
}

export interface InnerCalls {
  /** Returns the context that an inner call was made with; undefined for a request from the network. */
  take(request: FastifyRequest): Ctx | undefined
  /** Sends a page's calls to the API without the network: validation and access exist once. */
  sendAs(app: FastifyInstance, parts: InnerCallParts): Send
}

const passHeader = 'x-inner-call'

/** A call and its context find each other by a random pass that is valid once, for as long as the call takes to begin. */
export function createInnerCalls(): InnerCalls {
  const contexts = new Map<string, Ctx>()
  return {
    take({ headers, id, log }) {
      const pass = headers[passHeader]
      const ctx = typeof pass === 'string' ? contexts.get(pass) : undefined
      if (!ctx) return undefined
      contexts.delete(pass as string)
      return { ...ctx, requestId: id, log }
    },
    sendAs(app, { ctx, host, signal, onFailure }) {
      return async ({ method, path, headers, body }) => {
        signal.throwIfAborted()
        const pass = randomUUID()
        contexts.set(pass, ctx)
        try {
          const response = await app.inject({
            method: method as 'GET',
            url: path,
            headers: { ...headers, host, [passHeader]: pass },
            remoteAddress: ctx.address,
            ...(body !== undefined && { payload: body }),
          })
          if (response.statusCode >= 429) onFailure()
          return { status: response.statusCode, body: response.payload === '' ? null : response.json() }
        } finally {
          contexts.delete(pass)
        }
      }
    },
  }
}

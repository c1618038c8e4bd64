import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Send } from '../../platform/browser/api.ts'
import type { Ctx } from '../../platform/http/context.ts'

declare module 'fastify' {
  interface FastifyInstance {
    internalCalls: InternalCalls
  }
}

export interface InternalCallOptions {
  /** The context of the page request: its calls use it and ignore cookies. */
  ctx: Ctx
  host: string
  signal: AbortSignal
  /** Called when a call was limited or failed: the page is then incomplete and must not be cached. */
  onFailure: () => void
}

export interface InternalCalls {
  /** Returns the context of an internal call; undefined for a request from the network. */
  takeContext(request: FastifyRequest): Ctx | undefined
  /** Sends a page's calls to the API in process, with the same validation and access checks. */
  sendAs(app: FastifyInstance, options: InternalCallOptions): Send
}

const passHeader = 'x-inner-call'

/** Links a call to its context by a random pass that is valid once, until the call starts. */
export function createInternalCalls(): InternalCalls {
  const contexts = new Map<string, Ctx>()
  return {
    takeContext({ headers, id, log }) {
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

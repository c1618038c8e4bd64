import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networksOf } from './network.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts a request as one of a limited route, by method and path. Throws when there were too many. */
    rateLimits: Map<string, (request: FastifyRequest, reply: FastifyReply) => Promise<void>>
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

interface Limits {
  /** Key prefix that separates independent counters. */
  prefix?: (request: FastifyRequest) => string
  /** Message of the 429 response. */
  message?: (request: FastifyRequest) => string
}

/**
 * Makes the `rateLimit` of a route's config count networks instead of single addresses (see `networksOf`). Register it
 * before the routes.
 */
export async function limitRates(app: FastifyInstance, { prefix = () => '', message }: Limits = {}): Promise<void> {
  const tooManyRequests = (request: FastifyRequest) =>
    Object.assign(new Error(message?.(request) ?? 'Too many requests'), { statusCode: 429, code: 'tooMany' })
  await app.register(rateLimit, {
    global: false,
    keyGenerator: (request) => prefix(request) + networksOf(request.ip)[0].network,
    errorResponseBuilder: tooManyRequests,
    // The counters of one visitor do not belong into a response that others may get.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  })
  app.decorate('rateLimits', new Map())
  app.addHook('onRoute', (route) => {
    const limit = route.config?.rateLimit as RateLimitOptions | false | undefined
    if (!limit) return
    const max = Number(limit.max)
    const check = app.createRateLimit({
      ...limit,
      max: async (request: FastifyRequest) => max * (widerOf(request)?.times ?? 1),
      keyGenerator: (request) => `${prefix(request)}${widerOf(request)?.network}`,
    })
    const countWider = async (request: FastifyRequest, reply: FastifyReply) => {
      if (!widerOf(request)) return
      const result = await check(request)
      if (result.isAllowed || !result.isExceeded) return
      reply.header('retry-after', result.ttlInSeconds)
      throw tooManyRequests(request)
    }
    const hooks = [route.onRequest ?? []].flat()
    route.onRequest = [...hooks, countWider]
    // The plugin has just added its own.
    const counts = [hooks.at(-1) as unknown as Hook, countWider]
    app.rateLimits.set(`${route.method} ${route.url}`, async (request, reply) => {
      // The plugin counts each request once. This one may make several calls, and each counts.
      for (const count of counts) await count(Object.create(request), reply)
    })
  })
}

const widerOf = ({ ip }: FastifyRequest) => networksOf(ip)[1]

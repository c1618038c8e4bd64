import rateLimit, { type RateLimitOptions } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { networksOf } from './network.ts'

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
  })
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
    route.onRequest = [...[route.onRequest ?? []].flat(), countWider]
  })
}

const widerOf = ({ ip }: FastifyRequest) => networksOf(ip)[1]

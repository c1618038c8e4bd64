import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { isOwnForm } from '../../platform/http/own-form.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { postImpressions } from './contract.ts'
import * as schemas from './schemas.ts'
import type { ImpressionLog } from './service.ts'

export function trackingRoutes(
  app: FastifyInstance,
  { impressions, origin }: { impressions: ImpressionLog; origin: (partnerId: string) => string },
): void {
  registerRoute(app, postImpressions, schemas.postImpressions, (ctx, { body }, { request }) => {
    const own = origin(ctx.partnerId)
    // In place of a CSRF token.
    const { origin: sender = own } = request.headers
    if (!isOwnForm(request) || sender !== own) throw new ApiError('crossSite')
    return { accepted: hasOptedOut(request) ? 0 : impressions.add(ctx, body) }
  })
}

function hasOptedOut({ headers }: FastifyRequest): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1'
}

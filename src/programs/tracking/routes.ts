import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { postImpressions } from './contract.ts'
import * as schemas from './schemas.ts'
import type { ImpressionLog } from './service.ts'

export function trackingRoutes(
  app: FastifyInstance,
  { impressions, origin }: { impressions: ImpressionLog; origin: (partnerId: string) => string },
): void {
  registerRoute(app, postImpressions, schemas.postImpressions, (ctx, { body }, { request }) => {
    if (!isOwnPage(request, origin(ctx.partnerId))) throw new ApiError('crossSite')
    return { accepted: hasOptedOut(request) ? 0 : impressions.add(ctx, body) }
  })
}

// In place of a CSRF token: the browser's fetch metadata or origin.
function isOwnPage({ headers }: FastifyRequest, own: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin === undefined || headers.origin === own
}

function hasOptedOut({ headers }: FastifyRequest): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1'
}

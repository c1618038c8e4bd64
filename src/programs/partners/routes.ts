import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { getFeatureFlags, getPartnerConfig } from './contract.ts'
import { publicConfig } from './public-config.ts'
import * as schemas from './schemas.ts'

export function partnerRoutes(app: FastifyInstance): void {
  registerRoute(app, getPartnerConfig, schemas.getPartnerConfig, (ctx) => publicConfig(ctx.program.config))
  registerRoute(app, getFeatureFlags, schemas.getFeatureFlags, (ctx) => ctx.flags)
}

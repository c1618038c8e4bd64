import type { FastifyInstance } from 'fastify'
import { serve } from '../kit/server/serve.ts'
import { getFeatureFlags, getPartnerConfig } from './contract.ts'
import { publicConfig } from './rules.ts'
import { featureFlags } from './service.ts'

export function partnerRoutes(app: FastifyInstance): void {
  serve(app, getPartnerConfig, (ctx) => publicConfig(ctx.program.config))
  serve(app, getFeatureFlags, (ctx) => featureFlags(ctx))
}

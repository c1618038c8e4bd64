import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { getFeatureFlags, getPartnerConfig } from './contract.ts'
import { publicConfig } from './rules.ts'

export function partnerRoutes(app: FastifyInstance): void {
  serve(app, getPartnerConfig, (ctx) => publicConfig(ctx.program.config))
  serve(app, getFeatureFlags, (ctx) => ctx.flags)
}

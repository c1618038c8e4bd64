import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { nativeAppOf } from '../../programs/pwa/rules.ts'
import { registerBonus } from './contract.ts'
import { activateBonus } from './service.ts'

export function bonusRoutes(app: FastifyInstance): void {
  serve(app, registerBonus, (ctx, { params }) =>
    activateBonus(ctx, params.code, { inApp: nativeAppOf(ctx.userAgent) !== null }),
  )
}

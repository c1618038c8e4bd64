import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { nativeAppOf } from '../../programs/pwa/rules.ts'
import { registerBonus } from './contract.ts'
import * as schemas from './schemas.ts'
import { activateBonus } from './service.ts'

export function bonusRoutes(app: FastifyInstance): void {
  registerRoute(app, registerBonus, schemas.registerBonus, (ctx, { params }) =>
    activateBonus(ctx, params.code, { inApp: nativeAppOf(ctx.userAgent) !== null }),
  )
}

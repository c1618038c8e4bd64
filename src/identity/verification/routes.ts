import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import * as verification from './service.ts'

export function verificationRoutes(app: FastifyInstance, deps: verification.VerificationDeps): void {
  registerRoute(app, calls.getVerification, schemas.getVerification, (ctx) => verification.readVerification(ctx))
  registerRoute(app, calls.sendVerification, schemas.sendVerification, async (ctx) => {
    await verification.sendVerification(ctx, deps)
    return { accepted: true as const }
  })
  registerRoute(app, calls.verifyEmail, schemas.verifyEmail, (ctx, { body }) =>
    verification.verifyEmail(ctx, deps, body.code),
  )
}

import type { FastifyInstance } from 'fastify'
import { problem } from '../../platform/http/problem.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { explainMissing, listClaims, openClaim } from './contract.ts'
import * as schemas from './schemas.ts'
import * as claims from './service.ts'

/** Bytes: base64 makes a receipt a third larger than the file. */
const bodyLimit = 3 * 1024 * 1024

export async function claimRoutes(app: FastifyInstance): Promise<void> {
  registerRoute(app, explainMissing, schemas.explainMissing, (ctx, { body }) => claims.explain(ctx, body))
  registerRoute(app, listClaims, schemas.listClaims, (ctx) => claims.listClaims(ctx))
  await app.register(async (large) => {
    large.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit
    })
    // Before a receipt is read and parsed.
    large.addHook('onRequest', async ({ ctx }, reply) => {
      if (ctx.actor.memberId === null) return problem(reply, 401, 'unauthorized', 'Unauthorized')
    })
    registerRoute(large, openClaim, schemas.openClaim, (ctx, { body }) => claims.openClaim(ctx, body))
  })
}

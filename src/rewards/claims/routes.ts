import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { explainMissing, listClaims, openClaim } from './contract.ts'
import * as claims from './service.ts'

/** Bytes: base64 makes a receipt a third larger than the file. */
const bodyLimit = 3 * 1024 * 1024

export async function claimRoutes(app: FastifyInstance): Promise<void> {
  serve(app, explainMissing, (ctx, { body }) => claims.explain(ctx, body))
  serve(app, listClaims, (ctx) => claims.listClaims(ctx))
  await app.register(async (large) => {
    large.addHook('onRoute', (route) => {
      route.bodyLimit = bodyLimit
    })
    serve(large, openClaim, (ctx, { body }) => claims.openClaim(ctx, body))
  })
}

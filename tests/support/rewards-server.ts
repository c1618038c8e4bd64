import type { FastifyInstance } from 'fastify'
import type { Ctx } from '../../src/platform/http/context.ts'
import { createHttpApp } from '../../src/platform/http/create-http-app.ts'
import { problem } from '../../src/platform/http/problem.ts'
import { type RewardDeps, rewardRoutes } from '../../src/rewards/activity/routes.ts'

export const feedSecret = Buffer.alloc(32, 7).toString('base64')
export const origin = (partnerId: string) => `http://${partnerId}.localhost:3000`

/** Serves the routes of this module as in the app, with a context supplied by the test. */
export async function createRewardsServer(
  contextFor: () => Ctx,
  deps: Partial<RewardDeps> & Pick<RewardDeps, 'hub'>,
): Promise<FastifyInstance> {
  const app = await createHttpApp({
    host: 'partner',
    logger: null,
    scheme: 'http',
    referrerPolicy: 'strict-origin-when-cross-origin',
    framing: 'by-policy',
    sendError: (reply, { error, status }) => problem(reply, status, error.code ?? 'serverError', error.message),
  })
  app.decorate('calls', [])
  app.decorate('runCalls', new Map())
  app.decorate('isClosed', () => false)
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.addHook('onRequest', async (request) => {
    request.ctx = contextFor()
  })
  await rewardRoutes(app, { feedSecret, origin, ...deps })
  return app
}

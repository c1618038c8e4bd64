import Fastify, { type FastifyInstance } from 'fastify'
import type { Ctx } from '../../src/platform/http/context.ts'
import { problem } from '../../src/platform/http/problem.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { type RewardDeps, rewardRoutes } from '../../src/rewards/activity/routes.ts'

export const feedSecret = Buffer.alloc(32, 7).toString('base64')
export const origin = (partnerId: string) => `http://${partnerId}.localhost:3000`

/** Serves the routes of this module as in the app, with a context supplied by the test. */
export async function createRewardsServer(
  contextFor: () => Ctx,
  deps: Partial<RewardDeps> & Pick<RewardDeps, 'hub'>,
): Promise<FastifyInstance> {
  const app = Fastify({
    genReqId: () => publicId(),
    bodyLimit: 64 * 1024,
    handlerTimeout: 8_000,
    onProtoPoisoning: 'error',
  }) as unknown as FastifyInstance
  app.decorate('calls', [])
  app.decorate('runCalls', new Map())
  app.decorateRequest('ctx', null as unknown as Ctx)
  app.addHook('onRequest', async (request) => {
    request.ctx = contextFor()
  })
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, _request, reply) =>
    problem(reply, error.statusCode ?? 500, error.code ?? 'serverError', error.message),
  )
  await rewardRoutes(app, { feedSecret, origin, ...deps })
  return app
}

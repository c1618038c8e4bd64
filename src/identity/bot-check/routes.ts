import type { Challenge, Solution } from 'altcha-lib'
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { registerRoute } from '../../platform/http/register-route.ts'
import { getBotChallenge, solveBotChallenge } from './contract.ts'
import * as schemas from './schemas.ts'
import type { Altcha } from './service.ts'

/** Routes of the built-in check; installations with another check do not register them. */
export function botCheckRoutes(app: FastifyInstance, altcha: Altcha): void {
  registerRoute(app, getBotChallenge, schemas.getBotChallenge, async (ctx, _input, { reply }) => {
    reply.header('cache-control', 'no-store')
    return (await altcha.challenge(ctx)) as z.input<typeof schemas.getBotChallenge.reply>
  })
  registerRoute(app, solveBotChallenge, schemas.solveBotChallenge, async (ctx, { body }) => ({
    token: await altcha.solve(ctx, body as { challenge: Challenge; solution: Solution }),
  }))
}

import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../../platform/errors.ts'
import { registerRoute } from '../../../platform/http/register-route.ts'
import type { Intake } from '../intake.ts'
import { eventOfWebhook, isTransactionEvent } from './adapter.ts'
import { receiveFidelEvent } from './contract.ts'
import * as schemas from './schemas.ts'

/** Routes for a network that sends Fidel's webhooks. `feedRoutes` has verified the signature. */
export function fidelRoutes(app: FastifyInstance, intake: Intake): void {
  registerRoute(app, receiveFidelEvent, schemas.receiveFidelEvent, async (ctx, { params, body }) => {
    const { fidel } = ctx.program.config
    if (!fidel) throw new ApiError('notOffered')
    // Events about cards, brands, locations and programs are accepted and ignored, so that they are not sent again.
    if (!isTransactionEvent(params.event)) return { outcome: 'ignored' as const }
    return { outcome: await intake.receive(ctx, eventOfWebhook(ctx, fidel.programId, params.event, body)) }
  })
}

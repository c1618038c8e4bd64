import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../../kit/refusal.ts'
import { serve } from '../../../kit/server/serve.ts'
import type { Intake } from '../intake.ts'
import { eventOfWebhook, isTransactionEvent } from './adapter.ts'
import { receiveFidelEvent } from './contract.ts'

/** The door for a network that speaks Fidel's webhooks. Whoever comes here has been let in by the feed's door. */
export function fidelRoutes(app: FastifyInstance, intake: Intake): void {
  serve(app, receiveFidelEvent, async (ctx, { params, body }) => {
    const { fidel } = ctx.program.config
    if (!fidel) throw new Refusal('notOffered')
    // Of cards, brands, locations and programs we hear elsewhere: they are thanked for, so that they are not sent again.
    if (!isTransactionEvent(params.event)) return { outcome: 'ignored' as const }
    return { outcome: await intake.receive(ctx, eventOfWebhook(ctx, fidel.programId, params.event, body)) }
  })
}

import type { FastifyInstance } from 'fastify'
import { serve } from '../kit/server/serve.ts'
import { chooseConsent as choose, readConsents } from './consents.ts'
import { chooseConsent, getConsents, getKnownMember, getMember } from './contract.ts'
import { type ProgressOf, readKnownMember, readMember, signKnownToken } from './service.ts'

export function memberRoutes(
  app: FastifyInstance,
  { progressOf, knownKey }: { progressOf: ProgressOf; knownKey: Buffer },
): void {
  serve(app, getMember, (ctx) => readMember(ctx, ctx.actor.memberId as number, progressOf))
  serve(app, getConsents, (ctx) => readConsents(ctx))
  serve(app, chooseConsent, async (ctx, { body }) => {
    await choose(ctx, { ...body, source: ctx.actor.operator ? 'support' : 'consents' })
    return readConsents(ctx)
  })
  serve(app, getKnownMember, async (ctx, { params }) => ({
    ...(await readKnownMember(ctx.db, ctx, params.publicId)),
    token: signKnownToken(knownKey, ctx.partnerId, params.publicId),
  }))
}

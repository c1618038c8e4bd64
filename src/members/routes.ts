import type { FastifyInstance } from 'fastify'
import { serve } from '../kit/server/serve.ts'
import { getKnownMember, getMember } from './contract.ts'
import { type ProgressOf, readKnownMember, readMember, signKnownToken } from './service.ts'

export function memberRoutes(
  app: FastifyInstance,
  { progressOf, knownKey }: { progressOf: ProgressOf; knownKey: Buffer },
): void {
  serve(app, getMember, (ctx) => readMember(ctx, ctx.actor.memberId as number, progressOf))
  serve(app, getKnownMember, async (ctx, { params }) => ({
    ...(await readKnownMember(ctx.db, ctx, params.publicId)),
    token: signKnownToken(knownKey, ctx.partnerId, params.publicId),
  }))
}

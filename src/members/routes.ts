import type { FastifyInstance } from 'fastify'
import { serve } from '../kit/server/serve.ts'
import { getKnownMember, getMember } from './contract.ts'
import { type ProgressOf, readKnownMember, readMember } from './service.ts'

export function memberRoutes(app: FastifyInstance, { progressOf }: { progressOf: ProgressOf }): void {
  serve(app, getMember, (ctx) => readMember(ctx, ctx.actor.memberId as number, progressOf))
  serve(app, getKnownMember, (ctx, { params }) => readKnownMember(ctx.db, ctx, params.publicId))
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ctx } from '../../platform/http/context.ts'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { activate, activateById } from './contract.ts'
import { activateMember } from './service.ts'

export interface ActivationParts {
  /** Returns true for an unexpired bearer token that was issued for this member. */
  isTokenOf: (token: string, partnerId: string, publicId: string) => boolean
}

export function activationRoutes(app: FastifyInstance, { isTokenOf }: ActivationParts): void {
  async function activateBearer(ctx: Ctx, request: FastifyRequest, publicId: string) {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!isTokenOf(token, ctx.partnerId, publicId)) throw new Refusal('activationRefused')
    const member = await activateMember(ctx, publicId)
    return { publicId: member.public_id, tierLevel: member.tier_level as TierLevel }
  }
  serve(app, activate, (ctx, { body }, { request }) => activateBearer(ctx, request, body.publicId))
  serve(app, activateById, (ctx, { params }, { request }) => activateBearer(ctx, request, params.publicId))
}

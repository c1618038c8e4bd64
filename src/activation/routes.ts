import type { FastifyInstance } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { serve } from '../kit/server/serve.ts'
import type { TierLevel } from '../partners/contract.ts'
import { activate } from './contract.ts'
import { activateMember } from './service.ts'

export interface ActivationParts {
  /** Whether a bearer token was given out for this member a short while ago. */
  isTokenOf: (token: string, partnerId: string, publicId: string) => boolean
}

export function activationRoutes(app: FastifyInstance, { isTokenOf }: ActivationParts): void {
  serve(app, activate, async (ctx, { body }, { request }) => {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!isTokenOf(token, ctx.partnerId, body.publicId)) throw new Refusal('activationRefused')
    const member = await activateMember(ctx, body.publicId)
    return { publicId: member.public_id, tierLevel: member.tier_level as TierLevel }
  })
}

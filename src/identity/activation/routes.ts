import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import { activate, activateById } from './contract.ts'
import * as schemas from './schemas.ts'
import { activateMember } from './service.ts'

export interface ActivationDeps {
  /** Returns true for an unexpired bearer token that was issued for this member. */
  isTokenOf: (token: string, partnerId: string, publicId: string) => boolean
  /** Runs in the transaction that activates the account. */
  onActivated: NonNullable<Parameters<typeof activateMember>[2]>
}

export function activationRoutes(app: FastifyInstance, { isTokenOf, onActivated }: ActivationDeps): void {
  async function activateBearer(ctx: Ctx, request: FastifyRequest, publicId: string) {
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (!isTokenOf(token, ctx.partnerId, publicId)) throw new ApiError('activationRejected')
    const member = await activateMember(ctx, publicId, onActivated)
    return { publicId: member.public_id, tierLevel: member.tier_level as TierLevel }
  }
  registerRoute(app, activate, schemas.activate, (ctx, { body }, { request }) =>
    activateBearer(ctx, request, body.publicId),
  )
  registerRoute(app, activateById, schemas.activateById, (ctx, { params }, { request }) =>
    activateBearer(ctx, request, params.publicId),
  )
}

import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../platform/database/db.ts'
import type { MemberCtx } from '../../platform/http/context.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { chooseConsent as choose, readConsents } from './consents.ts'
import { chooseConsent, getConsents, getKnownMember, getMember } from './contract.ts'
import { updateMember } from './profile/contract.ts'
import * as profileSchemas from './profile/schemas.ts'
import { updateProfile } from './profile/service.ts'
import * as schemas from './schemas.ts'
import { type ReadMemberDeps as Known, readKnownMember, readMember, signKnownToken } from './service.ts'

export interface MemberDeps extends Known {
  knownKey: Buffer
  zipIsKnown: (zip: string) => boolean
  /** Validates a new password of the signed-in member; returns a function that sets it. */
  preparePassword: (ctx: MemberCtx, password: string) => Promise<(tx: Tx) => Promise<void>>
}

export function memberRoutes(
  app: FastifyInstance,
  { knownKey, zipIsKnown, preparePassword, ...known }: MemberDeps,
): void {
  registerRoute(app, getMember, schemas.getMember, (ctx) => readMember(ctx, ctx.actor.memberId, known))
  registerRoute(app, updateMember, profileSchemas.updateMember, async (ctx, { body }) => {
    const { password, before, ...form } = body
    const also = password === undefined ? undefined : await preparePassword(ctx, password)
    await updateProfile(ctx, form, { zipIsKnown, before, also })
    return readMember(ctx, ctx.actor.memberId, known)
  })
  registerRoute(app, getConsents, schemas.getConsents, (ctx) => readConsents(ctx))
  registerRoute(app, chooseConsent, schemas.chooseConsent, async (ctx, { body }) => {
    await choose(ctx, { ...body, source: ctx.actor.operator ? 'support' : 'consents' })
    return readConsents(ctx)
  })
  registerRoute(app, getKnownMember, schemas.getKnownMember, async (ctx, { params }) => ({
    ...(await readKnownMember(ctx.db, ctx, params.publicId)),
    token: signKnownToken(knownKey, ctx.partnerId, params.publicId),
  }))
}

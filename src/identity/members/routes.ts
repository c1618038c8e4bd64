import type { FastifyInstance } from 'fastify'
import type { Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { serve } from '../../platform/http/serve.ts'
import { chooseConsent as choose, readConsents } from './consents.ts'
import { chooseConsent, getConsents, getKnownMember, getMember } from './contract.ts'
import { updateMember } from './profile/contract.ts'
import { updateProfile } from './profile/service.ts'
import { type MemberParts as Known, readKnownMember, readMember, signKnownToken } from './service.ts'

export interface MemberParts extends Known {
  knownKey: Buffer
  zipIsKnown: (zip: string) => boolean
  /** Validates a new password of the signed-in member; returns a function that sets it. */
  preparePassword: (ctx: Ctx, password: string) => Promise<(tx: Tx) => Promise<void>>
}

export function memberRoutes(
  app: FastifyInstance,
  { knownKey, zipIsKnown, preparePassword, ...known }: MemberParts,
): void {
  serve(app, getMember, (ctx) => readMember(ctx, ctx.actor.memberId as number, known))
  serve(app, updateMember, async (ctx, { body }) => {
    const { password, ...form } = body
    const also = password === undefined ? undefined : await preparePassword(ctx, password)
    await updateProfile(ctx, form, { zipIsKnown, also })
    return readMember(ctx, ctx.actor.memberId as number, known)
  })
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

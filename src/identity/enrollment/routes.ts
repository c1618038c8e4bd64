import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/errors.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { BotCheck } from '../bot-check/service.ts'
import { type CookieRules, readDevice, sendDevice, sendSession } from '../session/cookies.ts'
import { join, registerProspect, validateEmail } from './contract.ts'
import * as schemas from './schemas.ts'
import { emailIsFree, type Joining, joinProgram, storeProspect } from './service.ts'

export interface EnrollmentDeps {
  cookies: CookieRules
  botCheck: BotCheck
  zipIsKnown: (zip: string) => boolean
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  /** Key of the hash of the code that verifies an address. */
  lockKey: Buffer
  onJoined: Joining['onJoined']
}

export function enrollmentRoutes(app: FastifyInstance, deps: EnrollmentDeps): void {
  const { cookies, botCheck, zipIsKnown, origin, lockKey, onJoined } = deps
  registerRoute(app, join, schemas.join, async (ctx, { body }, { request, reply }) => {
    const device = readDevice(request, cookies) ?? secretToken()
    const { session, member } = await botCheck.guard(ctx, body.gRecaptchaResponse, () =>
      joinProgram(ctx, body, { zipIsKnown, device, origin: origin(ctx.partnerId), lockKey, onJoined }),
    )
    sendSession(reply, { ...session, signedIn: true }, cookies)
    sendDevice(reply, device, cookies)
    return { publicId: member.public_id, memberType: member.member_type, csrfToken: session.csrfToken }
  })
  registerRoute(app, registerProspect, schemas.registerProspect, async (ctx, { body }) => {
    if (ctx.program.config.enrollmentType !== 'direct') throw new ApiError('notOffered')
    await storeProspect(ctx, body)
    return { accepted: true as const }
  })
  registerRoute(app, validateEmail, schemas.validateEmail, async (ctx, { query }) => {
    if (ctx.program.config.enrollmentType === 'none') throw new ApiError('notOffered')
    return { isValid: await emailIsFree(ctx, query.email.trim()) }
  })
}

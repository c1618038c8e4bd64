import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { Refusal } from '../../platform/refusal.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { Gate } from '../bot-check/service.ts'
import { type CookieRules, readDevice, sendDevice, sendSession } from '../session/cookies.ts'
import { join, registerProspect, validateEmail } from './contract.ts'
import { emailIsFree, joinProgram, keepProspect } from './service.ts'

export interface EnrollmentParts {
  cookies: CookieRules
  gate: Gate
  zipIsKnown: (zip: string) => boolean
  /** The origin of a program's pages, for links in emails. */
  origin: (partnerId: string) => string
  /** Key of the hashes by which former members are recognized. */
  returningKey: Buffer
}

export function enrollmentRoutes(app: FastifyInstance, parts: EnrollmentParts): void {
  const { cookies, gate, zipIsKnown, origin, returningKey } = parts
  serve(app, join, async (ctx, { body }, { request, reply }) => {
    const device = readDevice(request, cookies) ?? secretToken()
    const { session, member } = await gate.admit(ctx, body.gRecaptchaResponse, () =>
      joinProgram(ctx, body, { zipIsKnown, device, origin: origin(ctx.partnerId), returningKey }),
    )
    sendSession(reply, { ...session, signedIn: true }, cookies)
    sendDevice(reply, device, cookies)
    return { publicId: member.public_id, memberType: member.member_type, csrfToken: session.csrfToken }
  })
  serve(app, registerProspect, async (ctx, { body }) => {
    if (ctx.program.config.enrollmentType !== 'direct') throw new Refusal('notOffered')
    await keepProspect(ctx, body)
    return { accepted: true as const }
  })
  serve(app, validateEmail, async (ctx, { query }) => {
    if (ctx.program.config.enrollmentType === 'none') throw new Refusal('notOffered')
    return { isValid: await emailIsFree(ctx, query.email.trim()) }
  })
}

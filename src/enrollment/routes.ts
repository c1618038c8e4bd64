import type { FastifyInstance } from 'fastify'
import { Refusal } from '../kit/refusal.ts'
import { serve } from '../kit/server/serve.ts'
import { type CookieRules, sendSession } from '../session/cookies.ts'
import { join, registerProspect, validateEmail } from './contract.ts'
import { emailIsFree, joinProgram, keepProspect } from './service.ts'

export interface EnrollmentParts {
  cookies: CookieRules
  zipIsKnown: (zip: string) => boolean
}

export function enrollmentRoutes(app: FastifyInstance, { cookies, zipIsKnown }: EnrollmentParts): void {
  serve(app, join, async (ctx, { body }, { reply }) => {
    const { session, member } = await joinProgram(ctx, body, zipIsKnown)
    sendSession(reply, { ...session, signedIn: true }, cookies)
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

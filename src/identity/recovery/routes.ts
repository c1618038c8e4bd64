import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { Gate } from '../bot-check/service.ts'
import type { CookieRules } from '../session/cookies.ts'
import * as calls from './contract.ts'
import { readRecovery, sendRecovery } from './cookies.ts'
import * as recovery from './service.ts'

export interface RecoveryParts {
  desk: recovery.RecoveryDesk
  gate: Gate
  cookies: CookieRules
}

export function recoveryRoutes(app: FastifyInstance, { desk, gate, cookies }: RecoveryParts): void {
  serve(app, calls.requestRecovery, async (ctx, { body }, { request, reply }) => {
    const browser = readRecovery(request, cookies) ?? secretToken()
    const { userName } = body
    await gate.admit(ctx, body.gRecaptchaResponse, () => recovery.requestRecovery(ctx, desk, { userName, browser }))
    sendRecovery(reply, browser, cookies)
    return { accepted: true as const }
  })
  serve(app, calls.confirmRecovery, async (ctx, { body }, { request }) => ({
    resetToken: await recovery.confirmRecovery(ctx, desk, { ...body, browser: readRecovery(request, cookies) }),
  }))
  serve(app, calls.updateRecovery, async (ctx, { body }) => {
    await recovery.updateRecovery(ctx, desk, body)
    return { updated: true as const }
  })
  serve(app, calls.fixCredentials, async (ctx, { body }) => ({
    email: await recovery.fixCredentials(ctx, desk, body),
  }))
}

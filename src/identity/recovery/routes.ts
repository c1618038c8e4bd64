import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../platform/http/register-route.ts'
import { secretToken } from '../../platform/security/ids.ts'
import type { BotCheck } from '../bot-check/service.ts'
import { type CookieRules, readReturnTarget, sendReturnTarget } from '../session/cookies.ts'
import * as calls from './contract.ts'
import { readRecovery, sendRecovery } from './cookies.ts'
import * as schemas from './schemas.ts'
import * as recovery from './service.ts'

export interface RecoveryRouteDeps {
  deps: recovery.RecoveryDeps
  botCheck: BotCheck
  cookies: CookieRules
}

export function recoveryRoutes(app: FastifyInstance, { deps, botCheck, cookies }: RecoveryRouteDeps): void {
  registerRoute(app, calls.requestRecovery, schemas.requestRecovery, async (ctx, { body }, { request, reply }) => {
    const browser = readRecovery(request, cookies) ?? secretToken()
    const { userName } = body
    await botCheck.guard(ctx, body.gRecaptchaResponse, () => recovery.requestRecovery(ctx, deps, { userName, browser }))
    sendRecovery(reply, browser, cookies)
    sendReturnTarget({ request, reply }, body.returnTo ?? '', cookies)
    return { accepted: true as const }
  })
  registerRoute(app, calls.confirmRecovery, schemas.confirmRecovery, async (ctx, { body }, { request }) => ({
    resetToken: await recovery.confirmRecovery(ctx, deps, { ...body, browser: readRecovery(request, cookies) }),
  }))
  registerRoute(app, calls.updateRecovery, schemas.updateRecovery, async (ctx, { body }, { request, reply }) => {
    const recovered = await recovery.updateRecovery(ctx, deps, body)
    sendReturnTarget({ request, reply }, '', cookies)
    return { updated: true as const, ...recovered, returnTo: readReturnTarget(request, cookies) }
  })
  registerRoute(app, calls.fixCredentials, schemas.fixCredentials, async (ctx, { body }) => ({
    email: await recovery.fixCredentials(ctx, deps, body),
  }))
}

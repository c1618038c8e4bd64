import type { FastifyInstance } from 'fastify'
import { type CookieRules, clearSession } from '../../identity/session/cookies.ts'
import { serve } from '../../platform/http/serve.ts'
import * as calls from './contract.ts'
import { deleteAccount, type Erasing, exportData } from './service.ts'

export interface PrivacyParts extends Erasing {
  cookies: CookieRules
}

export function privacyRoutes(app: FastifyInstance, { cookies, ...erasing }: PrivacyParts): void {
  serve(app, calls.exportData, async (ctx, _input, { reply }) => {
    reply.header('content-disposition', `attachment; filename="${ctx.partnerId}-my-data.json"`)
    return exportData(ctx)
  })
  serve(app, calls.deleteAccount, async (ctx, { body }, { reply }) => {
    await deleteAccount(ctx, erasing, body.confirmation)
    clearSession(reply, cookies)
    return { deleted: true as const }
  })
}

import type { FastifyInstance } from 'fastify'
import { type CookieRules, clearSession } from '../../identity/session/cookies.ts'
import { registerRoute } from '../../platform/http/register-route.ts'
import type { MemberTable } from '../../platform/manifest.ts'
import * as calls from './contract.ts'
import * as schemas from './schemas.ts'
import { deleteAccount, type ErasureDeps, exportData } from './service.ts'

export interface PrivacyDeps extends ErasureDeps {
  cookies: CookieRules
  /** The tables with rows of members, of all modules. */
  memberTables: readonly MemberTable[]
}

export function privacyRoutes(app: FastifyInstance, { cookies, memberTables, ...erasing }: PrivacyDeps): void {
  registerRoute(app, calls.exportData, schemas.exportData, async (ctx, _input, { reply }) => {
    reply.header('content-disposition', `attachment; filename="${ctx.partnerId}-my-data.json"`)
    return exportData(ctx, memberTables)
  })
  registerRoute(app, calls.deleteAccount, schemas.deleteAccount, async (ctx, { body }, { reply }) => {
    await deleteAccount(ctx, erasing, body.confirmation)
    clearSession(reply, cookies)
    return { deleted: true as const }
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { listNewestFiles } from '../../rewards/feed/files/store.ts'
import {
  type AdminDeps,
  type AdminLink,
  type ConsoleUi,
  mayViewSettlements,
  requirePasskey,
  resolveAdminContext,
  sendConsolePage,
} from '../operators/service.ts'
import type * as feedFilesPages from './pages.tsx'

export interface FeedFilesAdminContext extends AdminDeps<{ config: { programName: string } }> {
  pages: ConsoleUi & typeof feedFilesPages
  passkeysRequired: boolean
}

type Request = FastifyRequest<{ Params: Record<string, string> }>

const maxFiles = 100

/** Pages with the results of a program's event files. For administrators. */
export function feedFilesRoutes(app: FastifyInstance, adminContext: FeedFilesAdminContext): void {
  requirePasskey(app, 'feed-files', adminContext)
  app.get('/:partner/feed-files', async (request: Request, reply) => {
    const scope = resolveAdminContext(adminContext, request, mayViewSettlements)
    if (!scope) return reply.callNotFound()
    return sendConsolePage(adminContext, request, reply, {
      title: `Files of ${scope.program.config.programName}`,
      breadcrumbs: [{ label: 'Programs', href: '/programs' }],
      Page: adminContext.pages.FeedFilesPage,
      props: { partnerId: scope.partnerId, files: await listNewestFiles(scope.db, maxFiles) },
    })
  })
}

export const feedFilesLink: AdminLink = { label: 'Files', path: 'feed-files', may: mayViewSettlements }

import type { Module } from '../../platform/manifest.ts'
import { impersonationCopy } from './copy.ts'
import { type ImpersonationDeps, impersonationRoutes } from './routes.ts'

interface Needs extends Omit<ImpersonationDeps, 'pages'> {
  /** Null without pages: impersonation starts at the console, which needs them. */
  pages: ImpersonationDeps['pages'] | null
}

export const impersonationModule: Module<Needs> = {
  name: 'identity/impersonation',
  messages: impersonationCopy,
  routes: (app, { pages, ...needs }) => pages && impersonationRoutes(app, { ...needs, pages }),
  memberTables: [
    {
      table: 'impersonations',
      secret: ['handoff_hash', 'session_hash', 'csrf_token', 'operator_id'],
      deletion: 'redacted',
      merging: 'stays',
    },
  ],
}

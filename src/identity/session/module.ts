import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { sessionCopy } from './copy.ts'
import { sessionExamples } from './examples.ts'
import { signInPost } from './page-posts.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { type SessionDeps, sessionRoutes } from './routes.ts'
import { purgeSessions } from './service.ts'
import { type SsoDeps, ssoRoutes } from './sso-routes.ts'

interface Needs extends SessionDeps, SsoDeps {}

export const sessionModule: Module<Needs> = {
  name: 'identity/session',
  messages: sessionCopy,
  examples: sessionExamples,
  routes(app, needs) {
    sessionRoutes(app, needs)
    passkeyRoutes(app, needs)
    ssoRoutes(app, needs)
  },
  pagePosts: [signInPost],
  tasks: { sessions: cleanup(purgeSessions) },
  memberTables: [
    { table: 'passkeys', secret: ['public_key'], deletion: 'deleted', merging: 'ended' },
    { table: 'known_devices', secret: ['device_hash'], deletion: 'deleted', merging: 'ended' },
    {
      table: 'sessions',
      secret: ['id_hash', 'previous_hash', 'csrf_token', 'id_token', 'sso_session'],
      deletion: 'deleted',
      merging: 'ended',
    },
  ],
}

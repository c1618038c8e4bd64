import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { verificationCopy } from './copy.ts'
import { verificationExamples } from './examples.ts'
import { verifyEmailPost } from './page-posts.ts'
import { verificationRoutes } from './routes.ts'
import { purgeVerifications, type VerificationDeps } from './service.ts'

export const verificationModule: Module<VerificationDeps> = {
  name: 'identity/verification',
  messages: verificationCopy,
  examples: verificationExamples,
  routes: verificationRoutes,
  pagePosts: [verifyEmailPost],
  tasks: { 'email-verifications': cleanup(purgeVerifications) },
  memberTables: [{ table: 'email_verifications', secret: ['code_hash'], deletion: 'deleted', merging: 'ended' }],
}

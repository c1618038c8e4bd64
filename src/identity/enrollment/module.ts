import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { isKnownZip } from '../../programs/places/service.ts'
import { enrollmentCopy } from './copy.ts'
import { enrollmentExamples } from './examples.ts'
import { joinPost, prospectPost } from './page-posts.ts'
import { type EnrollmentDeps, enrollmentRoutes } from './routes.ts'
import { purgeProspects } from './service.ts'

interface Needs extends Omit<EnrollmentDeps, 'zipIsKnown' | 'onJoined'> {
  settleMember: EnrollmentDeps['onJoined']
}

export const enrollmentModule: Module<Needs> = {
  name: 'identity/enrollment',
  messages: enrollmentCopy,
  examples: enrollmentExamples,
  routes: (app, needs) => enrollmentRoutes(app, { ...needs, zipIsKnown: isKnownZip, onJoined: needs.settleMember }),
  pagePosts: [joinPost, prospectPost],
  tasks: { prospects: cleanup(purgeProspects) },
}

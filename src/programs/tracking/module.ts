import type { Db } from '../../platform/database/db.ts'
import { sharedCleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { trackingExamples } from './examples.ts'
import { trackingRoutes } from './routes.ts'
import { type ImpressionLog, rotateImpressionPartitions } from './service.ts'

interface Needs {
  impressions: ImpressionLog
  origin: (partnerId: string) => string
  sharedDb: Db
  impressionsKeptMonths: number
}

export const trackingModule: Module<Needs> = {
  name: 'programs/tracking',
  examples: trackingExamples,
  routes: trackingRoutes,
  tasks: {
    impressions: sharedCleanup<Needs>(({ sharedDb, impressionsKeptMonths }) =>
      rotateImpressionPartitions(sharedDb, impressionsKeptMonths),
    ),
  },
  memberTables: [{ table: 'impressions', deletion: 'deleted', merging: 'stays' }],
}

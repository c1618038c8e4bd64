import type { Db } from '../../platform/database/db.ts'
import { sharedCleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { purgeConsoleSessions } from './service.ts'

interface Needs {
  /** Connections of the console's role. */
  consoleDb: Db
}

export const consoleOperatorsModule: Module<Needs> = {
  name: 'console/operators',
  tasks: { 'console-sessions': sharedCleanup<Needs>(({ consoleDb }) => purgeConsoleSessions(consoleDb)) },
}

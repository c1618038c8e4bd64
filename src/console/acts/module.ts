import type { Db } from '../../platform/database/db.ts'
import type { Module } from '../../platform/manifest.ts'
import { checkActs } from './verify.ts'

interface Needs {
  /** Connections of the console's role. */
  consoleDb: Db
}

export const consoleActsModule: Module<Needs> = {
  name: 'console/acts',
  tasks: { 'audit-log': { cron: '7 * * * *', isShared: true, run: ({ consoleDb }) => checkActs(consoleDb) } },
}

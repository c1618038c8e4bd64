import type { Module } from '../../platform/manifest.ts'
import { debtsCopy } from './copy.ts'
import { debtExamples } from './examples.ts'
import { debtRoutes } from './routes.ts'

export const debtsModule: Module = {
  name: 'rewards/debts',
  messages: debtsCopy,
  examples: debtExamples,
  routes: debtRoutes,
  memberTables: [{ table: 'debts', deletion: 'retained', merging: 'stays' }],
}

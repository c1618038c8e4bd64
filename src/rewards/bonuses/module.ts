import type { Module } from '../../platform/manifest.ts'
import { bonusesCopy } from './copy.ts'
import { bonusExamples } from './examples.ts'
import { bonusRoutes } from './routes.ts'

export const bonusesModule: Module = {
  name: 'rewards/bonuses',
  messages: bonusesCopy,
  examples: bonusExamples,
  routes: bonusRoutes,
  memberTables: [{ table: 'member_bonuses', deletion: 'retained', merging: 'moved' }],
}

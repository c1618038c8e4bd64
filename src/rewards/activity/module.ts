import type { Module } from '../../platform/manifest.ts'
import { activityExamples } from './examples.ts'
import { type RewardDeps, rewardRoutes } from './routes.ts'

type Needs = Pick<RewardDeps, 'feedSecret' | 'origin' | 'hub'>

export const activityModule: Module<Needs> = {
  name: 'rewards/activity',
  examples: activityExamples,
  routes: (app, { feedSecret, origin, hub }) => rewardRoutes(app, { feedSecret, origin, hub }),
}

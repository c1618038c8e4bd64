import type { Module } from '../platform/manifest.ts'
import { stagingExamples } from './examples.ts'
import { simulateFaults } from './faults.ts'
import { type StagingDeps, stagingRoutes } from './routes.ts'
import { type StateDeps, stateRoutes } from './state-routes.ts'

interface Needs extends StagingDeps, StateDeps {
  stagingTools: boolean
}

export const stagingModule: Module<Needs> = {
  name: 'staging',
  examples: stagingExamples,
  routes(app, needs) {
    if (!needs.stagingTools) return
    simulateFaults(app)
    stagingRoutes(app, needs)
    stateRoutes(app, needs)
  },
}

import type { Module } from '../../platform/manifest.ts'
import { partnerExamples } from './examples.ts'
import { partnerRoutes } from './routes.ts'

export const partnersModule: Module = {
  name: 'programs/partners',
  examples: partnerExamples,
  routes: partnerRoutes,
}

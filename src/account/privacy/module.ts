import type { Module } from '../../platform/manifest.ts'
import { privacyCopy } from './copy.ts'
import { privacyExamples } from './examples.ts'
import { type PrivacyDeps, privacyRoutes } from './routes.ts'

export const privacyModule: Module<PrivacyDeps> = {
  name: 'account/privacy',
  messages: privacyCopy,
  examples: privacyExamples,
  routes: privacyRoutes,
}

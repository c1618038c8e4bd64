import { cleanup } from '../../platform/jobs/jobs.ts'
import type { Module } from '../../platform/manifest.ts'
import { botCheckCopy } from './copy.ts'
import { botCheckExamples } from './examples.ts'
import { botCheckRoutes } from './routes.ts'
import { type Altcha, purgeSpentTokens } from './service.ts'

interface Needs {
  /** The included bot check, which has calls of its own; null with another one. */
  altcha: Altcha | null
}

export const botCheckModule: Module<Needs> = {
  name: 'identity/bot-check',
  messages: botCheckCopy,
  examples: botCheckExamples,
  routes: (app, { altcha }) => altcha && botCheckRoutes(app, altcha),
  tasks: { 'bot-check-tokens': cleanup(purgeSpentTokens) },
}

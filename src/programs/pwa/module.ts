import type { Module } from '../../platform/manifest.ts'
import { pwaCopy } from './copy.ts'
import { type PwaDeps, pwaRoutes } from './routes.ts'

interface Needs {
  pwa: PwaDeps
}

export const pwaModule: Module<Needs> = {
  name: 'programs/pwa',
  messages: pwaCopy,
  routes: (app, { pwa }) => pwaRoutes(app, pwa),
}

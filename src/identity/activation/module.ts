import type { Module } from '../../platform/manifest.ts'
import { isKnownToken } from '../members/service.ts'
import { activationCopy } from './copy.ts'
import { activationExamples } from './examples.ts'
import { type ActivationDeps, activationRoutes } from './routes.ts'

interface Needs {
  knownKey: Buffer
  settleMember: ActivationDeps['onActivated']
}

export const activationModule: Module<Needs> = {
  name: 'identity/activation',
  messages: activationCopy,
  examples: activationExamples,
  routes: (app, { knownKey, settleMember }) =>
    activationRoutes(app, {
      isTokenOf: (token, partnerId, publicId) => isKnownToken(knownKey, { token, partnerId, publicId }),
      onActivated: settleMember,
    }),
}

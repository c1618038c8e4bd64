import { build, createBuilder } from 'vite'

/** The vault's frame, which shares nothing with the member app. */
export const buildFrame = () => build({ configFile: 'vault/vite.config.ts', logLevel: 'warn' })

/** What is bundled for browsers. */
export const builderConfigs: Record<string, () => Promise<unknown>> = {
  'member app': async () => (await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' })).buildApp(),
  'card frame': buildFrame,
}

import { build, createBuilder } from 'vite'

/** What is bundled for browsers: the member app, and the vault's frame, which shares nothing with it. */
export const builderConfigs: Record<string, () => Promise<unknown>> = {
  'member app': async () => (await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' })).buildApp(),
  'card frame': () => build({ configFile: 'vault/vite.config.ts', logLevel: 'warn' }),
}

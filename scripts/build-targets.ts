import { build, createBuilder } from 'vite'

// What is built is for production, whatever the shell says; what starts after it decides for itself.
async function keepingNodeEnv(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await work()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** The vault's frame, which shares nothing with the member app. */
export const buildFrame = () => keepingNodeEnv(() => build({ configFile: 'vault/vite.config.ts', logLevel: 'warn' }))

const buildApp = () =>
  keepingNodeEnv(async () => (await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' })).buildApp())

const buildWorker = () => keepingNodeEnv(() => build({ configFile: 'src/pwa/worker/vite.config.ts', logLevel: 'warn' }))

/** What is bundled for browsers, in this order: the worker is told which app it belongs to. */
export const builderConfigs = { 'member app': buildApp, 'card frame': buildFrame, 'service worker': buildWorker }

import { build, createBuilder } from 'vite'
import { rootSettings } from './plain-path.ts'

const root = rootSettings(process.cwd())

// Builds always use production mode; the caller's NODE_ENV is restored afterwards.
async function withProductionEnv(work: () => Promise<unknown>): Promise<void> {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    await work()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** Builds the vault's frame, which shares no code with the member app. */
export const buildFrame = () =>
  withProductionEnv(() => build({ ...root, configFile: 'vault/vite.config.ts', logLevel: 'warn' }))

const buildApp = () =>
  withProductionEnv(async () => (await createBuilder({ configFile: 'vite.config.ts', logLevel: 'warn' })).buildApp())

const buildConsole = () =>
  withProductionEnv(() => build({ ...root, configFile: 'src/console/vite.config.ts', logLevel: 'warn' }))

/** Builds the console for development, and again after every change. Resolves when the first build is there. */
export const watchConsole = () =>
  withProductionEnv(async () => {
    const config = { ...root, configFile: 'src/console/vite.config.ts', logLevel: 'warn' } as const
    const watcher = await build({ ...config, build: { watch: {} } })
    if (!('on' in watcher)) throw new Error('the console is not watched')
    await new Promise<void>((resolve) => watcher.on('event', ({ code }) => void (code === 'END' && resolve())))
  })

const buildWorker = () =>
  withProductionEnv(() => build({ ...root, configFile: 'src/programs/pwa/worker/vite.config.ts', logLevel: 'warn' }))

/** The browser bundles, in build order: the worker needs to know which app build it belongs to. */
export const builderConfigs = {
  'member app': buildApp,
  console: buildConsole,
  'card frame': buildFrame,
  'service worker': buildWorker,
}

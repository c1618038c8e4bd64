import './platform/config/compile-on-main-thread.ts'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import pino from 'pino'
import { watchDisk } from './app/data-folder.ts'
import { openDatabase } from './app/database.ts'
import {
  ALREADY_RUNNING,
  alreadyRunningMessage,
  claimInstallation,
  removeInstallation,
  writeInstallation,
} from './app/installation.ts'
import { createLogDestination } from './app/log-destination.ts'
import { checkPort, PortTakenError } from './app/server/check-port.ts'
import { createAdmin } from './app/server/health.ts'
import { listenAdmin } from './app/server/listen-admin.ts'
import { configurationMessage, loadStartConfig } from './app/startup.ts'
import { dataDirOf } from './platform/config/data-dir.ts'
import { developmentSecrets } from './platform/security/development-secrets.ts'

/** Stops what has been started. Replaced during the start. */
let stop = stopper(async () => {})
let isStopping = false

async function start(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(0))
  const running = claimInstallation(process.env)
  if (running) {
    process.stderr.write(alreadyRunningMessage(running))
    process.exit(ALREADY_RUNNING)
  }
  const { settings, programs } = loadStartConfig(process.env, () => developmentSecrets(dataDirOf(process.env)))
  await checkPort(settings)
  // Opened here: a file that pino opens itself is not ready yet when a start fails early.
  const logFile = settings.NODE_ENV === 'production' ? 1 : openSync(join(settings.DATA_DIR, 'app.log'), 'a')
  const logger = pino(
    { level: settings.LOG_LEVEL, redact: ['req.headers', 'headers', 'body'] },
    createLogDestination(logFile),
  )
  // Production writes only JSON lines; a terminal gets plain lines.
  const say = (line: string): void => {
    if (settings.NODE_ENV === 'production') logger.info(line)
    else process.stdout.write(`  ${line}\n`)
  }
  watchDisk(settings.DATA_DIR, say)
  const admin = await createAdmin()
  await listenAdmin(admin.app, settings, say)
  const launched = Promise.withResolvers<void>()
  const opening = openDatabase(settings, {
    log: (line) => {
      say(line)
      launched.resolve()
    },
    onError: (error) => logger.error({ err: error }, 'database'),
  })
  stop = stopper(async () => {
    await opening.then((database) => database.stop())
    await admin.app.close()
    removeInstallation(settings.DATA_DIR)
  })
  // Importing the server takes as long as PostgreSQL takes to start. Its first line is written when it is launched.
  await Promise.race([launched.promise, opening])
  const importing = importServer()
  importing.catch(() => {})
  const database = await opening
  const app = await (async () => {
    try {
      const { createServer, loadProductionBundle, seed } = await importing
      await seed(settings, database, programs, say)
      const live = process.env.DINEBACK_DEV === '1' && settings.NODE_ENV === 'development'
      // An API without pages needs no build.
      const bare = process.env.WITHOUT_PAGES === '1' && settings.NODE_ENV === 'development'
      const built = live || bare ? null : await loadProductionBundle('dist')
      return await createServer({
        settings,
        database,
        logger,
        web: live ? 'live' : (built?.web ?? null),
        pages: built?.pages ?? null,
        clientFiles: built && 'dist/client',
        programs,
        admin,
      })
    } catch (error) {
      // On a full disk this fails, too: the reason of the start's failure is what counts.
      await database.stop().catch((stopError) => process.stderr.write(`${stopError.message}\n`))
      throw error
    }
  })()
  if (isStopping) return
  stop = stopper(async () => {
    await app.close()
    await database.stop()
    await admin.app.close()
    removeInstallation(settings.DATA_DIR)
  })
  app.server.on('error', (error: NodeJS.ErrnoException) => {
    const known = error.code === 'EADDRINUSE' ? new PortTakenError(settings.PORT) : error
    process.stderr.write(`${known.message}\n`)
    void stop(1)
  })
  app.server.listen(settings.PORT, settings.HOST, () => {
    const gallery = app.origin('').replace('//.', '//')
    writeInstallation(settings.DATA_DIR, gallery)
    if (settings.NODE_ENV === 'production') {
      logger.info({ programs: [...app.programs.keys()].map((code) => app.origin(code)) }, 'serving')
    } else {
      process.stdout.write(`\n  Dineback is serving. Open ${gallery}\n\n`)
      for (const [code, { config }] of app.programs) say(`${app.origin(code).padEnd(34)} ${config.programName}`)
      process.stdout.write('\n  Ctrl+C stops it.\n')
    }
    // Requires the vault, which responds from here on.
    if (settings.STAGING_TOOLS && settings.SAMPLE_ID)
      importing
        .then(({ seedPartnerCards }) => seedPartnerCards({ pools: database.pools, vault: app.vault }, programs))
        .catch((error) => logger.warn({ err: error }, 'sample cards not loaded'))
  })
}

/** Imports what needs the most modules: all features, and the pages. */
async function importServer() {
  const [{ createServer }, { loadProductionBundle }, { seed }, { seedPartnerCards }] = await Promise.all([
    import('./app/server/server.ts'),
    import('./app/server/production-bundle.ts'),
    import('./app/seed.ts'),
    import('./app/sample-cards.ts'),
  ])
  return { createServer, loadProductionBundle, seed, seedPartnerCards }
}

/** Returns a function that stops the process once, however often it is called. */
function stopper(work: () => Promise<void>): (code: number) => Promise<void> {
  return async (code) => {
    if (isStopping) return
    isStopping = true
    await work().catch((error) => process.stderr.write(`${error.message}\n`))
    process.exit(code)
  }
}

start().catch((error) => {
  // A start that was stopped fails where its database ends.
  if (isStopping) return
  process.stderr.write(`${configurationMessage(error) ?? error.stack ?? error}\n`)
  process.exit(1)
})

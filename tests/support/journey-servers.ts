import { availableParallelism } from 'node:os'
import { buildWeb } from '../../scripts/build.ts'
import { createTestDatabase } from './database.ts'
import { joinTestRun } from './test-run.ts'
import { startTestServer } from './test-server.ts'

/** The app of one browser worker, with its own database and data folder. */
export interface JourneyServer {
  port: number
  databaseUrl: string
  dataDir: string
}

const environmentName = 'DINEBACK_JOURNEY_SERVERS'

/** The number of parallel browser workers: one more than cores, because journeys also wait. */
export const journeyWorkers = availableParallelism() + 1

/**
 * Returns the servers of this run. Index them by `parallelIndex`: a worker that replaces a failed one uses the same
 * server.
 */
export function journeyServers(): JourneyServer[] {
  const text = process.env[environmentName]
  if (!text) throw new Error('the servers of the journeys are started by tests/support/playwright-run.ts')
  return JSON.parse(text)
}

/** Returns the server of this worker. */
export function ownServer(): JourneyServer {
  const server = journeyServers()[Number(process.env.TEST_PARALLEL_INDEX ?? 0)]
  if (!server) throw new Error(`there is no server for worker ${process.env.TEST_PARALLEL_INDEX}`)
  return server
}

/**
 * Builds the web if needed and starts a server per worker. Returns a function that stops them and removes their
 * data.
 */
export async function startJourneyServers(workers: number): Promise<() => Promise<void>> {
  await buildWeb((line) => process.stdout.write(`   ${line}\n`))
  const run = await joinTestRun(['samples'])
  const stops: (() => Promise<void>)[] = [run.close]
  const stop = async () => {
    for (const each of stops.toReversed()) await each()
  }
  try {
    const servers = await Promise.all(
      Array.from({ length: workers }, async () => {
        const database = await createTestDatabase('samples')
        const server = await startTestServer(database.url, {
          env: { TRUSTED_PROXY: '127.0.0.1', JOB_POLL_MS: '10000' },
          preload: './tests/support/address-from-user-agent.ts',
        })
        stops.push(server.stop)
        return { port: server.port, databaseUrl: database.url, dataDir: server.dataDir }
      }),
    )
    process.env[environmentName] = JSON.stringify(servers satisfies JourneyServer[])
  } catch (error) {
    await stop()
    throw error
  }
  return stop
}

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { buildWeb } from '../../scripts/build.ts'
import { openDatabase } from '../../src/app/database.ts'
import { seedMerchants } from '../../src/dining/merchants/seed/seed-merchants.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { createTestDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { startTestServer } from './test-server.ts'

/** Maximum factor by which an attack may increase other visitors' waiting time. */
const maxRatio = 20
/** A busy machine can distort a measurement, so it is repeated; a server that is blocked fails each time. */
const maxAttempts = 5
/** Megabytes that an attack may add to the server's memory. */
const maxGrowth = 500

// The host headers as browsers send them in production: https on the default port.
export const programHost = 'skyharbor.localhost'
export const consoleHost = 'console.localhost'

/** A request that must succeed during an attack. */
export interface Watched {
  path: string
  host?: string
  headers?: Readonly<Record<string, string>>
}

export interface Watching {
  /** Which of the waiting times during an attack is compared: 0.5 is their median. */
  quantile: number
  watched: readonly Watched[]
  /** The address of the waiting client. By default that of the attackers. */
  from?: string
}

const secrets = Object.fromEntries(
  ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET'].map((name) => [name, randomBytes(36).toString('base64')]),
)

const adminPaths = new Set(['/readyz', '/metrics'])

export type AttackedServer = Awaited<ReturnType<typeof startAttackedServer>>

/**
 * Starts the app as a process in production mode, where rendering is several times faster than in development mode, with
 * 400 restaurants.
 */
export async function startAttackedServer() {
  await buildWeb(() => {})
  const database = await createTestDatabase('programs')
  const adminPort = await freePort()
  await addRestaurants(database.url)
  const server = await startTestServer(database.url, {
    env: {
      ...secrets,
      NODE_ENV: 'production',
      LOG_LEVEL: 'fatal',
      PUBLIC_SCHEME: 'https',
      PUBLIC_PORT: '443',
      SAMPLE_PROGRAMS: 'skyharbor',
      WITHOUT_SMTP: 'true',
      ADMIN_PORT: String(adminPort),
    },
  })

  function fetchPath(
    { path, host = programHost, headers }: Watched,
    { agent, from }: { agent: Agent; from?: string | undefined },
  ): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const port = adminPaths.has(path) ? adminPort : server.port
      const request = get(
        { host: '127.0.0.1', port, path, agent, headers: { host, ...headers }, ...(from && { localAddress: from }) },
        (response: IncomingMessage) => {
          let text = ''
          response.setEncoding('latin1').on('data', (part) => {
            text += part
          })
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
        },
      )
      request.on('error', reject)
    })
  }

  const clock = () => workedMs(server.pid)

  /**
   * Returns how long the server has worked on anything, in milliseconds, during each of `count` sequential requests;
   * infinity for a failed one.
   */
  async function waits(
    watched: Watched,
    count: number,
    { until = () => false, from }: { until?: () => boolean; from?: string | undefined } = {},
  ): Promise<number[]> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const all: number[] = []
    while (all.length < count && !(all.length >= 20 && until())) {
      const start = clock()
      const { status } = await fetchPath(watched, { agent, from })
      // A 503 for overload is allowed; any other failure is not.
      expect([200, 503]).toContain(status)
      all.push(status === 200 ? clock() - start : Number.POSITIVE_INFINITY)
    }
    agent.destroy()
    return all
  }

  /** Returns the resident memory of the server in megabytes. */
  async function memory(): Promise<number> {
    const agent = new Agent()
    const { text } = await fetchPath({ path: '/metrics' }, { agent })
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1]) / 2 ** 20
  }

  /** Returns the server's highest memory usage until then. */
  async function highestMemory(until: () => boolean): Promise<number> {
    let highest = 0
    while (!until()) {
      highest = Math.max(highest, await memory())
      await sleep(200)
    }
    return highest
  }

  return {
    port: server.port,
    waits,
    /**
     * Runs an attack and measures other requests meanwhile: fails when they wait more than 20 times as long as in the
     * median without it. Returns the result of the last attack.
     */
    async under<T>({ watched, quantile, from }: Watching, attack: () => Promise<T>): Promise<T> {
      for (let attempt = 1; ; attempt++) {
        const before = await memory()
        const idle = await Promise.all(watched.map((each) => waits(each, 60, { from })))
        let isOver = false
        const attacking = attack().finally(() => {
          isOver = true
        })
        const [highest, ...during] = await Promise.all([
          highestMemory(() => isOver),
          ...watched.map((each) => waits(each, 5_000, { until: () => isOver, from })),
        ])
        const result = await attacking
        expect(highest - before).toBeLessThan(maxGrowth)
        const ratios = during.map((times, index) => at(quantile, times) / Math.max(1, at(0.5, idle[index] as number[])))
        if (process.env.ATTACK_REPORT) {
          const lines = watched.map(
            ({ path }, index) =>
              `${path} ${at(0.5, idle[index] as number[]).toFixed(1)} ms × ${ratios[index]?.toFixed(1)} of ${during[index]?.length}`,
          )
          process.stdout.write(`   ${lines.join(', ')}, +${Math.round(highest - before)} MB\n`)
        }
        if (ratios.every((ratio) => ratio < maxRatio)) return result
        if (attempt === maxAttempts) expect(ratios).toEqual(watched.map(() => `less than ${maxRatio}`))
      }
    },
    async stop() {
      await server.stop()
      await database.drop()
    },
  }
}

/**
 * Returns the time in milliseconds that the main thread of a process has run: what a request waits for there, regardless
 * of what else the machine does. Without Linux, it is the time that has passed.
 */
function workedMs(pid: number | undefined): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

/** Production has no sample restaurants. */
async function addRestaurants(url: string): Promise<void> {
  const settings = readSettings({ ...secrets, NODE_ENV: 'test', DATABASE_URL: url }, () => secrets as never)
  const opened = await openDatabase(settings, { log: () => {}, onError: () => {} })
  await seedMerchants(opened.pools.shared, { count: 400 })
  await opened.stop()
}

/** Returns the number below which this part of the numbers is. */
function at(quantile: number, numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * quantile)] as number
}

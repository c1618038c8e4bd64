import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type pg from 'pg'
import pino from 'pino'
import { vi } from 'vitest'
import { openDatabase } from '../../src/app/database.ts'
import { seedPrograms } from '../../src/app/seed.ts'
import { createServer, type ServerDeps } from '../../src/app/server/server.ts'
import { readSettings } from '../../src/platform/config/settings.ts'
import { developmentSecrets } from '../../src/platform/security/development-secrets.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { writeFlag } from '../../src/programs/partners/store.ts'
import { createTestDatabase } from './database.ts'
import { expectDeclared } from './declared-response.ts'
import { freePort } from './free-port.ts'
import { queryAsOwner } from './owner.ts'
import type { Template } from './test-run.ts'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>

/**
 * Starts the whole app without pages, on its own database, listening on loopback. `logs` are its log lines. `env`
 * overrides the settings of a test; `web` renders pages, which it lacks otherwise; `template` is what its database has;
 * `clientFiles` is the folder of the built browser files, which it does not serve otherwise.
 */
export async function startTestApp(
  env: Record<string, string> = {},
  web: ServerDeps['web'] = null,
  // A test's own programs are not in a template.
  template: Template = env.PROGRAMS_DIR ? 'schema' : 'programs',
  clientFiles: ServerDeps['clientFiles'] = null,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'dineback-test-'))
  // A second process uses the first one's database.
  const temporary = env.DATABASE_URL ? null : await createTestDatabase(template)
  const port = await freePort()
  const settings = readSettings(
    {
      NODE_ENV: 'test',
      PORT: String(port),
      DATA_DIR: dataDir,
      JOB_POLL_MS: '3000',
      // The first request loads modules, which takes long on a busy machine.
      REQUEST_TIMEOUT_MS: '60000',
      ...(temporary && { DATABASE_URL: temporary.url }),
      ...env,
    },
    () => developmentSecrets(dataDir),
  )
  const logs: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logs.push(String(chunk))
      done()
    },
  })
  const logger = pino({ level: 'info' }, sink)
  const database = await openDatabase(settings, { log: () => {}, onError: () => {} })
  const programs = loadPrograms(settings.PROGRAMS_DIR)
  if (env.PROGRAMS_DIR) await seedPrograms(database, programs)
  // Imported here: plain Node, which runs other functions of this file, cannot load TSX files.
  const pages = await import('../../src/app/web/entry.pages.tsx')
  const app = await createServer({ settings, database, logger, web, pages, clientFiles, programs })
  await new Promise<void>((done) => app.server.listen(port, '127.0.0.1', done))
  return {
    ...app,
    settings,
    database,
    logs,
    port,
    dataDir,
    async stop() {
      await app.close()
      await database.stop()
      await temporary?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Disables the bot check for a program in every given process, for tests of the code behind it. */
export const withoutBotCheck = (partnerId: string, ...apps: TestApp[]) => setBotCheck(partnerId, false, ...apps)

/** Enables or disables the bot check for a program in every given process. */
export async function setBotCheck(partnerId: string, value: boolean, ...apps: TestApp[]): Promise<void> {
  const [first] = apps
  if (!first) return
  await writeFlag(first.database.pools.forPartner(partnerId), { kind: 'authFlags', name: 'botCheck', value })
  for (const each of apps) {
    await vi.waitFor(async () => {
      const { authFlags } = (await visit(each, partnerId).get('/api/feature-flags')).json()
      if (authFlags.botCheck !== value) throw new Error('the switch is not followed yet')
    }, 20_000)
  }
}

/**
 * Starts a second process on the first one's database, as behind a load balancer: it shares the secrets and nothing
 * else.
 */
export function startSecondApp({ settings }: Pick<TestApp, 'settings'>, web: ServerDeps['web'] = null) {
  const { DATABASE_URL = '', PROGRAMS_DIR, APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET } = settings
  const STAGING_TOOLS = String(settings.STAGING_TOOLS)
  const env = { DATABASE_URL, PROGRAMS_DIR, APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET, STAGING_TOOLS }
  return startTestApp(env, web)
}

/** Runs a statement as the owner of the app's database, who bypasses row-level security. */
export async function asOwner<T extends pg.QueryResultRow>(
  { database }: Pick<TestApp, 'database'>,
  statement: string,
  values: unknown[] = [],
): Promise<T[]> {
  return queryAsOwner<T>(database.ownerUrl, statement, values)
}

interface Visitor {
  address?: string
  cookies?: Map<string, string>
}

/** Creates a browser state of one program: cookies and the CSRF token; copied from another visitor if given. */
export function visit(app: Pick<TestApp, 'partnerApp' | 'port'>, partnerId: string, from?: Visitor) {
  // Each visitor uses its own address, because limits are per address.
  visitors++
  const own = `127.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
  const { address: remoteAddress = own, cookies = new Map<string, string>() } = from ?? {}
  const host = `${partnerId}.localhost:${app.port}`
  async function send(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
    const response = await app.partnerApp.inject({
      method: method as 'GET',
      url,
      remoteAddress,
      headers: {
        host,
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    expectDeclared(app.partnerApp.calls, {
      method,
      url,
      status: response.statusCode,
      contentType: response.headers['content-type'],
      text: response.payload,
    })
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.payload,
      // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
      json: <T = any>(): T => response.json(),
    }
  }
  const token = async () => (await send('GET', '/api/CSRF')).json().csrfToken as string
  // As in a browser, the token of a session is requested once, and again when it was rejected.
  let known = { jar: '', token: '' }
  const jar = () => JSON.stringify([...cookies])
  async function currentToken(): Promise<string> {
    if (known.jar !== jar()) {
      const value = await token()
      known = { jar: jar(), token: value }
    }
    return known.token
  }
  async function change(method: string, url: string, body?: unknown, headers: Record<string, string> = {}) {
    const sendOnce = async () => send(method, url, body, { 'x-xsrf-token': await currentToken(), ...headers })
    const response = await sendOnce()
    if (response.status !== 403 || response.json().code !== 'csrf' || headers['x-xsrf-token']) return response
    known = { jar: '', token: '' }
    return sendOnce()
  }
  return {
    host,
    cookies,
    send,
    token,
    get: (url: string, headers?: Record<string, string>) => send('GET', url, undefined, headers),
    /** Sends a mutating call with the token of this session. */
    change,
  }
}

let joined = 0
let visitors = 0

/** Returns the join form of a new member, filled in for a direct program. */
export function joinForm(over: Record<string, unknown> = {}) {
  joined++
  return {
    email: `diner${joined}-${process.pid}@example.com`,
    password: 'sourdough 4 breakfast',
    passwordConfirm: 'sourdough 4 breakfast',
    firstName: 'Ada',
    lastName: 'Lovelace',
    zipCode: '10001',
    partnerNumber: '',
    emailOptIn: true,
    termsAccepted: true,
    ...over,
  }
}

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildWeb } from '../../scripts/build.ts'
import { seed } from '../../src/app/seed.ts'
import { configurationMessage, loadStartConfig } from '../../src/app/startup.ts'
import { continueConsoleSession, sampleOperator } from '../../src/console/operators/service.ts'
import { SettingsError } from '../../src/platform/config/settings.ts'
import { MigrationError } from '../../src/platform/database/migrate.ts'
import { asOwner, startTestApp, type TestApp } from '../support/app.ts'
import { openConsole, requestConsole } from '../support/console.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { send } from '../support/http.ts'
import { spawnApp, startTestServer } from '../support/test-server.ts'

const secret = () => randomBytes(48).toString('base64').replace(/^ZGV2/, 'x')
const production = {
  NODE_ENV: 'production',
  PUBLIC_SCHEME: 'https',
  DATABASE_URL: 'postgres://owner@127.0.0.1:1/dineback',
  SMTP_URL: 'smtps://name:password@mail.example.com',
  APP_SECRET: secret(),
  VAULT_SECRET: secret(),
  FEED_SECRET: secret(),
  ID_SECRET: secret(),
}
const noSecrets = () => {
  throw new Error('production makes no secrets')
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dineback-production-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Creates a folder of programs: copies of samples, with changed fields in `program.json`. */
function programsWith(name: string, changes: Record<string, Record<string, unknown>>): string {
  const directory = join(folder, name)
  mkdirSync(directory)
  for (const [code, change] of Object.entries(changes)) {
    cpSync(join('programs', code), join(directory, code), { recursive: true })
    const file = join(directory, code, 'program.json')
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...change }))
  }
  return directory
}

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadStartConfig({ ...production, ...env }, noSecrets)
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
  return []
}
const served = (env: Record<string, string>) => [
  ...loadStartConfig({ ...production, ...env }, noSecrets).programs.keys(),
]

describe('programs in production', () => {
  test('samples are omitted unless a setting names them, and all are served in development', () => {
    expect(problemsOf({})).toEqual([
      'programs has sample programs only: set PROGRAMS_DIR, or name those to serve in SAMPLE_PROGRAMS',
    ])
    expect(served({ SAMPLE_PROGRAMS: 'skyharbor,orchard' }).sort()).toEqual(['orchard', 'skyharbor'])
    const own = programsWith('mixed', { skyharbor: { sample: false }, orchard: {} })
    expect(served({ PROGRAMS_DIR: own })).toEqual(['skyharbor'])
    const development = () => ({
      APP_SECRET: secret(),
      VAULT_SECRET: secret(),
      FEED_SECRET: secret(),
      ID_SECRET: secret(),
    })
    expect(loadStartConfig({}, development).programs.size).toBe(5)
  })

  test('a program that needs the sample bank stops the start unless a setting enables the bank', () => {
    const problem =
      /beacon\/program\.json: sso\.issuer is the sample bank: set your identity provider, or SAMPLE_ID=true$/
    expect(problemsOf({ SAMPLE_PROGRAMS: 'beacon' })).toEqual([expect.stringMatching(problem)])
    expect(problemsOf({ PROGRAMS_DIR: programsWith('bank', { beacon: { sample: false } }) })).toEqual([
      expect.stringMatching(problem),
    ])
    expect(served({ SAMPLE_PROGRAMS: 'beacon', SAMPLE_ID: 'true' })).toEqual(['beacon'])
  })

  test('invalid settings, missing secrets, no SMTP server and unusable programs are reported in one list', () => {
    const broken = programsWith('broken', { skyharbor: { hasVip: true }, orchard: { enrollmentType: 'maybe' } })
    const problems = problemsOf({ PROGRAMS_DIR: broken, APP_SECRET: '', SMTP_URL: '', PORT: 'eighty' })
    for (const part of [
      'APP_SECRET is required',
      'SMTP_URL is required',
      'PORT is not valid',
      'hasVip',
      'enrollmentType',
    ])
      expect(problems.filter((problem) => problem.includes(part))).toHaveLength(1)
    expect(problems).toHaveLength(5)
    const others = problemsOf({ SAMPLE_PROGRAMS: 'beacon,unicorn', SINGLE_PARTNER: 'orchard', STAGING_TOOLS: 'true' })
    expect(others).toHaveLength(4)
  })
})

test('a login, a database or a migration that is rejected is for the administrator, and a defect is not', () => {
  const rejected = (code: string) => Object.assign(new pg.DatabaseError(`error ${code}`, 0, 'error'), { code })
  for (const code of ['28000', '28P01', '3D000'])
    expect(configurationMessage(rejected(code))).toBe(`Cannot start: error ${code}. See .env.example.`)
  for (const code of ['42P01', '23505']) expect([code, configurationMessage(rejected(code))]).toEqual([code, null])
  // One error for each address of a host name.
  const unreachable = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { syscall: 'connect' })
  expect(configurationMessage(new AggregateError([unreachable, new Error('another')]))).toBe(
    'Cannot start: connect ECONNREFUSED ::1:5432. See .env.example.',
  )
  expect(configurationMessage(new MigrationError('0001-a.sql was changed after it had been applied'))).toBe(
    'Cannot start: 0001-a.sql was changed after it had been applied.',
  )
  expect([new Error('a defect'), 'text', null].map(configurationMessage)).toEqual([null, null, null])
})

/** Starts the process; returns its exit code and its output. */
function startProcess(
  env: Record<string, string>,
  main = 'src/main.ts',
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    const { PATH = '', HOME = '' } = process.env
    const child = spawn(process.execPath, [main], { env: { PATH, HOME, DATA_DIR: dataDir, ...env } })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    child.once('close', (code) => resolve({ code, output }))
  })
}

describe('a failed start', () => {
  test('in production lists every problem once and exits with code 1', async () => {
    const { code, output } = await startProcess({ NODE_ENV: 'production' })
    expect(code).toBe(1)
    expect(output).toMatch(/^Cannot start:\n {2}- APP_SECRET is required\n/)
    for (const part of ['ID_SECRET', 'SMTP_URL', 'DATABASE_URL', 'PUBLIC_SCHEME', 'sample programs only'])
      expect(output.split(part)).toHaveLength(2)
    expect(output).not.toMatch(/ at |sonic/)
  })

  test('in development prints a readable message without a stack trace', async () => {
    const unreachable = { NODE_ENV: 'development', WITHOUT_PAGES: '1', DATABASE_URL: 'mysql://x' }
    const settings = await startProcess(unreachable)
    expect([settings.code, settings.output]).toEqual([1, expect.stringMatching(/^Cannot start: DATABASE_URL is not/)])
    const programs = await startProcess({ PROGRAMS_DIR: join(folder, 'nowhere') })
    expect([programs.code, programs.output]).toEqual([1, expect.stringContaining('nowhere: there is no such folder')])
    expect(programs.output).not.toMatch(/sonic|\n\s+at /)
    // A failure after the log was opened: the database does not respond.
    const database = await startProcess({ ADMIN_PORT: 'off', DATABASE_URL: 'postgres://owner@127.0.0.1:1/none' })
    expect(database.code).toBe(1)
    expect(database.output).toBe('Cannot start: connect ECONNREFUSED 127.0.0.1:1. See .env.example.\n')
  })

  test('a theme that cannot be read and a wrong setting are named once, and nothing else is printed', async () => {
    const broken = programsWith('unreadable', { skyharbor: {} })
    const theme = join(broken, 'skyharbor/theme.json')
    writeFileSync(theme, '{ "defaultMode": ')
    const readError = `${theme}: Unexpected end of JSON input`
    const one = await startProcess({ PROGRAMS_DIR: broken })
    expect(one).toEqual({ code: 1, output: `Cannot start: ${readError}. See .env.example.\n` })
    const two = await startProcess({ PROGRAMS_DIR: broken, PORT: 'eighty' })
    const wrong = 'PORT is not valid (Invalid input: expected number, received NaN)'
    expect(two).toEqual({
      code: 1,
      output: `Cannot start:\n  - ${wrong}\n  - ${readError}\nSee .env.example.\n`,
    })
    const forms = await startProcess(
      { PROGRAMS_DIR: broken, FORMS_DATABASE_URL: 'postgres://x@127.0.0.1:1/none', APP_ORIGINS: 'http://*.localhost' },
      'forms/main.ts',
    )
    expect(forms).toEqual({ code: 1, output: `Cannot start: ${readError}\n` })
  })

  test('a folder or an address that cannot be used is named without a stack trace', async () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const programs = await startProcess({ PROGRAMS_DIR: file })
    expect([programs.code, programs.output]).toEqual([1, expect.stringMatching(/^Cannot start: ENOTDIR.*a-file.*\n$/)])
    const data = await startProcess({ DATA_DIR: file })
    expect([data.code, data.output]).toEqual([
      1,
      expect.stringMatching(/^Cannot start: DATA_DIR \(.*a-file\) is not a folder.*\n$/),
    ])
  })
})

test('an app goes on when its log cannot be written, as on a full disk', async () => {
  await buildWeb(() => {})
  const dataDir = mkdtempSync(join(folder, 'full-'))
  symlinkSync('/dev/full', join(dataDir, 'app.log'))
  const { url } = await createTestDatabase('programs')
  const server = await startTestServer(url, { env: { DATA_DIR: dataDir } })
  try {
    const statuses = []
    for (let request = 0; request < 3; request++)
      statuses.push(
        (await send({ port: server.port, host: 'skyharbor.localhost', path: '/api/ProgramVersion' })).status,
      )
    expect(statuses).toEqual([200, 200, 200])
  } finally {
    await server.stop()
  }
})

test('in production writes each log line as one JSON object without personal data', async () => {
  await buildWeb(() => {})
  const database = await createTestDatabase('programs')
  const port = await freePort()
  const { PATH = '', HOME = '' } = process.env
  const child = spawnApp(['src/main.ts'], {
    PATH,
    HOME,
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
    ADMIN_PORT: 'off',
    PORT: String(port),
    ...production,
    DATABASE_URL: database.url,
    PROGRAMS_DIR: programsWith('own', { skyharbor: { sample: false } }),
  })
  const ended = once(child, 'close')
  try {
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    await vi.waitFor(() => expect(output).toContain('"serving"'), { timeout: 120_000, interval: 50 })
    const host = 'skyharbor.localhost'
    const headers = { 'content-type': 'application/json' }
    const email = 'ada.lovelace@example.com'
    const sendRequest = (method: string, path: string, body = '') => send({ port, host, path, method, headers, body })
    expect((await sendRequest('GET', `/search?location=10001&email=${email}`)).status).toBe(200)
    expect((await sendRequest('POST', '/api/SignIn', JSON.stringify({ userName: email, password: 'x' }))).status).toBe(
      403,
    )
    child.kill('SIGTERM')
    expect((await ended)[0]).toBe(0)
    const lines = output.trim().split('\n')
    expect(lines.filter((line) => !line.startsWith('{"level":'))).toEqual([])
    expect(lines.map((line) => JSON.parse(line).msg)).toContain('serving')
    // Not "ada" alone, which an id of hexadecimal digits can have.
    expect(output).not.toMatch(/ada[._@]|lovelace|127\.0\.0\.1/i)
  } finally {
    child.kill('SIGKILL')
    await ended
    await database.drop()
  }
})

describe('a database that was used in development before', () => {
  let app: TestApp
  beforeAll(async () => {
    const { DATABASE_URL: _, ...settings } = production
    app = await startTestApp(settings)
  })
  afterAll(() => app?.stop())
  const { email, password } = sampleOperator
  const start = (over: Partial<TestApp['settings']>) =>
    seed({ ...app.settings, ...over }, app.database, app.programs, () => {})
  const signsIn = async () =>
    (await requestConsole(app, 'POST', '/sign-in', { body: new URLSearchParams({ email, password }).toString() }))
      .status === 303

  test('in production the sample operator cannot sign in with session, passkey or password', async () => {
    await start({ NODE_ENV: 'production', SAMPLE_OPERATOR: true })
    expect(await signsIn()).toBe(true)
    const consoleSession = await openConsole(app, email, password)
    await asOwner(
      app,
      `insert into console.passkeys (operator_id, credential_id, public_key, counter, name)
       select id, 'sample', '\\x00', 0, 'Laptop' from console.operators`,
    )
    await start({})
    expect(await signsIn()).toBe(false)
    const cookie = consoleSession.cookie.split('=')[1] ?? ''
    expect(await continueConsoleSession(app.database.consolePools.shared, cookie)).toBeNull()
    expect((await consoleSession.get('/')).location).toBe('/sign-in')
    expect(await asOwner(app, 'select 1 from console.passkeys')).toEqual([])
    // Enabled in the settings, it works again: the disabled account was the reason.
    await start({ SAMPLE_OPERATOR: true })
    expect(await signsIn()).toBe(true)
  })

  test('the sample bank is not served', async () => {
    const getStatus = async (name: string) => {
      const headers = { host: `${name}.localhost:${app.port}` }
      return (await requestConsole(app, 'GET', '/', { headers })).status
    }
    expect(await getStatus('id')).toBe(421)
    // Counterpart: a host that is served.
    expect(await getStatus('console')).toBe(303)
  })

  test('an untrusted proxy is logged as a warning once', async () => {
    const warnings = () => app.logs.filter((line) => line.includes('TRUSTED_PROXY is not set'))
    expect(warnings()).toEqual([])
    for (let request = 0; request < 3; request++)
      await requestConsole(app, 'GET', '/sign-in', { headers: { 'x-forwarded-for': '192.0.2.1' } })
    expect(warnings()).toHaveLength(1)
    expect(JSON.parse(warnings()[0] ?? '{}').level).toBe(40)
  })
})

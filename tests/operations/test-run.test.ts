import { spawn } from 'node:child_process'
import pg from 'pg'
import { afterEach, expect, test, vi } from 'vitest'
import { currentTestRun, openTestRun, type TestRun } from '../support/test-run.ts'

const { serverUrl } = currentTestRun() as { serverUrl: string }
const environment = process.env.DINEBACK_TEST_RUN

// The runs opened here set the environment; later tests belong to the outer run again.
afterEach(() => {
  process.env.DINEBACK_TEST_RUN = environment
})

/** Returns the names of the databases and roles on the server that belong to a run. */
async function listNames(prefix: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, $1)
       union all select rolname from pg_roles where starts_with(rolname, $1) order by 1`,
      [prefix],
    )
    return rows.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

/** Opens a run on the same server, as another `npm test` would, not as a part of this one. */
async function openOther(): Promise<TestRun> {
  process.env.TEST_DATABASE_URL ??= serverUrl
  return openTestRun(['programs'])
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('a run that ends removes its databases and their login roles', async () => {
  const run = await openOther()
  expect(await listNames(run.prefix)).toEqual(
    ['', '_app', '_console', '_forms', '_vault'].map((suffix) => `${run.prefix}template_programs${suffix}`),
  )
  await run.close()
  expect(await listNames(run.prefix)).toEqual([])
})

test('what a killed run left is removed by the next one, and a running one is not affected', async () => {
  const living = await openOther()
  const script = `
    const { openTestRun } = await import('./tests/support/test-run.ts')
    const { prefix } = await openTestRun(['programs'])
    process.stdout.write(prefix)
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: serverUrl },
  })
  const killed = await new Promise<string>((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk))))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
  expect(await listNames(killed)).toHaveLength(5)
  const next = await openOther()
  expect(await listNames(killed)).toEqual([])
  expect(await listNames(living.prefix)).toHaveLength(5)
  await next.close()
  await living.close()
})

test('an app that a test has started outlives Ctrl+C, and ends when the process of the test is killed', async () => {
  const script = `
    const { spawnApp } = await import('./tests/support/test-server.ts')
    const app = spawnApp(['-e', 'setInterval(() => {}, 1000); process.stdin.pipe(process.stdout)'])
    app.once('exit', () => process.stdout.write('ended'))
    app.stdout.pipe(process.stdout)
    process.on('SIGINT', () => app.stdin.write('still running'))
    process.stdout.write(String(app.pid))`
  // Its own process group, as that of a terminal.
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const print = () => new Promise<string>((resolve) => parent.stdout.once('data', (chunk) => resolve(String(chunk))))
  const app = Number(await print())
  const reply = print()
  process.kill(-(parent.pid as number), 'SIGINT')
  expect(await reply).toBe('still running')
  parent.kill('SIGKILL')
  await vi.waitFor(() => expect(isRunning(app)).toBe(false), 20_000)
})

test('a user’s database is never used: only TEST_DATABASE_URL names a server', async () => {
  const given = process.env.DATABASE_URL
  process.env.DATABASE_URL = 'postgres://unknown:nothing@127.0.0.1:1/precious'
  try {
    const run = await openOther()
    expect(new URL(run.serverUrl).port).toBe(new URL(serverUrl).port)
    await run.close()
  } finally {
    if (given === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = given
  }
})

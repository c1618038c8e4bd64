import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ALREADY_RUNNING } from '../../src/app/installation.ts'
import { removePostgres } from '../../src/embedded-postgres/embedded-postgres.ts'
import { findPostmaster } from '../../src/embedded-postgres/postmaster.ts'
import { copyPreparedData, ownDatabaseEnvironment, startProcess } from '../support/fallible-app.ts'
import { freePort } from '../support/free-port.ts'
import { scaled } from '../support/scale.ts'

// Starts, stops and kills the app, commands and PostgreSQL in random order. ROUNDS sets the number of rounds, SEED
// repeats the order of an earlier run.
const rounds = Number(process.env.ROUNDS ?? scaled({ full: 50, short: 1 }))
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

let dataDir: string
let port: number
let app: ChildProcess | null = null
const children: ChildProcess[] = []

beforeAll(async () => {
  dataDir = await copyPreparedData()
  port = await freePort()
})

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await removePostgres(join(dataDir, 'postgres'))
  rmSync(dataDir, { recursive: true, force: true })
})

/** Mulberry32: the same seed returns the same numbers. */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const postmaster = () => {
  const data = join(dataDir, 'postgres', 'data')
  return existsSync(data) ? findPostmaster(data) : null
}

const environment = () => ownDatabaseEnvironment(port, dataDir)

function run(args: string[]): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env: environment() })
  children.push(child)
  let output = ''
  child.stderr?.on('data', (chunk) => {
    output += chunk
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, output })) }
}

/** A command like the real ones: it opens the database, reads and writes, and exits. */
const command = `
  const { connect } = await import(${JSON.stringify(new URL('../../scripts/connect.ts', import.meta.url).href)})
  const { pools, close } = await connect()
  try {
    for (let read = 0; read < 5; read++) {
      await pools.shared.selectFrom('partners').select('id').execute()
      await new Promise((done) => setTimeout(done, 40))
    }
  } finally {
    await close()
  }`

let requestCount = 0

/** Sends one request that needs the database; returns its status, or 0 without a response. */
function sendRequest(): Promise<{ status: number; retryAfter: string | undefined }> {
  requestCount++
  // Every request uses its own address, because limits are per address.
  const localAddress = `127.0.${(requestCount >> 8) & 255}.${requestCount & 255}`
  return new Promise((resolve) => {
    const call = request(
      {
        host: '127.0.0.1',
        localAddress,
        port,
        path: '/api/CSRF',
        agent: false,
        headers: { host: `skyharbor.localhost:${port}` },
      },
      (response) => {
        response.resume()
        response.on('error', () => resolve({ status: 0, retryAfter: undefined }))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }),
        )
      },
    )
    call.on('error', () => resolve({ status: 0, retryAfter: undefined }))
    call.end()
  })
}

/** Repeats a request until the app serves it. Until then only 503 with Retry-After is allowed. */
async function untilServed(): Promise<void> {
  for (;;) {
    const response = await sendRequest()
    if (response.status === 200) return
    expect(response).toEqual({ status: 503, retryAfter: '5' })
    await wait(50)
  }
}

async function startApp(): Promise<void> {
  app = await startProcess(port, dataDir)
  children.push(app)
  await untilServed()
}

async function endApp(signal: NodeJS.Signals): Promise<void> {
  if (!app) return
  const ended = once(app, 'exit')
  app.kill(signal)
  const [code] = await ended
  if (signal === 'SIGTERM') expect(code).toBe(0)
  app = null
}

async function killPostmaster(): Promise<void> {
  const found = postmaster()
  if (!found) return
  process.kill(found.pid, 'SIGKILL')
  if (!app) return
  // Processes of the killed server may respond for a moment; only those of the next server count.
  while ([undefined, found.pid].includes(postmaster()?.pid)) await wait(20)
  await untilServed()
}

async function startAgain(): Promise<void> {
  const second = await run(['src/main.ts']).ended
  expect([second.code, second.output]).toEqual([ALREADY_RUNNING, expect.stringContaining(`http://localhost:${port}`)])
  await untilServed()
}

test(`an app and concurrent commands share PostgreSQL through starts, stops and kills (seed ${seed})`, {
  timeout: 0,
}, async () => {
  const random = randomFrom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (let round = 0; round < rounds; round++) {
    const steps: string[] = []
    const commands: ReturnType<typeof run>[] = []
    let mayFail = false
    await startApp()
    for (let step = 0; step < 4; step++) {
      const actions = app
        ? ['command', 'command', 'second start', 'stop', 'kill', 'kill postgres', 'kill postgres']
        : ['command', 'start', 'start', 'kill postgres']
      const action = pick(actions)
      steps.push(action)
      if (action === 'command') commands.push(run(['--input-type=module', '-e', command]))
      if (action === 'second start') await startAgain()
      if (action === 'start') await startApp()
      if (action === 'stop') await endApp('SIGTERM')
      if (action === 'kill') await endApp('SIGKILL')
      if (action === 'kill postgres') {
        mayFail ||= commands.length > 0
        await killPostmaster()
      }
      await wait(Math.floor(random() * 600))
    }
    if (!app) await startApp()
    const results = await Promise.all(commands.map(({ ended }) => ended))
    const context = `seed ${seed}, round ${round}: ${steps.join(', ')}`
    // A command may fail only if its server was killed.
    if (!mayFail) expect([context, results.filter(({ code }) => code !== 0)]).toEqual([context, []])
    // No command stopped the app's server.
    expect([context, (await sendRequest()).status, postmaster() !== null]).toEqual([context, 200, true])
    await endApp('SIGTERM')
    expect([context, postmaster()]).toEqual([context, null])
  }
})

test('a start that is stopped before it serves ends as any other, with the PostgreSQL that it started', {
  timeout: 0,
}, async () => {
  await endApp('SIGTERM')
  const { child, ended } = run(['src/main.ts'])
  while (postmaster() === null) await wait(20)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, output: '' })
  expect(postmaster()).toBeNull()
})

test('a second start prints the address and leaves the first running; a start from another folder reports that the port is in use', {
  timeout: 0,
}, async () => {
  await endApp('SIGKILL')
  await startApp()
  const before = postmaster()
  await startAgain()
  expect(postmaster()).toEqual(before)
  const elsewhere = mkdtempSync(join(realpathSync(tmpdir()), 'dineback-races-'))
  chmodSync(elsewhere, 0o755)
  try {
    const child = spawn(process.execPath, ['src/main.ts'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...environment(), DATA_DIR: elsewhere },
    })
    children.push(child)
    let output = ''
    child.stderr.on('data', (chunk) => {
      output += chunk
    })
    const [code] = await once(child, 'close')
    expect([code, output]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)])
    // It ended before the first start's work.
    expect(existsSync(join(elsewhere, 'postgres'))).toBe(false)
    await untilServed()
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
  await endApp('SIGTERM')
  expect(postmaster()).toBeNull()
})

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { currentUrl, PortTrackingClient } from '../platform/database/address.ts'
import { readNotes } from './cluster.ts'
import { isPostgresUsed, removePostgres, startPostgres } from './embedded-postgres.ts'
import { findPostmaster } from './postmaster.ts'
import { withStartLock } from './start-lock.ts'

const module = new URL('./embedded-postgres.ts', import.meta.url).href
let dataDir: string
/** A data folder whose cluster was created and stopped. */
let created: string

const parents: ChildProcess[] = []

beforeAll(async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'dineback-postgres-'))
  chmodSync(folder, 0o755)
  created = join(folder, 'db')
  await (await startPostgres({ dataDir: created, log: () => {} })).stop()
})

afterAll(() => rmSync(join(created, '..'), { recursive: true, force: true }))

beforeEach(() => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'dineback-postgres-'))
  // PostgreSQL runs as another user when the tests run as root.
  chmodSync(folder, 0o755)
  dataDir = join(folder, 'db')
})

afterEach(async () => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL')
  await removePostgres(dataDir)
  rmSync(join(dataDir, '..'), { recursive: true, force: true })
})

/** Uses a copy of a cluster instead of creating one, which takes seconds. */
const copyCluster = () => execFileSync('cp', ['-a', created, dataDir])

const start = () => startPostgres({ dataDir, log: () => {} })
const running = () => findPostmaster(postgresFolder())

const postgresFolder = () => join(dataDir, 'data')

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Starts another Node process that starts the database, prints its connection string and stops it on SIGTERM. */
async function startElsewhere(): Promise<{ parent: ChildProcess; url: string; ended: Promise<number | null> }> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(module)})
    const { url, stop } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} })
    process.on('SIGTERM', () => stop().then(() => process.exit(0)))
    setInterval(() => {}, 1000)
    console.log(url)`
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  parents.push(parent)
  const ended = new Promise<number | null>((done) => parent.once('exit', done))
  const url = await new Promise<string>((done, fail) => {
    parent.stdout?.once('data', (line) => done(String(line).trim()))
    void ended.then((code) => fail(new Error(`ended with ${code}`)))
  })
  return { parent, url, ended }
}

const forever = { timeout: 0 }

test('the first start creates a durable UTF-8 cluster that requires a password', forever, async () => {
  const { url, reused } = await start()
  expect(reused).toBe(false)
  const settings =
    "select current_setting(name) from unnest(array['server_encoding','synchronous_commit','fsync']) name"
  expect(await query(url, settings)).toEqual(['UTF8', 'on', 'on'])
  const wrong = new URL(url)
  wrong.password = 'guessed'
  await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
})

test.skipIf(process.platform === 'win32')(
  'connections use a Unix socket in the data folder, or TCP where its path would be too long',
  forever,
  async () => {
    copyCluster()
    const isSocket = 'select inet_server_port() is null'
    writeFileSync(join(dataDir, 'data', '.s.probe'), 'left by a killed process')
    const short = await start()
    expect(new URL(short.url).hostname).toBe(encodeURIComponent(realpathSync(postgresFolder())))
    expect(await query(short.url, isSocket)).toEqual([true])
    await short.stop()
    dataDir = join(dataDir, '..', 'a'.repeat(100))
    copyCluster()
    const long = await start()
    expect(new URL(long.url).hostname).toBe('127.0.0.1')
    expect(await query(long.url, isSocket)).toEqual([false])
    await long.stop()
  },
)

test('a second start shares the running server, and only the last process to stop stops it', forever, async () => {
  copyCluster()
  const first = await start()
  await query(first.url, 'create table notes as select 42 as n')
  const second = await start()
  expect(second).toMatchObject({ url: first.url, reused: true })
  await second.stop()
  await second.stop()
  expect(await query(first.url, 'select n from notes')).toEqual([42])
  await first.stop()
  expect(running()).toBeNull()
  const third = await start()
  expect(third.reused).toBe(false)
  expect(await query(third.url, 'select n from notes')).toEqual([42])
})

test('a process that stops leaves the server running for another one that started using it', forever, async () => {
  copyCluster()
  const starter = await startElsewhere()
  const user = await startElsewhere()
  starter.parent.kill('SIGTERM')
  expect(await starter.ended).toBe(0)
  expect(await query(user.url, 'select 1')).toEqual([1])
  expect(await isPostgresUsed(dataDir)).toBe(true)
  user.parent.kill('SIGTERM')
  expect(await user.ended).toBe(0)
  expect(running()).toBeNull()
  expect(await isPostgresUsed(dataDir)).toBe(false)
})

test('a supervising process restarts the server after every kill', forever, async () => {
  copyCluster()
  const { url, stop } = await startPostgres({ dataDir, log: () => {}, supervised: true })
  const pool = new pg.Pool({ connectionString: url, Client: PortTrackingClient })
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  await pool.query('create table notes as select 42 as n')
  for (let kill = 0; kill < 3; kill++) {
    const { pid } = running() as { pid: number }
    process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => {
      if ([null, pid].includes(running()?.pid ?? null)) throw new Error('it was not started again yet')
      expect((await pool.query('select n from notes')).rows).toEqual([{ n: 42 }])
    }, 120_000)
  }
  await pool.end()
  await stop()
  expect(running()).toBeNull()
})

test('a supervised server that has to use another port is found there', forever, async () => {
  copyCluster()
  const { url, stop } = await startPostgres({ dataDir, log: () => {}, supervised: true })
  const port = Number(new URL(url).port)
  // The supervisor waits for the lock, so the port is taken before it restarts the server.
  const other = await withStartLock(dataDir, async () => {
    await killServer()
    return takePort(port)
  })
  try {
    await vi.waitFor(() => expect(currentUrl(url)).not.toBe(url), 120_000)
    expect(await query(currentUrl(url), 'select 1')).toEqual([1])
    expect(running()?.port).toBe(Number(new URL(currentUrl(url)).port))
  } finally {
    other.close()
  }
  await stop()
  expect(running()).toBeNull()
})

test('a supervisor does not create a new cluster in place of a removed one', forever, async () => {
  copyCluster()
  const lines: string[] = []
  const { stop } = await startPostgres({ dataDir, log: (line) => lines.push(line), supervised: true })
  await withStartLock(dataDir, async () => {
    await killServer()
    rmSync(postgresFolder(), { recursive: true, force: true })
  })
  await vi.waitFor(() => expect(lines.join('\n')).toContain('was removed'), 120_000)
  await stop()
  expect(existsSync(postgresFolder())).toBe(false)
})

test('a server whose parent was killed is adopted with its data and stopped', forever, async () => {
  copyCluster()
  const elsewhere = await startElsewhere()
  await query(elsewhere.url, 'create table notes as select 42 as n')
  elsewhere.parent.kill('SIGKILL')
  await elsewhere.ended
  const { url, reused, stop } = await start()
  expect(reused).toBe(true)
  expect(await query(url, 'select n from notes')).toEqual([42])
  await stop()
  expect(running()).toBeNull()
})

test('SIGTERM leaves no server running', forever, async () => {
  copyCluster()
  const { parent, ended } = await startElsewhere()
  expect(running()).not.toBeNull()
  parent.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(running()).toBeNull()
  expect(existsSync(join(postgresFolder(), 'postmaster.pid'))).toBe(false)
})

test('a killed server recovers at the next start', forever, async () => {
  copyCluster()
  const { url } = await start()
  await query(url, 'create table notes as select 42 as n')
  await killServer()
  const again = await start()
  expect(await query(again.url, 'select n from notes')).toEqual([42])
})

test('a PID file of a killed server that now names another program does not prevent the start', forever, async () => {
  copyCluster()
  await start()
  await killServer()
  // PostgreSQL considers only processes of its own user, other than those that started it.
  const { uid, gid } = statSync(postgresFolder())
  const other = spawn('sleep', ['600'], { uid, gid })
  parents.push(other)
  const locks = readdirSync(postgresFolder()).filter((name) => /^(postmaster\.pid|\.s\..*\.lock)$/.test(name))
  expect(locks).toHaveLength(2)
  for (const lock of locks) {
    const file = join(postgresFolder(), lock)
    const [, ...rest] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [other.pid, ...rest].join('\n'))
  }
  expect(await start()).toMatchObject({ reused: false })
})

test('a cluster whose creation was interrupted is created again', forever, async () => {
  mkdirSync(join(dataDir, 'data.new-0000', 'base'), { recursive: true })
  writeFileSync(join(dataDir, 'data.new-0000', 'PG_VERSION'), '18\n')
  writeFileSync(join(dataDir, 'data.new-0000.password'), 'left')
  writeFileSync(join(dataDir, 'notes.json'), '{"port":1,"password":"left"}')
  const { url } = await start()
  expect(await query(url, 'select 1')).toEqual([1])
  expect(readdirSync(dataDir).filter((name) => name.includes('.new'))).toEqual([])
})

test('three concurrent starts share one server', forever, async () => {
  const all = await Promise.all([startElsewhere(), startElsewhere(), start()])
  expect(new Set(all.map(({ url }) => url)).size).toBe(1)
})

test('a port that another program took meanwhile is replaced', forever, async () => {
  copyCluster()
  const first = await start()
  await first.stop()
  const port = Number(new URL(first.url).port)
  const other = await takePort(port)
  try {
    const second = await start()
    expect(Number(new URL(second.url).port)).not.toBe(port)
  } finally {
    other.close()
  }
})

test.runIf(process.platform === 'linux')(
  'a copy that is still starting is not mistaken for the server that already uses its port',
  forever,
  async () => {
    copyCluster()
    const original = await startPostgres({ dataDir: created, log: () => {} })
    // A server writes its PID file before it listens, and the copied notes contain the same port and password.
    const starting = spawn('sleep', ['1'], { argv0: 'postgres', cwd: postgresFolder() })
    parents.push(starting)
    const pidFile = [starting.pid, postgresFolder(), 0, readNotes(created).port, '', '', '', 'starting', '']
    writeFileSync(join(postgresFolder(), 'postmaster.pid'), pidFile.join('\n'))
    try {
      const copy = await start()
      expect(await query(copy.url, 'show data_directory')).toEqual([realpathSync(postgresFolder())])
    } finally {
      await original.stop()
    }
  },
)

test('a server that cannot start says why, without the lines of earlier starts', async () => {
  copyCluster()
  const log = join(dataDir, 'server.log')
  writeFileSync(log, 'a line of an earlier start\n')
  const settings = join(postgresFolder(), 'postgresql.conf')
  const right = readFileSync(settings, 'utf8')
  writeFileSync(settings, `${right}\nno_such_setting = 1\n`)
  const message = await start().then(String, String)
  expect(message).toMatch(/PostgreSQL did not start:\n.*no_such_setting/s)
  expect(message).not.toContain('earlier start')
  // A log that has become large is put aside.
  writeFileSync(settings, right)
  truncateSync(log, 10_000_001)
  expect(await start()).toMatchObject({ reused: false })
  expect([statSync(`${log}.1`).size, statSync(log).size < 100_000]).toEqual([10_000_001, true])
})

test('a cluster of another version, or with another password, is not used', async () => {
  copyCluster()
  const version = join(postgresFolder(), 'PG_VERSION')
  writeFileSync(version, '17\n')
  await expect(start()).rejects.toThrow('was created by PostgreSQL 17; this is PostgreSQL 18')
  writeFileSync(version, '18\n')
  writeFileSync(join(dataDir, 'notes.json'), JSON.stringify({ ...readNotes(dataDir), password: 'another' }))
  await expect(start()).rejects.toThrow('has a different password than the stored one')
})

/** Listens on a port as another program would; the processes of a killed server may still occupy it briefly. */
async function takePort(port: number): Promise<Server> {
  return vi.waitFor(async () => {
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    return other
  }, 120_000)
}

async function killServer(): Promise<void> {
  const { pid } = running() as { pid: number }
  process.kill(pid, 'SIGKILL')
  while (running()) await new Promise((done) => setTimeout(done, 10))
}

test.runIf(process.getuid?.() === 0)(
  'when running as root in a folder that other users cannot read, the data is stored elsewhere',
  forever,
  async () => {
    chmodSync(join(dataDir, '..'), 0o700)
    const first = await start()
    await query(first.url, 'create table notes as select 42 as n')
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'select n from notes')).toEqual([42])
    expect(existsSync(join(dataDir, 'data'))).toBe(false)
  },
)

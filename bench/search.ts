import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { saveMerchants } from '../src/dining/merchants/catalog/save-merchants.ts'
import { createPools } from '../src/platform/database/db.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { createTestDatabase } from '../tests/support/database.ts'
import { freePort } from '../tests/support/free-port.ts'
import { generateRecords } from './generate-records.ts'
import { searchCalls } from './search-calls.ts'

const connections = 50
const seconds = Number(process.env.SECONDS ?? 5)
const sizes = (process.env.SIZES ?? '5000,25000').split(',').map(Number)

interface Server {
  child: ChildProcess
  port: number
  barePort: number
  megabytes: number
  startMs: number
}

async function fill(url: string, count: number): Promise<void> {
  await migrate({ url, directory: 'db/migrations', log: () => {} })
  const pools = createPools({ url })
  const records = generateRecords(count)
  for (let from = 0; from < count; from += 500) {
    await pools.shared.transaction().execute((tx) => saveMerchants(tx, records.slice(from, from + 500)))
  }
  await pools.close()
}

async function startServer(databaseUrl: string, dataDir: string): Promise<Server> {
  const port = await freePort()
  const child = fork('bench/search-server.ts', {
    env: { ...process.env, NODE_ENV: 'development', PORT: String(port), DATABASE_URL: databaseUrl, DATA_DIR: dataDir },
  })
  const [facts] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => [null])])
  if (!facts) throw new Error('the server exited before it was ready')
  return { child, port, ...facts }
}

async function stopServer({ child }: Server): Promise<void> {
  if (!child.connected) return
  const ended = once(child, 'exit')
  child.disconnect()
  await ended
}

function read(port: number, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: `skyharbor.localhost:${port}` }
    const call = request({ port, host: '127.0.0.1', path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part) => parts.push(part))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(parts).toString())
        else reject(new Error(`${path} returned ${response.statusCode}`))
      })
    })
    call.on('error', reject)
    call.end()
  })
}

async function load(port: number, paths: readonly string[]) {
  let taken = 0
  const { requests, latency, non2xx, errors } = await autocannon({
    url: `http://127.0.0.1:${port}`,
    headers: { host: `skyharbor.localhost:${port}` },
    connections,
    duration: seconds,
    setupClient(client) {
      const share = Math.ceil(paths.length / connections)
      const own = paths.length === 1 ? paths : paths.slice(taken, taken + share)
      taken += share
      client.setRequests(own.map((each) => ({ path: each })))
    },
  })
  if (non2xx + errors > 0) throw new Error(`${paths[0]}: ${non2xx} rejected, ${errors} failed`)
  return { perSecond: requests.average, sent: requests.total, p50: latency.p50, p99: latency.p99 }
}

async function measure({ child, port, barePort }: Server, paths: readonly string[]) {
  const body = await read(port, paths[0] as string)
  await query(child, { body })
  const bare = await load(barePort, ['/bare'])
  const before = await query(child, {})
  const ours = await load(port, paths)
  const after = await query(child, {})
  const cpu = (after.cpuMicroseconds - before.cpuMicroseconds) / ours.sent
  const response = JSON.parse(body)
  return { bytes: Buffer.byteLength(body), total: response.totalResultSize ?? response.total ?? '-', bare, ours, cpu }
}

/** Sends the body that the bare route returns; returns what the server has used so far. */
async function query(child: ChildProcess, message: { body?: string }) {
  const reply = once(child, 'message')
  child.send(message)
  const [used] = await reply
  return used as { megabytes: number; cpuMicroseconds: number }
}

function line(cells: (string | number)[]): void {
  const [what = '', ...rest] = cells
  process.stdout.write(`${String(what).padEnd(30)}${rest.map((cell) => String(cell).padStart(9)).join('')}\n`)
}

async function benchSize(count: number): Promise<void> {
  const database = await createTestDatabase('empty')
  const dataDir = mkdtempSync(join(tmpdir(), 'dineback-bench-'))
  let server: Server | undefined
  try {
    await fill(database.url, count)
    const first = await startServer(database.url, dataDir)
    await stopServer(first)
    server = await startServer(database.url, dataDir)
    process.stdout.write(`\n${count} restaurants: first start ${first.startMs} ms, ${first.megabytes} MB; `)
    process.stdout.write(`from the snapshot ${server.startMs} ms, ${server.megabytes} MB in all\n`)
    line(['', 'found', 'bytes', 'bare/s', 'p50 ms', 'p99 ms', 'ours/s', 'p50 ms', 'p99 ms', 'ratio', 'CPU µs'])
    for (const [name, paths] of searchCalls(count)) {
      const { total, bytes, bare, ours, cpu } = await measure(server, paths)
      const cells = [bare, ours].flatMap(({ perSecond, p50, p99 }) => [Math.round(perSecond), p50, p99])
      line([name, total, bytes, ...cells, (ours.perSecond / bare.perSecond).toFixed(2), Math.round(cpu)])
    }
    process.stdout.write(`after all calls ${(await query(server.child, {})).megabytes} MB\n`)
  } finally {
    if (server) await stopServer(server)
    await database.drop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Measures searches of several sizes over HTTP against a bare route that returns the same bytes. */
export async function benchSearch(): Promise<void> {
  for (const size of sizes) await benchSize(size)
}

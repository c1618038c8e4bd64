import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { type AddressInfo, connect, createServer } from 'node:net'
import timers from 'node:timers/promises'
import { CompiledQuery, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DB } from '../../db/schema.ts'
import { createStore as createFormsStore } from '../../forms/store.ts'
import { throughPooler } from '../../src/app/database.ts'
import { createMember } from '../../src/identity/members/service.ts'
import { createPools, type Db, inTransaction, type Pools } from '../../src/platform/database/db.ts'
import { createDatabaseListener } from '../../src/platform/database/listen.ts'
import { ensureLogin, type LoginRequest } from '../../src/platform/database/logins.ts'
import { poolSizes } from '../../src/platform/database/pool-use.ts'
import { PreparedStatementClient } from '../../src/platform/database/prepared-statement-client.ts'
import { scopedPool } from '../../src/platform/database/scoped-pool.ts'
import { openQueue } from '../../src/platform/jobs/open-queue.ts'
import { registerPartners } from '../../src/programs/partners/store.ts'
import { createStore as createVaultStore } from '../../vault/store.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { openTestPool } from '../support/owner.ts'
import { scaled } from '../support/scale.ts'

const programs = Array.from({ length: 50 }, (_, index) => `program-${index}`)
let database: TestDatabase
let url: string
// Queues the statements that are started together, which pg 9 will reject on a client.
let owner: pg.Pool

beforeAll(async () => {
  database = await createTestDatabase('schema')
  url = await ensureLogin(database.url, { group: 'dineback_app', password: randomUUID() })
  owner = openTestPool({ connectionString: database.url, max: 1 })
  await withPools({}, async (pools) => {
    await registerPartners(pools.shared, programs)
    for (const program of programs) await inTransaction(pools.forPartner(program), (tx) => addMember(tx, program))
  })
})

afterAll(async () => {
  await owner?.end()
  await database?.drop()
})

const addMember = (tx: Parameters<typeof createMember>[0], program: string) =>
  createMember(tx, { email: `a@${program}.example`, first_name: 'Ada', last_name: program, zip_code: '10001' })

async function withPools(options: { max?: number }, work: (pools: Pools) => Promise<void>): Promise<void> {
  const pools = createPools({ url, onError: () => {}, ...options })
  try {
    await work(pools)
  } finally {
    await pools.close()
  }
}

const lastNames = async (db: Db) => {
  const rows = await db.selectFrom('members').select('last_name').execute()
  return rows.map((row) => row.last_name)
}

/** Returns the clients connected to this database, each as its state and its last query, without the one that asks. */
async function connections(): Promise<string[]> {
  const { rows } = await owner.query<{ client: string }>(
    `select concat_ws(' ', usename, state, query) as client from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  )
  return rows.map(({ client }) => client)
}

const killOne = () =>
  owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() limit 1`,
  )
const cancelOne = () =>
  owner.query(
    `select pg_cancel_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`,
  )

/** Each disturbs the connection it gets; all but the last two reject. */
const disturbances: ((db: Db) => Promise<unknown>)[] = [
  (db) => sql`select 1 / ${0}::int`.execute(db),
  (db) => sql`select nothing from nowhere where ${1} = 1`.execute(db),
  (db) => sql`select nothing from nowhere`.execute(db),
  (db) =>
    inTransaction(db, async (tx) => {
      await lastNames(tx)
      throw new Error('given up')
    }),
  (db) => inTransaction(db, (tx) => Promise.all([lastNames(tx), sql`select 1 / ${0}::int`.execute(tx)])),
  (db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db),
  (db) => inTransaction(db, (tx) => sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)`.execute(tx)),
  () => killOne(),
  () => cancelOne(),
]

/** The number of reads at a time. If all waited for a connection, a slow machine would give up most of them. */
const readers = 500

/**
 * Reads from all programs among disturbances; returns the reads of other programs' rows, and the number of rows read.
 */
async function strangersSeen(of: { forPartner(program: string): Db; shared: Db }, reads: number) {
  const strangers: string[] = []
  let seen = 0
  const note = (names: string[], own: string | null) => {
    seen += names.length
    for (const name of names) if (name !== own) strangers.push(`${own} saw ${name}`)
  }
  let next = 0
  const readOn = async () => {
    for (let index = next++; index < reads; index = next++) {
      const program = programs[(index * 7) % programs.length] as string
      const db = of.forPartner(program)
      try {
        if (index % 11 === 0) await disturbances[(index / 11) % disturbances.length]?.(db)
        else if (index % 5 === 0) note(await lastNames(of.shared), null)
        else if (index % 3 === 0) note(await inTransaction(db, (tx) => lastNames(tx)), program)
        else note(await lastNames(db), program)
      } catch {
        // A failed query has returned nothing.
      }
    }
  }
  await Promise.all(Array.from({ length: readers }, readOn))
  return { strangers, seen }
}

test('Case 18 fifty programs on one pool never see a row of another, despite errors, canceled queries and killed connections', async () => {
  await withPools({ max: 4 }, async (pools) => {
    const reads = scaled({ full: 40_000, short: 1_000 })
    const { strangers, seen } = await strangersSeen(pools, reads)
    expect(strangers).toEqual([])
    expect(seen).toBeGreaterThan(reads / 4)
    // A connection that was killed last may be detected only now.
    const again = async <T>(read: () => Promise<T>) => read().catch(read).catch(read).catch(read).catch(read)
    for (const program of programs) {
      expect(await again(() => lastNames(pools.forPartner(program)))).toEqual([program])
    }
    expect(await again(() => lastNames(pools.shared))).toEqual([])
  })
})

test('Case 18 counterpart: a pool that leaves the program on its connections fails the same reads', async () => {
  const pool = openTestPool({ connectionString: url, max: 4 })
  // Sets the program on the connection, and does not reset it for queries without one.
  const leaky = (program: string) => {
    const leaking: PostgresPool = {
      options: pool.options,
      async connect() {
        const client = await pool.connect()
        try {
          if (program) await client.query("select set_config('dineback.partner', $1, false)", [program])
          return client as unknown as PostgresPoolClient
        } catch (error) {
          client.release(true)
          throw error
        }
      },
      end: async () => {},
    }
    return new Kysely<DB>({ dialect: new PostgresDialect({ pool: leaking }) })
  }
  try {
    const { strangers } = await strangersSeen({ forPartner: leaky, shared: leaky('') }, 1_000)
    expect(strangers.length).toBeGreaterThan(0)
  } finally {
    await pool.end()
  }
})

test('Case 18 a program that was left on a connection has no effect', async () => {
  await withPools({ max: 1 }, async (pools) => {
    await sql`select set_config('dineback.partner', 'program-1', false)`.execute(pools.shared)
    expect(await lastNames(pools.shared)).toEqual([])
    expect(await inTransaction(pools.shared, (tx) => lastNames(tx))).toEqual([])
    expect(await lastNames(pools.forPartner('program-2'))).toEqual(['program-2'])
    expect(await inTransaction(pools.forPartner('program-3'), (tx) => lastNames(tx))).toEqual(['program-3'])
  })
})

test('no program stays on a connection after a statement or a transaction, as a transaction pooler requires', async () => {
  const pool = openTestPool({
    connectionString: url,
    max: 1,
    pipeline: true,
    Client: PreparedStatementClient,
  } as pg.PoolConfig)
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: scopedPool(pool, 'program-1') }) })
  try {
    const uses = [() => lastNames(db), () => inTransaction(db, lastNames), ...disturbances.slice(0, 5)]
    for (const use of uses) {
      await use(db).catch(() => {})
      const { rows } = await pool.query('select current_partner() as left, txid_current_if_assigned() as open')
      expect(rows).toEqual([{ left: null, open: null }])
    }
    // The same connection was used for all of it.
    expect(pool.totalCount).toBe(1)
  } finally {
    await pool.end()
  }
})

test('Case 18 a statement fails when its program could not be set, and works again on the same connection', async () => {
  await withPools({ max: 1 }, async (pools) => {
    const db = pools.forPartner('program-1')
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    const before = await pid()
    const read = () => db.selectFrom('members').select('last_name').where('zip_code', '=', '10001').execute()
    // Removes the prepared statement that sets the program from the server. The read must then fail instead of silently
    // returning no rows.
    await sql`deallocate all`.execute(db)
    await expect(read()).rejects.toThrow(/prepared statement .* does not exist/)
    expect(await read()).toEqual([{ last_name: 'program-1' }])
    expect(await pid()).toBe(before)
  })
})

test('a connection with an open transaction is closed', async () => {
  await withPools({ max: 1 }, async (pools) => {
    const db = pools.forPartner('program-1')
    const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid
    const before = await pid()
    await db.connection().execute((connection) => connection.executeQuery(CompiledQuery.raw('begin')))
    expect(await pid()).not.toBe(before)
    expect(await lastNames(pools.shared)).toEqual([])
  })
})

test('the pool connects through a transaction pooler, and LISTEN does not', async () => {
  const target = new URL(url)
  let taken = 0
  const pooler = createServer((socket) => {
    taken++
    const server = connect(Number(target.port), '127.0.0.1')
    for (const side of [socket, server]) side.on('error', () => {})
    socket.pipe(server).pipe(socket)
  })
  pooler.listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const { port } = pooler.address() as AddressInfo
  const poolUrl = throughPooler(url, `127.0.0.1:${port}`)
  expect(poolUrl).toBe(url.replace(target.host, `127.0.0.1:${port}`))
  const pools = createPools({ url, poolUrl, max: 1 })
  try {
    expect(await lastNames(pools.forPartner('program-1'))).toEqual(['program-1'])
    expect(taken).toBe(1)
    expect(pools.url).toBe(url)
  } finally {
    await pools.close()
    pooler.close()
  }
})

describe('a lost LISTEN connection', () => {
  /** Records the waits between connections, which take no time. */
  function recordWaits(): number[] {
    const waits: number[] = []
    const wait = async (ms = 0) => {
      waits.push(ms)
      await new Promise(setImmediate)
    }
    vi.spyOn(timers, 'setTimeout').mockImplementation(wait as typeof timers.setTimeout)
    syncBuiltinESMExports()
    return waits
  }

  afterEach(() => {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  })

  test('is opened again after waits that grow to 15 seconds', async () => {
    const waits = recordWaits()
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((done) => closed.close(done))
    const listener = createDatabaseListener({ url: throughPooler(url, `127.0.0.1:${port}`), log: { warn: () => {} } })
    await vi.waitFor(() => expect(waits.length).toBeGreaterThan(8), 20_000)
    await listener.close()
    expect(waits.slice(0, 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000])
  })

  test('is opened again after the first wait, however often it was lost before', async () => {
    const waits = recordWaits()
    let opened = 0
    const listener = createDatabaseListener({ url, log: { warn: () => {} } })
    listener.on('nothing', (payload) => {
      if (payload === null) opened++
    })
    for (let times = 1; times <= 3; times++) {
      await vi.waitFor(() => expect(opened).toBe(times), 20_000)
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query = 'listen "nothing"'`,
      )
    }
    await vi.waitFor(() => expect(opened).toBe(4), 20_000)
    await listener.close()
    expect(waits.slice(0, 3)).toEqual([250, 250, 250])
  })
})

describe('the connection for notifications, while it is open,', () => {
  test('takes on further channels and listeners, and gives each notification to the listeners of its channel', async () => {
    const received: string[] = []
    const listener = createDatabaseListener({ url, log: { warn: () => {} } })
    const note = (name: string) => (payload: string | null) => received.push(`${name} ${payload}`)
    listener.on('first', note('a'))
    await vi.waitFor(() => expect(received).toEqual(['a null']), 20_000)
    listener.on('second', note('b'))
    listener.on('Third', note('c'))
    await vi.waitFor(() => expect(received).toEqual(['a null', 'b null', 'c null']), 20_000)
    listener.on('first', note('d'))
    for (const channel of ['second', 'Third', 'first', 'fourth'])
      await owner.query('select pg_notify($1, $2)', [channel, `to ${channel}`])
    await vi.waitFor(() => expect(received).toHaveLength(7), 20_000)
    expect(received.slice(3)).toEqual(['b to second', 'c to Third', 'a to first', 'd to first'])
    await listener.close()
  })
})

test('the sessions of every login use UTC, whatever the time zone of the database', async () => {
  const name = decodeURIComponent(new URL(database.url).pathname.slice(1))
  await owner.query(`alter database ${name} set timezone to 'Asia/Tokyo'`)
  const groups = ['dineback_vault', 'dineback_forms', 'dineback_console'] as const
  const others = groups.map((group) => ensureLogin(database.url, { group, password: 'zone' }))
  for (const connectionString of [url, ...(await Promise.all(others))]) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    const { rows } = await client.query('select current_user as login, current_setting($1) as zone', ['timezone'])
    await client.end()
    expect(rows).toEqual([{ login: new URL(connectionString).username, zone: 'UTC' }])
  }
})

test('four processes with fifty programs under load fit into 100 PostgreSQL connections', async () => {
  const secret = randomUUID()
  const login = (group: LoginRequest['group']) => ensureLogin(database.url, { group, password: secret })
  const [vaultUrl, formsUrl, consoleUrl] = [
    await login('dineback_vault'),
    await login('dineback_forms'),
    await login('dineback_console'),
  ]
  const noLog = () => {}
  // The server may still be ending the connections of the tests before. The listeners below open one each at once.
  await vi.waitFor(async () => expect(await connections()).toEqual([]), 20_000)
  const processes = Array.from({ length: 4 }, () => ({
    app: createPools({ url, onError: noLog }),
    console: createPools({ url: consoleUrl, max: poolSizes.console, name: 'console', onError: noLog }),
    vault: createVaultStore(vaultUrl, noLog),
    forms: createFormsStore(formsUrl, noLog),
    jobs: openQueue(url),
    notices: createDatabaseListener({ url, log: { warn: noLog } }),
  }))
  const { app, console: operators, vault, forms, jobs } = poolSizes
  const budget = 4 * (app + operators + vault + forms + jobs + 1)
  await Promise.all(processes.map((each) => each.jobs.boss.start()))
  try {
    let isOver = false
    const load = Promise.all(
      processes.flatMap((each) => {
        each.notices.on('nothing', noLog)
        // Four times a hundred: more would wait for a connection longer than its pool allows on a slow machine.
        return Array.from({ length: 100 }, async (_, index) => {
          for (let round = 0; round < 4; round++) {
            const program = programs[(index + 100 * round) % programs.length] as string
            expect(await lastNames(each.app.forPartner(program))).toEqual([program])
            await inTransaction(each.app.forPartner(program), (tx) => lastNames(tx))
            await sql`select ${1}::int`.execute(each.console.forPartner(program))
            await each.vault.liveIntent(randomUUID())
            await each.forms.findUndelivered(randomUUID())
            await each.jobs.boss.findJobs('emails', { id: randomUUID() })
          }
        })
      }),
    ).finally(() => {
      isOver = true
    })
    let maxSeen = 0
    while (!isOver) maxSeen = Math.max(maxSeen, (await connections()).length)
    await load
    // All of the app's connections were in use at once, so the count is the maximum.
    expect(maxSeen).toBeGreaterThanOrEqual(4 * app)
    expect(maxSeen).toBeLessThanOrEqual(budget)
    // Three are reserved for superusers; the remaining ones serve migrations, backups, commands and people.
    expect(budget).toBeLessThanOrEqual(100 - 3 - 10)
  } finally {
    await Promise.all(
      processes.flatMap((each) =>
        [each.app, each.console, each.vault, each.forms, each.jobs, each.notices].map((one) => one.close()),
      ),
    )
  }
})

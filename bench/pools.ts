import { randomUUID } from 'node:crypto'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from '../db/schema.ts'
import { createMember } from '../src/identity/members/service.ts'
import { createPools, type Db, inTransaction, type Pools } from '../src/platform/database/db.ts'
import { ensureLogin } from '../src/platform/database/logins.ts'
import { PreparedStatementClient } from '../src/platform/database/prepared-statement-client.ts'
import { registerPartners } from '../src/programs/partners/store.ts'
import { createTestDatabase } from '../tests/support/database.ts'

const seconds = Number(process.env.SECONDS ?? 8)
/** Both sides alternate in short turns, because the speed of a machine changes within a second. */
const turns = 60
const programs = Array.from({ length: 6 }, (_, index) => `program-${index}`)

const print = (line: string) => process.stdout.write(`${line}\n`)

/** The baseline of the comparison: one pool per partner, set by a start-up option of its connections. */
function poolPerPartner(url: string, max: number): Pick<Pools, 'forPartner' | 'close'> {
  const open = new Map<string, Db>()
  return {
    forPartner(partnerId) {
      const known = open.get(partnerId)
      if (known) return known
      const config = { connectionString: url, max, pipeline: true, Client: PreparedStatementClient }
      const pool = new pg.Pool({ ...config, options: `-c dineback.partner=${partnerId}` } as pg.PoolConfig)
      const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
      open.set(partnerId, db)
      return db
    },
    async close() {
      await Promise.all([...open.values()].map((db) => db.destroy()))
    },
  }
}

type Side = Pick<Pools, 'forPartner' | 'close'>
type Work = (db: Db, memberId: number) => Promise<unknown>

const pointRead: Work = (db, memberId) =>
  db.selectFrom('members').select(['id', 'email', 'first_name']).where('id', '=', memberId).executeTakeFirstOrThrow()

const twoReads: Work = (db, memberId) =>
  inTransaction(db, (tx) =>
    Promise.all([
      tx.selectFrom('members').select('email').where('id', '=', memberId).executeTakeFirstOrThrow(),
      tx.selectFrom('cards').select('id').where('member_id', '=', memberId).execute(),
    ]),
  )

const smallWrite: Work = (db, memberId) =>
  inTransaction(db, async (tx) => {
    await tx.selectFrom('members').select('id').where('id', '=', memberId).forUpdate().executeTakeFirstOrThrow()
    await tx.updateTable('members').set({ zip_code: '10001' }).where('id', '=', memberId).execute()
  })

const loads = [
  { name: 'point reads, one at a time, one program', work: pointRead, senders: 1, count: 1 },
  { name: 'point reads, 8 at once, one program', work: pointRead, senders: 8, count: 1 },
  { name: 'point reads, 8 at once, six programs', work: pointRead, senders: 8, count: 6 },
  { name: 'point reads, 48 at once, six programs', work: pointRead, senders: 48, count: 6 },
  { name: 'two reads in a transaction, 8 at once', work: twoReads, senders: 8, count: 6 },
  { name: 'small writes, one at a time, one program', work: smallWrite, senders: 1, count: 1 },
  { name: 'small writes, 8 at once, six programs', work: smallWrite, senders: 8, count: 6 },
  { name: 'small writes, 48 at once, six programs', work: smallWrite, senders: 48, count: 6 },
]

/** Compares the cost of one pool for all partners with one pool per partner. */
export async function benchPools(): Promise<void> {
  const database = await createTestDatabase('schema')
  const url = await ensureLogin(database.url, { group: 'dineback_app', password: randomUUID() })
  const ours = createPools({ url })
  const others = poolPerPartner(url, 8)
  try {
    await registerPartners(ours.shared, programs)
    const members = new Map<string, number[]>()
    for (const program of programs) members.set(program, await addMembers(ours.forPartner(program), program))
    const rate = async (side: Side, { work, senders, count }: (typeof loads)[number], lasting: number) => {
      const until = performance.now() + lasting * 1000
      let done = 0
      const send = async (sender: number) => {
        const program = programs[sender % count] as string
        const own = members.get(program) as number[]
        const db = side.forPartner(program)
        // Each has its own member, so that writers do not wait for each other.
        while (performance.now() < until) {
          await work(db, own[sender] as number)
          done++
        }
      }
      await Promise.all(Array.from({ length: senders }, (_, sender) => send(sender)))
      return done / lasting
    }
    for (const load of loads) {
      const pairs: [number, number][] = []
      await rate(ours, load, 0.5)
      await rate(others, load, 0.5)
      for (let turn = 0; turn < turns; turn++) {
        const lasting = seconds / turns
        // The order alternates, because the second one runs on a warmer machine.
        if (turn % 2 === 0) {
          const first = await rate(ours, load, lasting)
          pairs.push([first, await rate(others, load, lasting)])
        } else {
          const first = await rate(others, load, lasting)
          pairs.push([await rate(ours, load, lasting), first])
        }
      }
      const ratios = pairs.map(([own, other]) => own / other).sort((a, b) => a - b)
      const mean = (side: 0 | 1) => Math.round(pairs.reduce((sum, pair) => sum + pair[side], 0) / turns)
      print(
        `${load.name.padEnd(42)} one pool ${String(mean(0)).padStart(6)}/s   a pool each ${String(mean(1)).padStart(6)}/s` +
          `   ratio ${(mean(0) / mean(1)).toFixed(2)}, median of turns ${(ratios[turns / 2] as number).toFixed(2)}`,
      )
    }
  } finally {
    await Promise.all([ours.close(), others.close()])
    await database.drop()
  }
}

function addMembers(db: Db, program: string): Promise<number[]> {
  return inTransaction(db, async (tx) => {
    const ids: number[] = []
    for (let index = 0; index < 50; index++) {
      const email = `${index}@${program}.example`
      await createMember(tx, { email, first_name: 'Ada', last_name: program, zip_code: '10001' })
      const { id } = await tx.selectFrom('members').select('id').where('email', '=', email).executeTakeFirstOrThrow()
      ids.push(id)
    }
    return ids
  })
}

import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DB } from '../../db/schema.ts'
import {
  acquireAdvisoryLock,
  createPools,
  type Db,
  inTransaction,
  type Tx,
  violatedConstraint,
} from '../../src/platform/database/db.ts'
import { insertRows, rowSource, updateRows } from '../../src/platform/database/rows.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let pools: ReturnType<typeof createPools>
let db: Db

// A standalone table without a program.
const plates = 'plates' as keyof DB
const columns = { name: 'text', cents: 'bigint', at: 'timestamptz', food: 'jsonb', said: 'json' }

beforeAll(async () => {
  database = await createTestDatabase('empty')
  pools = createPools({ url: database.url, max: 2 })
  db = pools.shared
  await sql`create table plates (id bigint generated always as identity primary key,
    name text unique, cents bigint, at timestamptz, food jsonb, said json)`.execute(db)
}, 0)

afterAll(async () => {
  await pools.close()
  await database.drop()
}, 0)

beforeEach(async () => {
  await sql`truncate plates`.execute(db)
})

const add = (tx: Db | Tx, name: string) => sql`insert into plates (name) values (${name})`.execute(tx)
const names = async () => {
  const { rows } = await sql<{ name: string }>`select name from plates order by id`.execute(db)
  return rows.map(({ name }) => name)
}

describe('a transaction', () => {
  test('returns to each query started together its own result, in order', async () => {
    const results = await inTransaction(db, (tx) =>
      Promise.all(
        Array.from({ length: 50 }, async (_, at) => {
          await add(tx, `plate ${at}`)
          return (await sql<{ at: number }>`select ${at}::int as at`.execute(tx)).rows[0]?.at
        }),
      ),
    )
    expect(results).toEqual(Array.from({ length: 50 }, (_, at) => at))
    expect(await names()).toEqual(Array.from({ length: 50 }, (_, at) => `plate ${at}`))
  })

  test('is tried three times when it conflicts with another one, and once with any other error', async () => {
    const tries = async (code: string, failures: number) => {
      let count = 0
      const outcome = await inTransaction(db, async () => {
        count++
        if (count <= failures) throw Object.assign(new Error('conflict'), { code })
        return 'done'
      }).catch(({ message }: Error) => message)
      return [outcome, count]
    }
    for (const code of ['40001', '40P01'])
      expect([await tries(code, 2), await tries(code, 3)]).toEqual([
        ['done', 3],
        ['conflict', 3],
      ])
    expect(await tries('23505', 1)).toEqual(['conflict', 1])
  })

  test('waits for a lock for five seconds, and no statement or idle transaction lasts much longer', async () => {
    const names = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout']
    const { rows } = await sql<{ setting: string }>`
      select current_setting(name) as setting from unnest(${names}::text[]) with ordinality as n(name, at) order by at`.execute(
      db,
    )
    expect(rows.map(({ setting }) => setting)).toEqual(['5s', '8s', '15s'])
  })

  test('sends queries that are started together without waiting for a response', async () => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query(`select pg_advisory_lock(hashtextextended('orders', 0))`)
    const sent = vi.spyOn(pg.Client.prototype, 'query')
    const work = inTransaction(db, (tx) => Promise.all([acquireAdvisoryLock(tx, 'orders'), add(tx, 'soup')]))
    // The lock is held elsewhere: the insert waits behind it in PostgreSQL, not in this process.
    await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(3))
    sent.mockRestore()
    await holder.end()
    await work
    expect(await names()).toEqual(['soup'])
  })

  test('rolls back what was started beside a query that fails', async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const work = inTransaction(db, async (tx) => {
        const chain = async (name: string) => {
          for (let link = 0; link < 10; link++) await add(tx, `${name} ${attempt} ${link}`)
        }
        await Promise.all([chain('a'), chain('b'), add(tx, 'twice').then(() => add(tx, 'twice')), chain('c')])
      })
      await expect(work).rejects.toMatchObject({ code: '23505' })
      expect(await names()).toEqual([])
    }
  })

  test('rolls back queries that outlive its work, and rejects later ones', async () => {
    let late: Promise<unknown> = Promise.resolve()
    const work = inTransaction(db, async (tx) => {
      late = add(tx, 'first').then(() => add(tx, 'second'))
      late.catch(() => {})
      throw new Error('the cook went home')
    })
    await expect(work).rejects.toThrow('the cook went home')
    await expect(late).rejects.toThrow('a query was started after its transaction had ended')
    expect(await names()).toEqual([])
  })

  test('fails if one of its queries failed, even when the work ignores the error', async () => {
    const work = inTransaction(db, async (tx) => {
      await add(tx, 'soup')
      await sql`select 1 / 0`.execute(tx).catch(() => {})
    })
    await expect(work).rejects.toThrow('the transaction has already failed')
    expect(await names()).toEqual([])
    // The connection is reusable.
    await inTransaction(db, (tx) => add(tx, 'bread'))
    expect(await names()).toEqual(['bread'])
  })

  test('whose connection is lost fails, and the next one gets another connection', async () => {
    const work = inTransaction(db, async (tx) => {
      await add(tx, 'soup')
      await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
      await add(tx, 'bread')
    })
    await expect(work).rejects.toThrow()
    await inTransaction(db, (tx) => add(tx, 'cheese'))
    expect(await names()).toEqual(['cheese'])
  })
})

describe('inserting and updating rows', () => {
  const at = new Date('2026-03-04T05:06:07.089Z')
  const awkward = ['', ' ', 'NULL', 'null', '{}', '{"a","b"}', 'a,b', '"', '\\', '\\"', "it's", 'Zoë 🍜\n\ttab', '{']
  const rows = awkward.map((name, index) => ({
    name,
    cents: index % 2 ? index : null,
    at: index % 3 ? at : undefined,
    food: { name, nested: [null, { name }] },
    said: [name],
  }))

  test('stores every value unchanged, with any characters', async () => {
    await insertRows(db, plates, columns, rows)
    const { rows: stored } = await sql`select name, cents, at, food, said from plates order by id`.execute(db)
    expect(stored).toEqual(rows.map((row) => ({ ...row, at: row.at ?? null })))
  })

  test('updates rows by their ids and no other', async () => {
    await insertRows(db, plates, columns, rows)
    const { rows: stored } = await sql<{ id: number; name: string }>`select id, name from plates order by id`.execute(
      db,
    )
    const changed = stored.slice(3).map(({ id, name }) => ({ id, name: `new ${name}`, cents: 7 }))
    await updateRows(db, plates, { name: 'text', cents: 'bigint' }, changed)
    expect(await names()).toEqual(awkward.map((name, index) => (index < 3 ? name : `new ${name}`)))
  })

  test('handles an empty list', async () => {
    await insertRows(db, plates, columns, [])
    const { rows: none } = await sql`select * from ${rowSource([], columns)}`.execute(db)
    expect(none).toEqual([])
  })
})

test.each([
  ['23505', 'a unique constraint'],
  ['23P01', 'an exclusion constraint'],
  ['23503', 'a foreign key'],
  ['23514', 'a check'],
])('an error %s names %s, and other errors name none', (code, constraint) => {
  expect(violatedConstraint({ code, constraint })).toBe(constraint)
  expect(violatedConstraint({ code: '40001', constraint })).toBeNull()
  expect(violatedConstraint(new Error('no connection'))).toBeNull()
})

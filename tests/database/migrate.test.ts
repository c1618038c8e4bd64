import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let directory: string

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'dineback-migrations-'))
  database = await createTestDatabase('empty')
}, 0)

afterEach(async () => {
  await database.drop()
  rmSync(directory, { recursive: true, force: true })
}, 0)

const file = (name: string, sql: string) => writeFileSync(join(directory, name), sql)
const run = () => migrate({ url: database.url, directory, log: () => {} })

async function count(table: string): Promise<number> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query(`select count(*)::int as n from ${table}`)).rows[0].n
  } finally {
    await client.end()
  }
}

const forever = { timeout: 0 }

test('files are applied in order, once', forever, async () => {
  file('0002-more.sql', 'insert into plates values (1)')
  file('0001-plates.sql', 'create table plates (n int)')
  expect(await run()).toEqual({ applied: ['0001-plates.sql', '0002-more.sql'] })
  expect(await run()).toEqual({ applied: [] })
  expect(await count('plates')).toBe(1)
})

test('two concurrent runs apply each file once', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int); select pg_sleep(0.1); insert into plates values (1)')
  const results = await Promise.all([run(), run(), run()])
  expect(results.flatMap(({ applied }) => applied)).toEqual(['0001-plates.sql'])
  expect(await count('plates')).toBe(1)
})

test('a file that changed after it was applied is rejected', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  await run()
  file('0001-plates.sql', 'create table plates (n bigint)')
  await expect(run()).rejects.toThrow('0001-plates.sql was changed after it had been applied')
})

test('other line endings are not a change', forever, async () => {
  file('0001-plates.sql', 'create table plates (\n  n int\n)')
  await run()
  file('0001-plates.sql', 'create table plates (\r\n  n int\r\n)')
  expect(await run()).toEqual({ applied: [] })
})

test('a missing number is accepted, because ranges of numbers are reserved', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  file('0003-cups.sql', 'create table cups (n int)')
  expect(await run()).toEqual({ applied: ['0001-plates.sql', '0003-cups.sql'] })
})

test('a duplicate number and an invalid name are rejected before anything runs', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  file('0001-twice.sql', 'select 1')
  await expect(run()).rejects.toThrow('0001-twice.sql: number 1 is used twice')
  renameSync(join(directory, '0001-twice.sql'), join(directory, 'notes.sql'))
  await expect(run()).rejects.toThrow('notes.sql is not named')
  await expect(count('plates')).rejects.toThrow('does not exist')
})

test('a file that comes before an applied one is rejected', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  file('0003-late.sql', 'select 1')
  await run()
  file('0002-between.sql', 'select 1')
  await expect(run()).rejects.toThrow('the database has 0003-late.sql')
})

test('a database with migrations that are not among the files is rejected', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  file('0002-cups.sql', 'create table cups (n int)')
  await run()
  rmSync(join(directory, '0002-cups.sql'))
  await expect(run()).rejects.toThrow('the database has 0002-cups.sql')
})

test('a file that fails changes nothing and names its line, and those before it stay applied', forever, async () => {
  file('0001-plates.sql', 'create table plates (n int)')
  file('0002-wrong.sql', 'insert into plates values (1);\ninsert into nowhere values (1)')
  await expect(run()).rejects.toThrow('0002-wrong.sql, line 2: relation "nowhere" does not exist')
  expect(await count('plates')).toBe(0)
  file('0002-wrong.sql', 'insert into plates values (2)')
  expect(await run()).toEqual({ applied: ['0002-wrong.sql'] })
})

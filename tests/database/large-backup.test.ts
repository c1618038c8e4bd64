import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { backUp } from '../../src/backup/back-up.ts'
import { checkArchive, readRows } from '../../src/backup/read-archive.ts'
import { appendEntry, endArchive, readEntries } from '../../src/backup/tar.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'

let database: TestDatabase
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dineback-large-'))
  database = await createTestDatabase('schema')
})
afterAll(async () => {
  await database?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('a large table is written in several parts, and read as one', async () => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `create table large as select n, repeat(md5(n::text), 93750) as text from generate_series(1, 5) n;
     create table later as select 'after' as text`,
  )
  await client.end()
  const file = join(folder, 'large.tar')
  const secrets = { APP_SECRET: 'a secret' }
  const made = await backUp({ url: database.url, file, fingerprints: {}, secrets, log: () => {} })
  const archive = await open(file)
  const names: string[] = []
  for await (const { name } of readEntries(archive)) names.push(name)
  await archive.close()
  // Each part but the last has at least four of the fifteen megabytes.
  const parts = names.filter((name) => name.startsWith('tables/public.large/'))
  expect([2, 3, 4]).toContain(parts.length)
  expect(parts).toEqual(parts.map((_, index) => `tables/public.large/00000${index + 1}.copy.gz`))
  const { manifest, secrets: archived } = await checkArchive(file)
  expect([manifest, archived]).toEqual([made, secrets])
  const read = new Map<string, string>()
  await readRows(file, manifest, async ({ name }, text) => {
    let all = ''
    for await (const part of text) all += part
    read.set(name, all)
  })
  const rows = read.get('large')?.trimEnd().split('\n') ?? []
  expect(rows.map((row) => [row.slice(0, 10), row.length])).toEqual(
    ['1\tc4ca4238', '2\tc81e728d', '3\teccbc87e', '4\ta87ff679', '5\te4da3b7f'].map((start) => [start, 3_000_002]),
  )
  expect(read.get('later')).toBe('after\n')
})

test('a backup has the rows of one moment, and none that were added while it was made', async () => {
  const [writer, watcher] = [new pg.Client(database.url), new pg.Client(database.url)]
  await Promise.all([writer.connect(), watcher.connect()])
  await writer.query('create table early (n int); create table late (n int); insert into late values (1)')
  await writer.query('begin; lock table late in access exclusive mode')
  const making = backUp({
    url: database.url,
    file: join(folder, 'moment.tar'),
    fingerprints: {},
    secrets: null,
    log: () => {},
  })
  await vi.waitFor(async () => {
    const { rowCount } = await watcher.query("select from pg_locks where relation = 'late'::regclass and not granted")
    expect(rowCount).toBe(1)
  }, 20_000)
  await writer.query('insert into early values (1); insert into late values (2); commit')
  const { tables } = await making
  const count = (table: string) => tables.find(({ name }) => name === table)?.rows
  expect([count('early'), count('late')]).toEqual([0, 1])
  await Promise.all([writer.end(), watcher.end()])
})

test('an archive with rows that its manifest does not name is rejected', async () => {
  const [file, other] = [join(folder, 'named.tar'), join(folder, 'unnamed.tar')]
  await backUp({ url: database.url, file, fingerprints: {}, secrets: null, log: () => {} })
  const [source, target] = [await open(file), await open(other, 'wx')]
  await appendEntry(target, { name: 'tables/public.extra/000001.copy.gz', data: gzipSync('1\n') })
  for await (const entry of readEntries(source)) await appendEntry(target, entry)
  await endArchive(target)
  await Promise.all([source.close(), target.close()])
  await expect(checkArchive(other)).rejects.toThrow('tables/public.extra/ is not in the manifest')
})

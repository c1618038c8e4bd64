import { execFile, execFileSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { assertSameSecrets, fingerprintsOf, readCurrentSecrets } from '../../src/app/backup-secrets.ts'
import { migrationsDirectory } from '../../src/app/database.ts'
import { backUp } from '../../src/backup/back-up.ts'
import type { Manifest } from '../../src/backup/manifest.ts'
import { checkArchive } from '../../src/backup/read-archive.ts'
import { restore } from '../../src/backup/restore.ts'
import { assertRoles, ensureLogin } from '../../src/platform/database/logins.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { onServer, startFreshServer } from '../support/fresh-server.ts'
import { linkCard } from '../support/members.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'
import { runCommand } from '../support/run-command.ts'

type Server = Awaited<ReturnType<typeof startFreshServer>>
type Urls = Awaited<ReturnType<Server['addDatabase']>>

let source: Server
let target: Server
let from: Urls
let app: TestApp
let folder: string
let file: string
let manifest: Manifest
let member: CardMember
let transactions: unknown[]
/** A copy of the data folder of the installation that is backed up. */
let home: string
let original: Map<string, string[]>

const email = 'restored@example.com'
const password = 'sourdough 4 breakfast'
const noLog = () => {}

/** Returns every row of every table as text, sorted, read as a superuser who bypasses row-level security. */
async function allRows(url: string): Promise<Map<string, string[]>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query("set row_security = off; set timezone = 'UTC'")
    const tables = await client.query<{ name: string }>(`
      select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_|^information_schema$' order by 1`)
    const rows = new Map<string, string[]>()
    for (const { name } of tables.rows) {
      const found = await client.query<{ row: string }>(`select t::text as row from ${name} t order by 1`)
      rows.set(
        name,
        found.rows.map(({ row }) => row),
      )
    }
    return rows
  } finally {
    await client.end()
  }
}

/** Returns constraints, triggers, policies, rights and sequences. */
function readSchema(url: string): Promise<unknown[][]> {
  return onServer(
    url,
    `select 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), convalidated::text
       from pg_constraint where connamespace <> 'pg_catalog'::regnamespace and connamespace <> 'information_schema'::regnamespace
     union all select 'trigger', tgrelid::regclass::text, tgname, pg_get_triggerdef(oid), tgenabled::text
       from pg_trigger where not tgisinternal
     union all select 'policy', tablename, policyname, coalesce(qual, '') || coalesce(with_check, ''), roles::text || cmd from pg_policies
     union all select 'table', oid::regclass::text, coalesce(relacl::text, ''), relrowsecurity::text, relforcerowsecurity::text
       from pg_class where relkind in ('r', 'p') and relnamespace::regnamespace::text !~ '^pg_|^information_schema$'
     union all select 'sequence', schemaname || '.' || sequencename, coalesce(last_value::text, 'unused'), '', '' from pg_sequences
     order by 1, 2, 3, 4, 5`,
  )
}

beforeAll(async () => {
  ;[source, target] = await Promise.all([startFreshServer(), startFreshServer()])
  folder = mkdtempSync(join(tmpdir(), 'dineback-backup-'))
  file = join(folder, 'nightly.tar')
  from = await source.addDatabase()
  app = await startTestApp({ DATABASE_URL: from.owner, PROGRAMS_DIR: 'programs' })
  member = await createCardMember(app, 'skyharbor', { email })
  await member.sendTransaction('clearing', '42.10')
  await (await createCardMember(app, 'orchard')).sendTransaction('clearing', '18.20')
  transactions = await member.listTransactions()
  // Texts that could break a format of lines and columns.
  await onServer(
    from.superuser,
    `update members set address1 = E'1\\tMain\\\\N\\nStreet \\\\. "é"\\r', last_name = '\\N' where email = '${email}'`,
  )
  home = join(folder, 'installation')
  cpSync(app.dataDir, home, { recursive: true })
  // Background jobs would continue to change rows.
  await app.stop()
  // No migration creates the partitions of earlier months.
  await onServer(
    from.owner,
    `create table impressions_2025_01 partition of impressions for values from ('2025-01-01') to ('2025-02-01');
     call enable_tenant_isolation('impressions_2025_01')`,
  )
  // The job queue has partitions of the day on which its migration ran, which is another one when a backup is restored.
  const oldDays = await onServer(
    from.owner,
    "select string_agg(inhrelid::regclass::text, ', ') from pg_inherits where inhparent = 'jobs.queue_stats'::regclass",
  )
  await onServer(
    from.owner,
    `drop table ${oldDays[0]?.[0]};
     create table jobs.queue_stats_20250601 partition of jobs.queue_stats
       for values from ('2025-06-01 00:00:00+00') to ('2025-06-02 00:00:00+00')`,
  )
  manifest = await backUp({
    url: from.owner,
    file,
    fingerprints: fingerprintsOf(readCurrentSecrets({}, home)),
    secrets: null,
    log: noLog,
  })
  original = await allRows(from.superuser)
})

afterAll(async () => {
  await Promise.all([source?.stop(), target?.stop()])
  rmSync(folder, { recursive: true, force: true })
})

const restoreInto = (url: string, over: Partial<Parameters<typeof restore>[0]> = {}) =>
  restore({ url, file, manifest, directory: migrationsDirectory, replace: false, log: noLog, ...over })

describe('a backup by an owner who is not a superuser', () => {
  test('can be restored on a server without any of our roles, has the same rows, and the app continues with it', async () => {
    const to = await target.addDatabase()
    await restoreInto(to.owner)
    const restored = await allRows(to.superuser)
    expect([...restored.keys()]).toEqual([...original.keys()])
    for (const [table, rows] of restored) expect([table, rows]).toEqual([table, original.get(table)])
    expect(await readSchema(to.superuser)).toEqual(await readSchema(from.superuser))
    // Includes rows of several programs, money and content; comparing empty tables would prove nothing.
    for (const table of [
      'members',
      'postings',
      'content_versions',
      'vault.cards',
      'schema_migrations',
      'audit_entries',
    ]) {
      expect([table, restored.get(table)?.length]).not.toEqual([table, 0])
    }
    const programs = await onServer(to.superuser, 'select count(distinct partner_id)::int from content_versions')
    expect(programs[0]?.[0]).toBeGreaterThan(4)

    const { APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET } = app.settings
    const again = await startTestApp({ DATABASE_URL: to.owner, APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET })
    try {
      const visitor = visit(again, 'skyharbor')
      const signIn = await visitor.change('POST', '/api/SignIn', { userName: email, password })
      expect(signIn.status).toBe(200)
      const before = (await visitor.get('/api/Member/Transactions')).json().data
      expect(before).toEqual(transactions)
      // The card that was linked before the backup earns with the next transaction.
      const { cards } = (await visitor.get('/api/staging/cards')).json()
      const transaction = { cardId: cards[0].id, merchantId: member.merchant.slug, amount: '10.00', event: 'clearing' }
      expect((await visitor.change('POST', '/api/staging/dine', transaction)).status).toBe(200)
      expect((await visitor.get('/api/Member/Transactions')).json().data).toHaveLength(before.length + 1)
      expect(await findLedgerViolations(again.database.pools.forPartner('skyharbor'))).toEqual([])
      // A new card takes the next number of its sequence.
      const { response } = await linkCard(again, { visitor, publicId: member.publicId })
      expect(response.status).toBe(200)
    } finally {
      await again.stop()
    }
  })

  test('is not restored into a database with data unless --replace is given, and a failed restore changes nothing', async () => {
    const to = await target.addDatabase()
    await onServer(to.owner, 'create table public.notes as select 1 as n')
    await expect(restoreInto(to.owner)).rejects.toThrow('holds 1 tables')
    const wrong = structuredClone(manifest)
    for (const table of wrong.tables) if (table.name === 'postings') table.rows++
    await expect(restoreInto(to.owner, { manifest: wrong, replace: true })).rejects.toThrow('rows were loaded')
    expect(await onServer(to.owner, 'select n from public.notes')).toEqual([[1]])
    await restoreInto(to.owner, { replace: true })
    expect(await allRows(to.superuser)).toEqual(original)
    await expect(restoreInto(to.owner)).rejects.toThrow('holds an installation')
    // The app's own login has other rights than the owner, who sees less of its connection.
    const appUrl = await ensureLogin(to.owner, { group: 'dineback_app', password: 'for-this-test' })
    for (const url of [to.owner, appUrl]) {
      const reader = new pg.Client({ connectionString: url })
      await reader.connect()
      await expect(restoreInto(to.owner, { replace: true })).rejects.toThrow('in use (1 connections)')
      await reader.end()
    }
  })

  test('of an older version is restored by a newer one, and not the other way round', async () => {
    const to = await target.addDatabase()
    const newer = mkdtempSync(join(folder, 'migrations-'))
    for (const { name } of manifest.migrations) copyFileSync(join(migrationsDirectory, name), join(newer, name))
    writeFileSync(join(newer, '9999-later.sql'), 'create table later as select count(*) as members from partners')
    await restoreInto(to.owner, { directory: newer })
    expect(await onServer(to.owner, 'select members::int from later')).toEqual([[app.programs.size]])
    const older = await target.addDatabase()
    rmSync(join(newer, '9999-later.sql'))
    rmSync(join(newer, manifest.migrations.at(-1)?.name ?? ''))
    await expect(restoreInto(older.owner, { directory: newer })).rejects.toThrow('which is not among the files')
    expect(await allRows(older.superuser)).toEqual(new Map())
  })
})

describe('a database that was restored without its roles', () => {
  test('stops the start with a line that says what to do', async () => {
    const { owner } = await target.addDatabase()
    await migrate({ url: owner, directory: migrationsDirectory, log: noLog })
    await expect(assertRoles(owner)).resolves.toBeUndefined()
    await onServer(owner, 'revoke all on all tables in schema public, console, jobs from dineback_console')
    await expect(assertRoles(owner)).rejects.toThrow('dineback_console did not exist when this database was restored')
  })
})

describe('an archive', () => {
  test('is a tar file of gzipped COPY texts that other tools can read', () => {
    const names = execFileSync('tar', ['-tf', file], { encoding: 'utf8' }).trim().split('\n')
    expect(names.slice(-2)).toEqual(['manifest.json', 'manifest.sha256'])
    expect(names).toContain('tables/public.members/000001.copy.gz')
    const members = execFileSync('tar', ['-xOf', file, 'tables/public.members/000001.copy.gz'])
    expect(gunzipSync(members).toString('utf8')).toContain(email)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('that is truncated, changed or something else is rejected before anything is changed', async () => {
    const broken = join(folder, 'broken.tar')
    const bytes = readFileSync(file)
    for (const length of [0, 100, 600, Math.floor(bytes.length / 2), bytes.length - 2000]) {
      copyFileSync(file, broken)
      truncateSync(broken, length)
      await expect(checkArchive(broken)).rejects.toThrow('is not a complete backup')
    }
    for (let at = 700; at < bytes.length - 3000; at += Math.floor(bytes.length / 40)) {
      const changed = Buffer.from(bytes)
      changed[at] = (changed[at] ?? 0) ^ 0xff
      writeFileSync(broken, changed)
      // Only the padding between files may change without loss.
      const outcome = await checkArchive(broken).then(
        (archive) => archive.manifest,
        (error) => String(error),
      )
      if (typeof outcome === 'string') expect(outcome).toContain('is not a complete backup')
      else expect(outcome).toEqual(manifest)
    }
    writeFileSync(broken, 'x'.repeat(4096))
    await expect(checkArchive(broken)).rejects.toThrow('not an archive')
    await expect(checkArchive(join(folder, 'missing.tar'))).rejects.toThrow('ENOENT')
    expect(await checkArchive(file)).toEqual({ manifest, secrets: null })
  })

  test('never overwrites another one, and a failed one leaves no file', async () => {
    const again = () => backUp({ url: from.owner, file, fingerprints: {}, secrets: null, log: noLog })
    await expect(again()).rejects.toThrow('exists already')
    const partialFile = join(folder, 'half.tar')
    // If the role sees fewer rows than the owner, no backup is made.
    const blind = new URL(app.database.pools.url)
    await expect(
      backUp({ url: blind.href, file: partialFile, fingerprints: {}, secrets: null, log: noLog }),
    ).rejects.toThrow(/permission denied|hides rows/)
    expect(readdirSync(folder).filter((name) => name.startsWith('half'))).toEqual([])
  })

  test('DATA-035 that is stopped leaves no file, and the next one removes what a killed one left a day ago', async () => {
    const stopping = new AbortController()
    const stopped = join(folder, 'stopped.tar')
    const options = { url: from.owner, fingerprints: {}, secrets: null }
    await expect(
      backUp({ ...options, file: stopped, signal: stopping.signal, log: () => stopping.abort() }),
    ).rejects.toThrow('The backup was stopped, and left no file.')
    const [killed, running, foreign] = ['killed.tar.0123abcd.partial', 'running.tar.0123abcd.partial', 'mine.partial']
    for (const name of [killed, running, foreign]) writeFileSync(join(folder, name), 'x')
    const before = new Date(Date.now() - 25 * 3_600_000)
    for (const name of [killed, foreign]) utimesSync(join(folder, name), before, before)
    await backUp({ ...options, file: join(folder, 'after.tar'), log: noLog })
    const left = readdirSync(folder).filter((name) => name.startsWith('stopped') || name.endsWith('.partial'))
    expect(left.toSorted()).toEqual([foreign, running])
    for (const name of ['after.tar', running, foreign]) rmSync(join(folder, name))
  })

  test('is complete when two are made to one file at once: the other one fails', async () => {
    const twice = join(folder, 'twice.tar')
    const make = () => backUp({ url: from.owner, file: twice, fingerprints: {}, secrets: null, log: noLog })
    const first = make()
    await vi.waitFor(() => expect(readdirSync(folder).some((name) => name.startsWith('twice'))).toBe(true))
    const results = await Promise.allSettled([first, make()])
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expect(checkArchive(twice)).resolves.toBeDefined()
    expect(readdirSync(folder).filter((name) => name.startsWith('twice'))).toEqual(['twice.tar'])
  })

  test('that cannot create its file closes its connection, so that the command ends', async () => {
    // A name that has no room for the ending of an unfinished archive.
    const blocked = join(folder, 'b'.repeat(250))
    const name = 'blocked-backup'
    const url = new URL(from.owner)
    url.searchParams.set('application_name', name)
    const count = () =>
      onServer(from.superuser, `select count(*)::int from pg_stat_activity where application_name = '${name}'`)
    const backup = backUp({ url: url.href, file: blocked, fingerprints: {}, secrets: null, log: noLog })
    await expect(backup).rejects.toMatchObject({ code: 'ENAMETOOLONG' })
    await vi.waitFor(async () => expect(await count()).toEqual([[0]]), 5_000)
  })
})

describe('pg_dump', () => {
  test('fails, or reads every row: row-level security hides nothing from the owner', async () => {
    const client = new pg.Client({ connectionString: from.owner })
    await client.connect()
    try {
      // The settings of pg_dump without and with --enable-row-security.
      await client.query('set row_security = off')
      await expect(client.query('select from members')).rejects.toThrow('row-level security')
      await client.query('set row_security = on')
      const { rows } = await client.query<{ name: string }>(
        "select c.oid::regclass::text as name from pg_class c where relrowsecurity and relkind in ('r', 'p')",
      )
      expect(rows.length).toBeGreaterThan(30)
      for (const { name } of rows) {
        const seen = await client.query(`select count(*)::int as count from ${name}`)
        const all = await onServer(from.superuser, `select count(*)::int from ${name}`)
        expect([name, seen.rows[0].count]).toEqual([name, all[0]?.[0]])
      }
      // The role can only read: row-level security prevents it from changing or adding rows of a program.
      expect((await client.query('update members set first_name = first_name')).rowCount).toBe(0)
      await expect(
        client.query(
          "insert into feature_flags (partner_id, kind, name, value) values ('beacon', 'filters', 'x', 'true')",
        ),
      ).rejects.toThrow('row-level security')
    } finally {
      await client.end()
    }
  })

  const found = (() => {
    try {
      return Number(/(\d+)\./.exec(execFileSync('pg_dump', ['--version'], { encoding: 'utf8' }))?.[1])
    } catch {
      return 0
    }
  })()
  test.runIf(found >= 18)('with --enable-row-security writes every row (needs a pg_dump of version 18)', async () => {
    const run = promisify(execFile)
    const options = { maxBuffer: 1_000_000_000 }
    await expect(run('pg_dump', [from.owner], options)).rejects.toThrow('row-level security')
    const { stdout } = await run('pg_dump', ['--enable-row-security', '--data-only', from.owner], options)
    const versions = stdout.slice(stdout.indexOf('COPY public.content_versions '))
    const lines = versions.slice(0, versions.indexOf('\n\\.\n')).split('\n').slice(1)
    expect(lines).toHaveLength(original.get('content_versions')?.length ?? -1)
  })
})

describe('secrets', () => {
  const same = { APP_SECRET: 'a'.repeat(64), VAULT_SECRET: 'b'.repeat(64) }
  test('that differ from those of the backup are listed with what would be lost', () => {
    const fingerprints = fingerprintsOf(same)
    const check =
      (current: object, supplied: object | null = null) =>
      () =>
        assertSameSecrets(fingerprints, { current, archived: supplied })
    expect(check(same)).not.toThrow()
    expect(check({}, same)).not.toThrow()
    expect(check({ ...same, VAULT_SECRET: 'c'.repeat(64) })).toThrow(
      /VAULT_SECRET is another one: the key of the vault is lost/,
    )
    expect(check({})).toThrow(/APP_SECRET is not set/)
    expect(JSON.stringify(fingerprints)).not.toContain('aaaa')
  })
})

describe('the commands', () => {
  const run = (script: string, args: string[], env: Record<string, string>) =>
    runCommand(script, args, { NODE_ENV: 'development', ...env })

  test('move an installation with its secrets to another folder, once', async () => {
    const archive = join(folder, 'moved.tar')
    const made = await run('backup', [archive, '--with-secrets'], { DATABASE_URL: from.owner, DATA_DIR: home })
    expect([made.code, made.err]).toEqual([0, ''])
    expect(made.out).toContain(`${archive} holds`)

    const newHome = mkdtempSync(join(folder, 'home-'))
    const to = await target.addDatabase()
    const env = { DATABASE_URL: to.owner, DATA_DIR: newHome }
    const plain = await run('restore', [file], env)
    expect([plain.code, plain.err]).toEqual([1, expect.stringContaining('VAULT_SECRET is not set')])
    expect(existsSync(join(newHome, 'secrets.json'))).toBe(false)
    const restored = await run('restore', [archive], env)
    expect([restored.code, restored.err]).toEqual([0, ''])
    expect(await allRows(to.superuser)).toEqual(await allRows(from.superuser))
    const overridden = { ...env, DATA_DIR: mkdtempSync(join(folder, 'home-')), VAULT_SECRET: 'b'.repeat(64) }
    const other = await run('restore', [archive, '--replace'], overridden)
    expect([other.code, other.err]).toEqual([1, expect.stringContaining('VAULT_SECRET is another one')])
    const secrets = (dir: string) => JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8'))
    expect(secrets(newHome)).toEqual(secrets(home))
    expect(statSync(join(newHome, 'secrets.json')).mode & 0o777).toBe(0o600)
    expect((await run('restore', [archive], env)).err).toContain('--replace')
    const accepted = await run('restore', [file, '--replace', '--other-secrets'], env)
    expect([accepted.code, accepted.err]).toEqual([0, ''])
  })

  test('make a backup without the secrets only when told to', async () => {
    const archive = join(folder, 'unknown.tar')
    const env = { DATABASE_URL: from.owner, DATA_DIR: join(folder, 'nowhere') }
    const { code, err } = await run('backup', [archive], env)
    expect([code, err]).toEqual([1, expect.stringContaining('APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET')])
    expect(existsSync(archive)).toBe(false)
    const accepted = await run('backup', [archive, '--without-fingerprints'], env)
    expect([accepted.code, accepted.err]).toEqual([0, ''])
    expect((await checkArchive(archive)).manifest.fingerprints).toEqual({})
  })

  test('print their usage', async () => {
    for (const [script, args] of [
      ['backup', ['a', 'b']],
      ['backup', ['--no']],
      ['restore', []],
    ] as const) {
      const { code, err } = await run(script, [...args], { DATABASE_URL: from.owner, DATA_DIR: home })
      expect([code, err]).toEqual([1, expect.stringContaining(`npm run ${script}`)])
    }
  })
})

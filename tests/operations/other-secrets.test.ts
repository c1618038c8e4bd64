import { randomBytes, randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { ensureLogins } from '../../src/platform/database/logins.ts'
import { asOwner, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { environmentOf, runCommand, runProcess } from '../support/run-command.ts'

const app = setUpTestApp()

const otherSecret = () => randomBytes(32).toString('base64')
const nameOf = (url: string) => decodeURIComponent(new URL(url).username)
const databaseName = () => new URL(app.database.ownerUrl).pathname.slice(1)

/** The stored passwords of the installation's logins, by name. */
const listPasswords = () =>
  asOwner<{ name: string; password: string }>(
    app,
    'select rolname as name, rolpassword as password from pg_authid where starts_with(rolname, $1) order by rolname',
    [`${databaseName()}_`],
  )

async function connectAs(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
  } finally {
    await client.end()
  }
}

test('Case 133 a command with other secrets leaves the logins of the running server as they are', async () => {
  const before = await listPasswords()
  expect(before.map(({ name }) => name.replace(databaseName(), ''))).toEqual(['_app', '_console', '_forms', '_vault'])
  const env = { ...environmentOf(app), VAULT_SECRET: otherSecret() }
  // Only the vault uses this secret: the command does its work.
  const ended = await runProcess('jobs', ['list'], env)
  expect([ended.code, ended.err]).toEqual([0, ''])
  expect(await listPasswords()).toEqual(before)
  for (const url of [app.database.vaultUrl, app.database.formsUrl, app.database.pools.url]) await connectAs(url)
})

test.each([
  ['flag', '--partner', 'skyharbor'],
  ['jobs', 'list'],
  ['operator', 'list'],
  ['export-surveys', '--partner', 'skyharbor', '--form', 'sky-booking'],
] as const)(
  'Case 133 the command %s, whose password the database rejects, says so in one line',
  async (script, ...args) => {
    const before = await listPasswords()
    const env = {
      ...environmentOf(app),
      APP_SECRET: otherSecret(),
      FEED_SECRET: otherSecret(),
      ID_SECRET: otherSecret(),
    }
    const { code, err, out } = await runCommand(script, args, env)
    expect([code, out]).toEqual([1, ''])
    expect(err).toBe(
      `The database rejects the login ${databaseName()}_app: APP_SECRET is not the one that the app was started with.\n`,
    )
    expect(await listPasswords()).toEqual(before)
  },
)

test('Case 133 a command says in one line that the owner of the database has another password', async () => {
  const url = new URL(app.database.ownerUrl)
  url.password = 'wrong'
  const env = { ...environmentOf(app), DATABASE_URL: url.href }
  for (const [script, ...args] of [
    ['jobs', 'list'],
    ['backup', '--without-fingerprints', join(tmpdir(), `never-${randomUUID()}.tar`)],
  ] as const) {
    const { code, err } = await runCommand(script, args, env)
    expect([script, code]).toEqual([script, 1])
    expect(err).toMatch(/^.*password authentication failed for user .*\n$/)
  }
})

test('a start of the server sets the passwords, so that a changed secret takes effect', async () => {
  const [login] = await ensureLogins(app.database.ownerUrl, [{ group: 'dineback_forms', password: 'changed' }])
  await connectAs(login as string)
  await ensureLogins(app.database.ownerUrl, [
    { group: 'dineback_forms', password: decodeURIComponent(new URL(app.database.formsUrl).password) },
  ])
  await connectAs(app.database.formsUrl)
})

test('Case 133 while the database rejects the password of the server, calls get a 503, and work again afterwards', async () => {
  const { ownerUrl, pools } = app.database
  const login = nameOf(pools.url)
  const setPassword = (password: string) => queryAsOwner(ownerUrl, `alter role "${login}" password '${password}'`)
  const call = () => visit(app, 'skyharbor').get('/api/CSRF')
  expect((await call()).status).toBe(200)
  await setPassword('another')
  await queryAsOwner(ownerUrl, 'select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [login])
  await vi.waitFor(async () => {
    const response = await call()
    expect([response.status, response.headers['retry-after']]).toEqual([503, '5'])
  }, 20_000)
  await setPassword(decodeURIComponent(new URL(pools.url).password))
  // A connection that ended with the others may be noticed only by the call that uses it.
  await vi.waitFor(async () => expect((await call()).status).toBe(200), 20_000)
})

import { randomBytes, randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPools } from '../../src/platform/database/db.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { outboundFetch } from '../../src/platform/http/outbound-fetch.ts'
import { createStore, type TokenizedCard } from '../../vault/store.ts'
import { createTestDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { spawnApp } from '../support/test-server.ts'
import { whileLocked } from '../support/while-locked.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase('schema')
})
afterAll(() => database?.drop())

const loginOf = (group: 'dineback_vault' | 'dineback_forms') =>
  ensureLogin(database.url, { group, password: randomUUID() })

test.each([
  [
    'vault',
    async () => ({
      VAULT_DATABASE_URL: await loginOf('dineback_vault'),
      VAULT_SECRET: randomBytes(32).toString('base64url'),
      PUBLIC_ORIGIN: 'https://vault.example.com',
      PARENT_ORIGINS: 'https://orchard.example.com, https://beacon.example.com',
      HOST: '',
    }),
    // A page of a program gets a session only with the public key.
    { path: '/provider/sessions', method: 'POST', status: 401 },
  ],
  [
    'forms',
    async () => ({
      FORMS_DATABASE_URL: await loginOf('dineback_forms'),
      APP_ORIGINS: 'https://*.example.com',
      // A variable without a value is unset.
      REVIEW_KEY: '',
      HOST: '',
      PROGRAMS_DIR: '',
    }),
    { path: '/unknown', method: 'GET', status: 404 },
  ],
] as const)(
  '%s runs as its own process, and stops after a signal',
  async (service, settings, { path, method, status }) => {
    const { origin, stop } = await startService(service, await settings())
    const response = await outboundFetch(origin + path, { method, headers: { origin: 'https://beacon.example.com' } })
    expect(response.status).toBe(status)
    expect(await stop()).toBe(0)
  },
)

/** Starts a service and waits until it responds. `stop` asks it to stop and returns its exit code. */
async function startService(service: 'vault' | 'forms', settings: Record<string, string>) {
  const port = await freePort()
  const child = spawnApp([`${service}/main.ts`], { ...process.env, ...settings, PORT: String(port) })
  child.stdout.resume()
  const ended = new Promise((resolve) => child.on('close', resolve))
  const origin = `http://127.0.0.1:${port}`
  const probe = () => fetch(`${origin}/healthz`).then((response) => response.json(), String)
  await expect.poll(probe, { timeout: 20_000 }).toEqual({ status: 'ok' })
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { origin, stop }
}

test('the separate form service knows a program by its formServiceCode, and links to it by its code', async () => {
  const programs = mkdtempSync(join(tmpdir(), 'programs-'))
  cpSync('programs/lantern', join(programs, 'lantern'), { recursive: true })
  const file = join(programs, 'lantern/program.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), formServiceCode: 'evening' }))
  const { origin, stop } = await startService('forms', {
    FORMS_DATABASE_URL: await loginOf('dineback_forms'),
    APP_ORIGINS: 'https://*.example.com',
    PROGRAMS_DIR: programs,
  })
  const form = await fetch(`${origin}/forms/evening/lan-dispatch?view=frame`)
  expect([form.status, form.headers.get('content-security-policy')]).toEqual([
    200,
    expect.stringContaining('frame-ancestors https://lantern.example.com'),
  ])
  expect((await fetch(`${origin}/forms/lantern/lan-dispatch`)).status).toBe(404)
  await stop()
  rmSync(programs, { recursive: true })
})

test('of two cards that one intent receives at the same moment the vault stores the first', async () => {
  const store = createStore(await loginOf('dineback_vault'), () => {})
  const owner = createPools({ url: database.url, onError: () => {} })
  const intent = {
    id: randomUUID(),
    tenant: 'beacon',
    holder: 'ada',
    parentOrigin: 'https://a.example',
    brands: ['VISA'],
  }
  await store.addIntent(intent, 60)
  const card = (): TokenizedCard => ({
    token: randomUUID(),
    fingerprint: randomUUID(),
    cardType: 'VISA',
    lastFour: '4242',
    expires: '2030-01',
    homeKey: randomUUID(),
  })
  const use = () =>
    store.withIntent(intent.id, async (found, { redeem }) => {
      if (!found || found.requestHash) return 'used'
      await redeem(found, card(), { requestHash: randomBytes(32), deviceSession: null })
      return 'stored'
    })
  const results = await whileLocked(owner.shared, {
    hold: (tx) => sql`select from vault.intents where id = ${intent.id} for update`.execute(tx),
    acts: [use, use],
  })
  expect(results).toEqual(['stored', 'used'])
  await Promise.all([store.close(), owner.close()])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { developmentSecrets } from '../../src/platform/security/development-secrets.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { joinForm } from '../support/app.ts'
import { type FallibleApp, startFallibleApp } from '../support/fallible-app.ts'
import { send as sendOnWire, type WireResponse } from '../support/http.ts'
import { scaled } from '../support/scale.ts'
import { cardNumber, sealCard } from '../support/sealed-card.ts'

// The real process is killed repeatedly while members link cards. A client without a response repeats the identical
// request. At the end the database rows are counted.

let app: FallibleApp

beforeAll(async () => {
  app = await startFallibleApp()
  // An attempt that a killed process did not end counts as failed: the next one would need a proof.
  await app.query(
    `insert into feature_flags (partner_id, kind, name, value) values ('gallonaire', 'authFlags', 'botCheck', 'false')`,
  )
})
afterAll(() => app?.close())

const send = (
  method: string,
  path: string,
  body: unknown,
  { from = '127.0.0.1', ...headers }: Record<string, string>,
) =>
  sendOnWire({
    port: app.port,
    host: 'gallonaire.localhost',
    method,
    path,
    // Each client uses its own address, because limits are per address.
    from,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

/** Repeats a request until it gets a final response, as a client does after a lost connection. */
async function retryUntilFinal(sendRequest: () => Promise<WireResponse>): Promise<WireResponse> {
  for (;;) {
    const response = await sendRequest().catch(() => null)
    if (response && response.status < 500) return response
    // Each try that reaches the vault counts toward the twenty cards that a member may try in a day.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

let clients = 0

async function newMember() {
  const from = `127.0.1.${++clients}`
  const csrf = await retryUntilFinal(() => send('GET', '/api/CSRF', undefined, { from }))
  const form = joinForm()
  const joined = await send('POST', '/api/Members/Prospects', form, {
    from,
    cookie: csrf.cookie,
    'x-xsrf-token': csrf.json().csrfToken,
  })
  expect(joined.status).toBe(200)
  const { publicId, csrfToken } = joined.json()
  return { publicId, headers: { from, cookie: joined.cookie, 'x-xsrf-token': csrfToken } }
}

async function linkOne(member: Awaited<ReturnType<typeof newMember>>): Promise<void> {
  const keys = deriveVaultKeys(developmentSecrets(app.dataDir).VAULT_SECRET)
  const intent = await retryUntilFinal(() => send('POST', '/api/Member/Cards/Intent', { attempt: 1 }, member.headers))
  const number = cardNumber()
  const encryptedCardNumber = await sealCard(keys.publicJwk, {
    number,
    expires: '2031-12',
    intent: intent.json().intentId,
    tenant: 'gallonaire',
    holder: member.publicId,
    exp: Math.floor(Date.now() / 1000) + 300,
  })
  const body = {
    creditCards: [{ encryptedCardNumber, lastFour: number.slice(-4), cardType: 'VISA' }],
    directFileFeedOptIn: true,
  }
  const response = await retryUntilFinal(() => send('POST', '/api/Member/Cards', body, member.headers))
  expect([response.status, response.text]).toEqual([200, expect.stringContaining('cardRegistration')])
  expect(response.json().cardRegistration[0].error).toBeUndefined()
}

async function count(statement: string): Promise<number> {
  const [row] = await app.query<{ count: string }>(statement)
  return Number(row?.count)
}

const linked = () => count('select count(*) from cards')
const members = scaled({ full: 6, short: 3 })
const each = scaled({ full: 10, short: 3 })

/** Links cards for several members at once while `disturb` runs; returns how many were acknowledged. */
async function linkWhile(disturb: (running: () => boolean) => Promise<void>): Promise<number> {
  const all = []
  for (let index = 0; index < members; index++) all.push(await newMember())
  let running = true
  const links = Promise.all(
    all.map(async (member) => {
      for (let card = 0; card < each; card++) await linkOne(member)
    }),
  ).finally(() => {
    running = false
  })
  await disturb(() => running)
  await links
  return members * each
}

const duplicates =
  'select count(*) from (select fingerprint from cards where removed_at is null group by partner_id, fingerprint having count(*) > 1) d'

test('Case 1 kill -9 of the app while cards are linked loses none and doubles none', async () => {
  const before = await linked()
  let kills = 0
  const acknowledged = await linkWhile(async (running) => {
    while (running() && kills < scaled({ full: 6, short: 2 })) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      await app.kill()
      kills++
    }
  })
  expect(kills).toBeGreaterThan(0)
  expect((await linked()) - before).toBe(acknowledged)
  expect(await count(duplicates)).toBe(0)
  expect(await count("select count(*) from consents where channel = 'card'")).toBe(await linked())
})

test('Case 2 Case 3 kill -9 of PostgreSQL while cards are linked: the app survives, and nothing acknowledged is lost', async () => {
  const before = await linked()
  const { pid } = app.process()
  let kills = 0
  const acknowledged = await linkWhile(async (running) => {
    while (running() && kills < scaled({ full: 4, short: 1 })) {
      await new Promise((resolve) => setTimeout(resolve, 120))
      await app.killPostgres()
      kills++
    }
  })
  expect(kills).toBeGreaterThan(0)
  expect(app.process().pid).toBe(pid)
  expect(app.process().exitCode).toBeNull()
  expect((await linked()) - before).toBe(acknowledged)
  expect(await count(duplicates)).toBe(0)
})

test('counterpart: a client that sends a new request for each try is counted twice', async () => {
  const member = await newMember()
  const before = await linked()
  await linkOne(member)
  await linkOne(member)
  expect((await linked()) - before).toBe(2)
})

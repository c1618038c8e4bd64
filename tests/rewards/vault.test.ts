import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { ensureLogin } from '../../src/platform/database/logins.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../../src/platform/time.ts'
import { publishableKeyOf } from '../../src/rewards/cards/publishable-key.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { createVault } from '../../vault/server.ts'
import { createStore, maxUnusedIntents, type VaultStore } from '../../vault/store.ts'
import { createTestDatabase } from '../support/database.ts'
import { queryAsOwner } from '../support/owner.ts'
import { cardNumber, declinedNumber, sealCard } from '../support/sealed-card.ts'

const secret = Buffer.alloc(32, 5).toString('base64url')
const parent = 'http://skyharbor.localhost:3000'
const keys = deriveVaultKeys(secret)
let database: Awaited<ReturnType<typeof createTestDatabase>>
let vault: FastifyInstance
let store: VaultStore
let now = new Date()
const logs: string[] = []

beforeAll(async () => {
  database = await createTestDatabase('schema')
  const databaseUrl = await ensureLogin(database.url, { group: 'dineback_vault', password: 'vault' })
  vault = await createVault({
    databaseUrl,
    secret,
    publicOrigin: 'http://vault.localhost',
    parentOrigins: (origin) => origin === parent,
    logger: pino({ level: 'warn' }, { write: (line) => void logs.push(line) }),
    now: () => now,
  })
  store = createStore(databaseUrl, () => {})
})
afterAll(async () => {
  await vault?.close()
  await store?.close()
  await database?.drop()
})

const asOwner = (statement: string, values: unknown[] = []) =>
  queryAsOwner<Record<string, unknown>>(database.url, statement, values)
const apiKey = deriveKey(secret, 'vault-api').toString('base64url')
async function post(url: string, payload: object, authorization = `Bearer ${apiKey}`) {
  const response = await vault.inject({ method: 'POST', url, payload, headers: { authorization } })
  return [response.statusCode, response.json()]
}

const brands = ['AMEX', 'DISC', 'MAST', 'VISA']
const ada = { tenant: 'skyharbor', holder: 'ada' }
async function openIntent(over: Record<string, unknown> = {}): Promise<string> {
  const [, { intentId }] = await post('/api/intents', { ...ada, parentOrigin: parent, brands, ...over })
  return intentId
}
const expiresAt = (time: Date) => Math.floor(time.getTime() / SECOND)
const seal = (over: Record<string, unknown>) =>
  sealCard(keys.publicJwk, {
    number: cardNumber(),
    expires: '2031-12',
    ...ada,
    exp: expiresAt(now) + 300,
    ...over,
  } as never)
const loaded = (over: Record<string, unknown> = {}) =>
  sealCard(keys.publicJwk, {
    number: cardNumber(),
    expires: '2031-12',
    tenant: 'skyharbor',
    purpose: 'load',
    exp: expiresAt(now) + 300,
    ...over,
  } as never)
const tokenizedCard = (token: string) => ({
  token,
  fingerprint: randomUUID(),
  cardType: 'VISA',
  lastFour: '1111',
  expires: '2031-12',
  homeKey: randomUUID(),
})
const exchange = (encryptedCardNumber: string, over: Record<string, unknown> = {}) =>
  post('/api/tokens', { ...ada, encryptedCardNumber, ...over })

test('every call of the API requires its key and a body of its form', async () => {
  const card = 'x'
  const valid: Record<string, Record<string, unknown>> = {
    '/api/intents': { ...ada, parentOrigin: parent, brands },
    '/api/tokens': { ...ada, encryptedCardNumber: card },
    '/api/loaded-cards': { tenant: 'skyharbor', encryptedCardNumber: card },
    '/api/tokens/same-expiry': { ...ada, token: 't', home: ada },
    '/api/tokens/forget': { tenant: 'skyharbor', tokens: ['t'] },
  }
  const [unauthorized, bad] = [
    [401, { error: 'UNAUTHORIZED' }],
    [400, { error: 'BAD_REQUEST' }],
  ]
  for (const [path, body] of Object.entries(valid)) {
    for (const authorization of ['', apiKey.slice(1), `Bearer ${apiKey}x`])
      expect([path, await post(path, body, authorization)]).toEqual([path, unauthorized])
    expect([path, (await post(path, body))[0] === 400]).toEqual([path, false])
    for (const name of Object.keys(body)) {
      const { [name]: _left, ...rest } = body
      expect([path, name, await post(path, rest)]).toEqual([path, name, bad])
    }
    expect([path, await post(path, { ...body, tenant: 'sky\u0000' })]).toEqual([path, bad])
  }
  expect(await post('/api/intents', { ...valid['/api/intents'], parentOrigin: 'http://evil.example' })).toEqual(bad)
  expect(await post('/api/intents', { ...valid['/api/intents'], brands: ['JCB'] })).toEqual(bad)
  expect((await vault.inject('/unknown')).json()).toEqual({ error: 'NOT_FOUND' })
  expect((await vault.inject('/api/keys')).json()).toEqual({ keys: [keys.publicJwk] })
})

test('the provider script gets a session for a page of a program with the publishable key', async () => {
  const open = (headers: Record<string, string>, key: string) =>
    vault.inject({ method: 'POST', url: `/provider/sessions?key=${key}`, headers })
  const key = publishableKeyOf(secret)
  expect((await open({}, key)).statusCode).toBe(403)
  expect((await open({ origin: 'http://evil.example' }, key)).statusCode).toBe(403)
  expect((await open({ origin: parent }, `${key}x`)).statusCode).toBe(401)
  expect((await open({ origin: parent }, '')).statusCode).toBe(401)
  const opened = await open({ origin: parent }, key)
  expect([opened.headers['access-control-allow-origin'], opened.headers.vary]).toEqual([parent, 'origin'])
  const { sessionId } = opened.json()
  // It is stored with the intent, while it is valid.
  const sessions: unknown[] = []
  for (const [deviceSession, later] of [
    [sessionId, 0],
    ['forged', 0],
    [undefined, 0],
    [sessionId, HOUR],
  ]) {
    const start = now
    now = new Date(start.getTime() + Number(later))
    const intent = await openIntent()
    await asOwner(`update vault.intents set expires_at = now() + interval '1 day'`)
    expect((await exchange(await seal({ intent }), { deviceSession }))[0]).toBe(200)
    const [row] = await asOwner(
      'select device_session as session, used_at is not null as used from vault.intents where id = $1',
      [intent],
    )
    sessions.push([row?.session, row?.used])
    now = start
  }
  expect(sessions).toEqual([
    [sessionId, true],
    [null, true],
    [null, true],
    [null, true],
  ])
})

test('a frame opens for five minutes in the page of its intent', async () => {
  const started = Date.now()
  const [, { frameUrl, expiresAt: until }] = await post('/api/intents', { ...ada, parentOrigin: parent, brands })
  expect(Math.abs(Date.parse(until) - started - 5 * MINUTE)).toBeLessThan(10 * SECOND)
  const path = frameUrl.slice('http://vault.localhost'.length)
  const frame = await vault.inject(path)
  expect([frame.statusCode, frame.headers['content-security-policy']]).toEqual([
    200,
    expect.stringContaining(`frame-ancestors ${parent}`),
  ])
  const config = /<script type="application\/json" id="config">(.*?)<\/script>/.exec(frame.payload)?.[1] ?? ''
  expect(JSON.parse(config)).toEqual({
    ...ada,
    parentOrigin: parent,
    intent: new URL(frameUrl).searchParams.get('intent'),
    exp: Math.floor(Date.parse(until) / SECOND),
    brands,
    key: keys.publicJwk,
  })
  expect(frame.headers['cache-control']).toBe('no-store')
  await asOwner('update vault.intents set expires_at = now()')
  const over = await vault.inject(path)
  expect([over.statusCode, over.payload.includes('This form has expired.')]).toEqual([403, true])
  expect(over.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const alone = await vault.inject('/frame')
  expect([alone.statusCode, alone.payload.includes('only works inside a program')]).toEqual([403, true])
})

test('the log names a failure without what the request contained', async () => {
  await asOwner(`alter table vault.intents add constraint wanted check (holder <> 'unwanted')`)
  try {
    const response = await post('/api/intents', { ...ada, holder: 'unwanted', parentOrigin: parent, brands })
    expect(response).toEqual([500, { error: 'FAILED' }])
  } finally {
    await asOwner('alter table vault.intents drop constraint wanted')
  }
  expect(logs.join()).toContain('violates check constraint')
  expect(logs.join()).not.toContain('unwanted')
})

test('a sealed card is exchanged for its intent by its holder, and rejected for anything else', async () => {
  const intent = await openIntent()
  const error = (code: string) => [422, { error: code }]
  expect(await exchange('not sealed')).toEqual(error('TAMPERED'))
  expect(await exchange(await loaded())).toEqual(error('TAMPERED'))
  // The sealed card and the intent each name a holder and a tenant.
  for (const wrong of [{ holder: 'bob' }, { tenant: 'orchard' }]) {
    expect(await exchange(await seal({ intent, ...wrong }))).toEqual(error('WRONG_HOLDER'))
    expect(await exchange(await seal({ intent, ...wrong }), wrong)).toEqual(error('WRONG_HOLDER'))
  }
  expect(await exchange(await seal({ intent: 'unknown' }))).toEqual(error('INTENT_EXPIRED'))
  expect(await exchange(await seal({ intent, exp: expiresAt(now) - 1 }))).toEqual(error('INTENT_EXPIRED'))
  expect(await exchange(await seal({ intent, number: '4000000000000001' }))).toEqual(error('INVALID_CARD'))
  expect(await exchange(await seal({ intent, expires: '2031-13' }))).toEqual(error('INVALID_CARD'))
  expect(await exchange(await seal({ intent, expires: '2020-01' }))).toEqual(error('EXPIRED_CARD'))
  expect(await exchange(await seal({ intent, number: declinedNumber() }))).toEqual(error('DECLINED'))
  const amexOnly = await openIntent({ brands: ['AMEX'] })
  expect(await exchange(await seal({ intent: amexOnly }))).toEqual(error('UNSUPPORTED_BRAND'))
  const sealed = await seal({ intent })
  const [status, card] = await exchange(sealed)
  expect([status, card]).toMatchObject([200, { cardType: 'VISA', expires: '2031-12' }])
  expect(await exchange(sealed)).toEqual([200, card])
  expect(await exchange(await seal({ intent }))).toEqual(error('INTENT_USED'))
  await asOwner('update vault.intents set expires_at = $1', [new Date(now.getTime() - 1)])
  expect(await exchange(sealed)).toEqual(error('INTENT_EXPIRED'))
})

test('a repeated exchange returns the date that its holder typed, not the one that the partner has loaded', async () => {
  const number = cardNumber()
  await post('/api/loaded-cards', {
    tenant: ada.tenant,
    encryptedCardNumber: await loaded({ number, expires: '2030-01' }),
  })
  const sealed = await seal({ intent: await openIntent(), number, expires: '2031-12' })
  const first = await exchange(sealed)
  expect(first).toEqual([200, expect.objectContaining({ expires: '2031-12' })])
  expect(await exchange(sealed)).toEqual(first)
})

const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

test('a card that is entered again gets the key of its installation, by which programs recognize it', async () => {
  const number = cardNumber()
  const enter = async () => (await exchange(await seal({ ...ada, intent: await openIntent(), number })))[1].token
  const token = await enter()
  await asOwner("update vault.cards set home_key = 'of an earlier secret' where token = $1", [token])
  expect(await enter()).toBe(token)
  const [card] = await asOwner('select home_key from vault.cards where token = $1', [token])
  expect(card).toEqual({ home_key: keys.homeKey(number) })
})

describe('the deletion of a holder', () => {
  const enter = async (number: string, who = ada): Promise<string> => {
    const [, { token }] = await exchange(await seal({ ...who, intent: await openIntent(who), number }), who)
    return token
  }
  const deleteHolder = () => post('/api/tokens/forget', { tenant: ada.tenant, tokens: [], holder: ada.holder })
  const [carol, elsewhere] = [
    { ...ada, holder: 'carol' },
    { tenant: 'orchard', holder: 'ada' },
  ]
  const isThere = async (token: string) =>
    (await asOwner('select from vault.cards where token = $1', [token])).length === 1

  test('deletes the cards and intents of this holder alone, and no card of another holder, partner or tenant', async () => {
    const [own, joint, withPartner] = [cardNumber(), cardNumber(), cardNumber()]
    const unused = await openIntent()
    const tokens = [await enter(own), await enter(joint), await enter(withPartner)]
    await enter(joint, carol)
    const encryptedCardNumber = await loaded({ number: withPartner })
    await post('/api/loaded-cards', { tenant: ada.tenant, encryptedCardNumber })
    const others = [await enter(own, elsewhere), await enter(cardNumber(), carol)]
    expect(await deleteHolder()).toEqual([200, { forgotten: true }])
    expect(await Promise.all([...tokens, ...others].map(isThere))).toEqual([false, true, true, true, true])
    const holdersOf = 'select holder from vault.card_holders where token = any($1) order by 1'
    expect(await asOwner(holdersOf, [tokens])).toEqual([{ holder: '' }, { holder: 'carol' }])
    const intents = 'select tenant, holder from vault.intents where id = $1 or token = any($2) order by 1, 2'
    expect(await asOwner(intents, [unused, [...tokens, ...others]])).toEqual([elsewhere, carol, carol])
    expect(await deleteHolder()).toEqual([200, { forgotten: true }])
  })

  test('is not needed to delete a card by its token, in its tenant only, with every entry and intent', async () => {
    const number = cardNumber()
    const token = await enter(number)
    await enter(number, carol)
    const forget = (tenant: string) => post('/api/tokens/forget', { tenant, tokens: [token] })
    expect([await forget(elsewhere.tenant), await isThere(token)]).toEqual([[200, { forgotten: true }], true])
    expect([await forget(ada.tenant), await isThere(token)]).toEqual([[200, { forgotten: true }], false])
    const left =
      'select token from vault.card_holders where token = $1 union all select token from vault.intents where token = $1'
    expect(await asOwner(left, [token])).toEqual([])
  })

  test('deletes nothing when a part of it fails', async () => {
    const token = await enter(cardNumber())
    const entries = () => asOwner('select holder from vault.card_holders where token = $1', [token])
    await asOwner('revoke delete on vault.cards from dineback_vault')
    try {
      expect(await deleteHolder()).toEqual([500, { error: 'FAILED' }])
    } finally {
      await asOwner('grant delete on vault.cards to dineback_vault')
    }
    expect(await entries()).toEqual([{ holder: 'ada' }])
    await deleteHolder()
    expect([await entries(), await isThere(token)]).toEqual([[], false])
  })

  test('leaves a card that another holder enters at the same moment', async () => {
    const number = cardNumber()
    const token = await enter(number)
    const intent = await openIntent(carol)
    let deletion: Promise<unknown> | undefined
    await store.withIntent(intent, async (found, { redeem }) => {
      if (!found) throw new Error('no intent')
      const card = { ...tokenizedCard('tok_unused'), fingerprint: keys.fingerprint(ada.tenant, number) }
      await redeem(found, card, { requestHash: Buffer.alloc(32), deviceSession: null })
      deletion = deleteHolder()
      await vi.waitFor(async () => expect(await asOwner(waiting)).not.toEqual([]), 20_000)
    })
    expect(await deletion).toEqual([200, { forgotten: true }])
    expect(await asOwner('select holder from vault.card_holders where token = $1', [token])).toEqual([
      { holder: 'carol' },
    ])
  })
})

test('cards that earlier deletions have left without an entry are deleted by the migration', async () => {
  const migration = readFileSync('db/migrations/0023-replaced-cards.sql', 'utf8')
  const enter = async () => (await exchange(await seal({ intent: await openIntent() })))[1].token
  const [left, linked] = [await enter(), await enter()]
  await asOwner('delete from vault.card_holders where token = $1', [left])
  await asOwner(migration.slice(migration.indexOf('lock table vault.cards')))
  const tokens = 'select token from vault.cards where token = any($1)'
  expect(await asOwner(tokens, [[left, linked]])).toEqual([{ token: linked }])
})

test('an exchange waits for another one of the same intent, and then finds it used', async () => {
  const intent = await openIntent()
  let isSecondDeciding = false
  let second: Promise<boolean> | undefined
  await store.withIntent(intent, async (found, { redeem }) => {
    if (!found) throw new Error('no intent')
    second = store.withIntent(intent, async (seen) => {
      isSecondDeciding = true
      return seen?.requestHash != null
    })
    await vi.waitFor(async () => expect(isSecondDeciding || (await asOwner(waiting)).length > 0).toBe(true), 20_000)
    await redeem(found, tokenizedCard('tok_first'), { requestHash: Buffer.alloc(32), deviceSession: null })
  })
  expect(await second).toBe(true)
})

test('a card that a partner loads was sealed for that partner and purpose', async () => {
  const load = (encryptedCardNumber: string, tenant = 'skyharbor') =>
    post('/api/loaded-cards', { tenant, encryptedCardNumber })
  const error = (code: string) => [422, { error: code }]
  expect(await load(await seal({ intent: 'x' }))).toEqual(error('TAMPERED'))
  expect(await load(await loaded({ purpose: 'other' }))).toEqual(error('TAMPERED'))
  expect(await load(await loaded(), 'orchard')).toEqual(error('WRONG_HOLDER'))
  // The seal is valid until the moment it ends.
  now = new Date(expiresAt(now) * SECOND)
  const ending = await loaded({ exp: expiresAt(now) })
  expect((await load(ending))[0]).toBe(200)
  now = new Date(now.getTime() + 1)
  expect(await load(ending)).toEqual(error('INTENT_EXPIRED'))
  expect(await load(await loaded({ expires: '2020-01' }))).toEqual(error('EXPIRED_CARD'))
  expect(await load(await loaded({ number: declinedNumber() }))).toEqual(error('DECLINED'))
  const number = cardNumber()
  const [status, first] = await load(await loaded({ number }))
  const [, again] = await load(await loaded({ number, expires: '2032-01' }))
  expect([status, again.token, again.expires]).toEqual([200, first.token, '2032-01'])
  const [, elsewhere] = await load(await loaded({ number, tenant: 'orchard' }), 'orchard')
  expect([elsewhere.token === first.token, elsewhere.fingerprint === first.fingerprint]).toEqual([false, false])
  expect(elsewhere.homeKey).toBe(first.homeKey)
})

test('the same expiry date is compared by holder, and a holder who typed none has the partner’s', async () => {
  const number = cardNumber()
  const typed = async (who: { tenant: string; holder: string }, expires: string): Promise<string> => {
    const intent = await openIntent(who)
    const [, card] = await exchange(await seal({ ...who, intent, number, expires }), who)
    return card.token
  }
  const elsewhere = { tenant: 'orchard', holder: 'ada2' }
  const token = await typed(ada, '2031-12')
  await typed(elsewhere, '2031-12')
  await typed({ tenant: 'orchard', holder: 'bob' }, '2031-11')
  const same = async (home: object, who: object = ada) =>
    (await post('/api/tokens/same-expiry', { ...who, token, home }))[1].same
  expect(await same(elsewhere)).toBe(true)
  expect(await same({ tenant: 'orchard', holder: 'bob' })).toBe(false)
  expect(await same({ tenant: 'gallonaire', holder: 'ada2' })).toBe(false)
  expect(await same(elsewhere, { tenant: 'gallonaire', holder: 'ada' })).toBe(false)
  // A holder who enters the card again has a new date.
  await typed(ada, '2032-06')
  expect(await same(elsewhere)).toBe(false)
  await typed(elsewhere, '2032-06')
  expect(await same(elsewhere)).toBe(true)
  const nothingTyped = { tenant: 'beacon', holder: 'ada3' }
  await post('/api/loaded-cards', {
    tenant: 'beacon',
    encryptedCardNumber: await loaded({ number, tenant: 'beacon', expires: '2032-06' }),
  })
  expect(await same(nothingTyped)).toBe(true)
  await typed(nothingTyped, '2032-07')
  expect(await same(nothingTyped)).toBe(false)
  // What a holder has typed goes with the account; the card stays for the others.
  await post('/api/tokens/forget', { tenant: 'orchard', tokens: [], holder: 'bob' })
  const holders = () => asOwner('select holder from vault.card_holders order by 1')
  expect((await holders()).map(({ holder }) => holder)).not.toContain('bob')
  await post('/api/tokens/forget', { tenant: 'orchard', tokens: [token] })
  expect(await asOwner('select 1 from vault.cards where token = $1', [token])).toHaveLength(1)
  await post('/api/tokens/forget', { tenant: 'skyharbor', tokens: [token], holder: 'ada' })
  expect(await asOwner('select 1 from vault.cards where token = $1', [token])).toEqual([])
  expect(await asOwner('select 1 from vault.intents where token = $1', [token])).toEqual([])
  expect((await holders()).map(({ holder }) => holder)).toContain('ada2')
})

test('the cleanup deletes intents a day after they expired, and a failed exchange leaves the intent unused', async () => {
  const [old, recent] = [await openIntent(), await openIntent()]
  const setEnd = (id: string, end: Date) => asOwner('update vault.intents set expires_at = $1 where id = $2', [end, id])
  await setEnd(old, new Date(Date.now() - DAY - MINUTE))
  await setEnd(recent, new Date(Date.now() - DAY + MINUTE))
  await store.purgeExpiredIntents()
  const left = await asOwner('select id from vault.intents where id = any($1)', [[old, recent]])
  expect(left).toEqual([{ id: recent }])
  const open = await openIntent()
  const failing = store.withIntent(open, async (intent, { redeem }) => {
    if (!intent) throw new Error('no intent')
    await redeem(intent, tokenizedCard('tok_x'), { requestHash: Buffer.alloc(32), deviceSession: null })
    throw new Error('the process fails here')
  })
  await expect(failing).rejects.toThrow('fails here')
  expect(await asOwner('select used_at, token from vault.intents where id = $1', [open])).toEqual([
    { used_at: null, token: null },
  ])
  expect(await asOwner(`select 1 from vault.cards where token = 'tok_x'`)).toEqual([])
})

test('Case 99 a holder has at most twenty unused permissions to enter a card, also when forty are requested at once', async () => {
  expect(maxUnusedIntents).toBe(20)
  const holder = 'many'
  const first = await openIntent({ holder })
  for (let index = 1; index < 20; index++) await openIntent({ holder })
  expect(await store.liveIntent(first)).toBeDefined()
  const other = await openIntent({ holder: 'another' })
  const last = await openIntent({ holder })
  expect([await store.liveIntent(first), await store.liveIntent(other), await store.liveIntent(last)]).toEqual([
    undefined,
    expect.anything(),
    expect.anything(),
  ])
  await Promise.all(Array.from({ length: 40 }, () => openIntent({ holder })))
  expect(await asOwner('select count(*)::int as count from vault.intents where holder = $1', [holder])).toEqual([
    { count: 20 },
  ])
})

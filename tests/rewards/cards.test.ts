import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { deriveVaultKeys } from '../../vault/keys.ts'
import { openSealed } from '../../vault/sealed-card.ts'
import { checkHolder } from '../../vault/tokenize.ts'
import { asOwner, setBotCheck, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import {
  cardForm as form,
  newMember as join,
  linkCard,
  seal as sealFor,
  signIn,
  type TestMember,
} from '../support/members.ts'
import { cardNumber, declinedNumber, sealCard } from '../support/sealed-card.ts'

const app = setUpTestApp()

const keys = () => deriveVaultKeys(app.settings.VAULT_SECRET)
/** Runs work without the bot check, by which the attempts of a session wait for each other. */
async function concurrently<T>(work: () => Promise<T>): Promise<T> {
  await setBotCheck('skyharbor', false, app)
  return work().finally(() => setBotCheck('skyharbor', true, app))
}
const newMember = (partner?: string) => join(app, partner)
const seal = (holder: TestMember, number: string) => sealFor(app, holder, number)
const link = (holder: TestMember, number?: string, claims: Record<string, unknown> = {}) =>
  linkCard(app, holder, number, { claims })

test('LINK-032 API-029 API-027 an encrypted card is linked and listed, and makes its owner a card member', async () => {
  const holder = await newMember()
  const { response, number } = await link(holder)
  expect(response.json().cardRegistration[0]).toMatchObject({
    memberCard: { cardType: 'visa', description: 'Visa', lastFour: number.slice(-4) },
  })
  expect((await holder.visitor.get('/api/Member/Cards')).json()).toHaveLength(1)
  expect((await holder.visitor.get('/api/Member')).json().memberType).toBe('EnrolledCardMember')
})

test('the vault gets the session of the card provider that the browser sent with a card, and no other text', async () => {
  const holder = await newMember()
  const session = keys().openSession(new Date())
  for (const sent of [session, `${session}!`]) {
    const number = cardNumber()
    const body = form(number, await seal(holder, number))
    const response = await holder.visitor.change('POST', '/api/Member/Cards', body, { 'x-card-session': sent })
    expect(response.json().cardRegistration[0].error).toBeUndefined()
  }
  const stored = await asOwner(
    app,
    'select device_session as session from vault.intents where holder = $1 and used_at is not null order by used_at',
    [holder.publicId],
  )
  expect(stored).toEqual([{ session }, { session: null }])
})

test('LINK-008 LINK-023 VAL-017 without the consent nothing is linked, and the consent is stored verbatim', async () => {
  const holder = await newMember()
  const number = cardNumber()
  const body = { ...form(number, await seal(holder, number)), directFileFeedOptIn: false }
  const rejected = await holder.visitor.change('POST', '/api/Member/Cards', body)
  expect(rejected.json()).toEqual([
    {
      field: 'directFileFeedOptIn',
      message: 'Linking a card and authorizing activity monitoring is required to complete and earn rewards.',
    },
  ])
  await link(holder)
  const consents = await app.database.pools
    .forPartner('skyharbor')
    .selectFrom('consents')
    .select('consent_text as text')
    .where('channel', '=', 'card')
    .execute()
  expect(consents.at(-1)?.text).toContain('I link this card and authorize Skyharbor Miles Dining')
})

test('while the vault fails, linking fails with 503, and no bot check follows', async () => {
  const holder = await newMember()
  const tries = []
  await asOwner(app, 'alter table vault.cards rename to unavailable')
  try {
    for (let tried = 0; tried < 3; tried++) tries.push((await link(holder)).response)
  } finally {
    await asOwner(app, 'alter table vault.unavailable rename to cards')
  }
  expect(tries.map((response) => [response.status, response.json().code])).toEqual(
    Array(3).fill([503, 'vaultUnavailable']),
  )
  expect((await link(holder)).response.status).toBe(200)
})

test('LINK-015 each rejection by the vault has its code and its message', async () => {
  const holder = await newMember()
  const getLinkError = async (number: string, over = {}) =>
    (await link(holder, number, over)).response.json().cardRegistration[0].error
  expect(await getLinkError(declinedNumber())).toEqual({
    code: 'DECLINED',
    message: 'The card issuer declined to link this card.',
  })
  expect(await getLinkError(cardNumber(), { expires: '2020-01' })).toEqual({
    code: 'EXPIRED_CARD',
    message: 'This card has expired.',
  })
  expect(await getLinkError('4000000000000001')).toMatchObject({ code: 'INVALID_CARD' })
  expect(await getLinkError(cardNumber(), { exp: 1 })).toMatchObject({ code: 'INTENT_EXPIRED' })
  expect(await getLinkError(cardNumber(), { holder: 'someone-else-entirely' })).toMatchObject({ code: 'WRONG_HOLDER' })
  expect(await getLinkError(cardNumber(), { tenant: 'orchard' })).toMatchObject({ code: 'WRONG_HOLDER' })
  const { number } = await link(holder)
  expect(await getLinkError(number)).toMatchObject({ code: 'DUPLICATE' })
  const other = await newMember()
  expect((await link(other, number)).response.json().cardRegistration[0].error).toMatchObject({
    code: 'ALREADY_LINKED',
  })
})

test('Case 1 the same request sent again, concurrently or later, links once and gets the same response', async () => {
  const holder = await newMember()
  const number = cardNumber()
  const body = form(number, await seal(holder, number))
  const responses = await concurrently(() =>
    Promise.all(Array.from({ length: 10 }, () => holder.visitor.change('POST', '/api/Member/Cards', body))),
  )
  responses.push(await holder.visitor.change('POST', '/api/Member/Cards', body))
  expect(new Set(responses.map((response) => response.text)).size).toBe(1)
  expect((await holder.visitor.get('/api/Member/Cards')).json()).toHaveLength(1)
})

test('Case 1 an idempotency key with a different request is rejected', async () => {
  const holder = await newMember()
  const headers = { 'idempotency-key': 'a-key-of-the-client' }
  const [a, b] = [cardNumber(), cardNumber()]
  expect(
    (await holder.visitor.change('POST', '/api/Member/Cards', form(a, await seal(holder, a)), headers)).status,
  ).toBe(200)
  expect(
    (await holder.visitor.change('POST', '/api/Member/Cards', form(b, await seal(holder, b)), headers)).status,
  ).toBe(422)
})

test('Case 15 an encrypted card is valid for its member, its program and its intent, once', async () => {
  const [holder, other] = [await newMember(), await newMember()]
  const neighbor = await newMember('gallonaire')
  const { sealed, number } = await link(holder)
  const replayed = await other.visitor.change('POST', '/api/Member/Cards', form(number, sealed))
  expect(replayed.json().cardRegistration[0].error.code).toBe('WRONG_HOLDER')
  const moved = await neighbor.visitor.change('POST', '/api/Member/Cards', form(number, sealed))
  expect(moved.json().cardRegistration[0].error.code).toBe('WRONG_HOLDER')
  const claims = await openSealed(keys(), sealed)
  const another = cardNumber()
  const second = await sealCard(keys().publicJwk, { ...claims, number: another })
  const used = await holder.visitor.change('POST', '/api/Member/Cards', form(another, second))
  expect(used.json().cardRegistration[0].error.code).toBe('INTENT_USED')
})

test('Case 15 of 1,000 encrypted cards with one changed character none can be decrypted, and an unchanged one can', async () => {
  const sealed = await sealCard(keys().publicJwk, {
    number: '4000000000000002',
    expires: '2031-12',
    intent: 'i',
    tenant: 't',
    holder: 'h',
    exp: 1,
  })
  expect(await openSealed(keys(), sealed)).not.toBeNull()
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  let opened = 0
  for (let round = 0; round < 1_000; round++) {
    const at = (round * 7919) % sealed.length
    // The last characters of a part may carry unused bits.
    if (sealed[at] === '.' || sealed[at + 1] === '.' || at === sealed.length - 1) continue
    const other = alphabet[(alphabet.indexOf(sealed[at] as string) + 1 + (round % 60)) % 64] as string
    if (await openSealed(keys(), sealed.slice(0, at) + other + sealed.slice(at + 1))) opened++
  }
  expect(opened).toBe(0)
  // Counterpart: without the check of the bearer, another member's encrypted card would pass.
  const intent = {
    id: 'i',
    tenant: 't',
    holder: 'h',
    parentOrigin: '',
    brands: [],
    expiresAt: new Date('2999-01-01'),
    requestHash: null,
    token: null,
  }
  const card = {
    number: '4000000000000002',
    expires: '2031-12',
    intent: 'i',
    tenant: 't',
    holder: 'h',
    exp: 32503680000,
  }
  expect(checkHolder(card, intent, { tenant: 't', holder: 'h' }, new Date())).toBeNull()
  expect(checkHolder(card, intent, { tenant: 't', holder: 'x' }, new Date())).toBe('WRONG_HOLDER')
  const now = new Date('2026-03-10T12:00:00Z')
  const endsAt = (ms: number) => new Date(now.getTime() + ms)
  const check = (expiresAt: Date, exp: number) =>
    checkHolder({ ...card, exp }, { ...intent, expiresAt }, { tenant: 't', holder: 'h' }, now)
  // Both the intent and what was sealed for it expire.
  const seconds = now.getTime() / 1000
  expect([check(now, seconds), check(endsAt(-1), seconds), check(now, seconds - 1)]).toEqual([
    null,
    'INTENT_EXPIRED',
    'INTENT_EXPIRED',
  ])
})

test('LINK-004 LINK-017 API-031 deleting the last card closes the account and signs the member out everywhere', async () => {
  const holder = await newMember()
  const elsewhere = visit(app, 'skyharbor')
  expect((await signIn(elsewhere, holder.form.email)).status).toBe(200)
  await link(holder)
  await link(holder)
  const cards = (await holder.visitor.get('/api/Member/Cards')).json<{ id: string }[]>()
  expect((await holder.visitor.change('DELETE', `/api/Member/Cards?id=${cards[0]?.id}`)).json()).toBe(true)
  const removedAt = () => asOwner(app, 'select removed_at from cards where public_id = $1', [cards[0]?.id])
  const first = await removedAt()
  // A second click on the same card deletes nothing more: transactions between the two do not earn.
  expect((await holder.visitor.change('DELETE', `/api/Member/Cards?id=${cards[0]?.id}`)).json()).toBe(true)
  expect(await removedAt()).toEqual(first)
  expect(first).not.toEqual([{ removed_at: null }])
  expect((await holder.visitor.get('/api/Member/Cards')).json()).toHaveLength(1)
  expect((await holder.visitor.change('DELETE', `/api/Member/Cards?id=${cards[1]?.id}`)).json()).toBe(true)
  expect((await holder.visitor.get('/api/Member')).status).toBe(401)
  expect((await elsewhere.get('/api/Member')).status).toBe(401)
})

test('LINK-004 a deletion is rejected when the account would be closed, or stay open, otherwise than the member was told', async () => {
  const holder = await newMember()
  await link(holder)
  await link(holder)
  const [first, second] = (await holder.visitor.get('/api/Member/Cards')).json<{ id: string }[]>()
  const remove = async (card: { id: string } | undefined, closesAccount: boolean) => {
    const path = `/api/Member/Cards?id=${card?.id}&closesAccount=${closesAccount}`
    const { status, json } = await holder.visitor.change('DELETE', path)
    return [status, status === 409 ? json().code : json()]
  }
  expect(await remove(first, true)).toEqual([409, 'cardsChanged'])
  expect(await remove(first, false)).toEqual([200, true])
  // Another window still shows two cards.
  expect(await remove(second, false)).toEqual([409, 'cardsChanged'])
  expect((await holder.visitor.get('/api/Member')).status).toBe(200)
  expect(await remove(second, true)).toEqual([200, true])
  expect((await holder.visitor.get('/api/Member')).status).toBe(401)
})

test('ROLE-017 Case 19 another member’s card is not found', async () => {
  const [holder, other] = [await newMember(), await newMember()]
  const { response } = await link(holder)
  await link(other)
  const { id } = response.json().cardRegistration[0].memberCard
  expect((await other.visitor.change('DELETE', `/api/Member/Cards?id=${id}`)).status).toBe(404)
  expect((await holder.visitor.get('/api/Member/Cards')).json()).toHaveLength(1)
})

test('Case 11 LINK-011 concurrently added cards never exceed the maximum', async () => {
  const holder = await newMember()
  const sealed = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const number = cardNumber()
      return { number, sealed: await seal(holder, number) }
    }),
  )
  await concurrently(() =>
    Promise.all(
      sealed.map(({ number, sealed: text }) => holder.visitor.change('POST', '/api/Member/Cards', form(number, text))),
    ),
  )
  expect((await holder.visitor.get('/api/Member/Cards')).json()).toHaveLength(12)
})

test('Case 13 no card number is anywhere in the databases, the logs or the responses', async () => {
  const holder = await newMember()
  const numbers: string[] = []
  const responses: string[] = []
  for (let card = 0; card < 10; card++) {
    const { response, number } = await link(holder)
    numbers.push(number)
    responses.push(response.text)
  }
  const places = [responses.join(), app.logs.join(), await dump()]
  for (const number of numbers) {
    for (const place of places) expect(place.includes(number)).toBe(false)
  }
  // Counterpart: the search finds a planted number.
  await sql`insert into feature_flags (kind, name, value) values ('filters', 'planted', ${JSON.stringify(numbers[0])})`.execute(
    app.database.pools.forPartner('skyharbor'),
  )
  expect((await dump()).includes(numbers[0] as string)).toBe(true)
})

/** Returns every row of every table as text, including the vault's, read as the owner without row-level security. */
async function dump(): Promise<string> {
  const { default: pg } = await import('pg')
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  try {
    const { rows: tables } = await owner.query(
      "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('public', 'vault') and table_type = 'BASE TABLE'",
    )
    const texts: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query(`select t::text as row from ${name} t`)
      texts.push(...rows.map(({ row }) => row))
    }
    return texts.join('\n')
  } finally {
    await owner.end()
  }
}

test('the vault’s API is for the app only, and its frame only for the page it was created for', async () => {
  const holder = await newMember()
  const intent = (await holder.visitor.change('POST', '/api/Member/Cards/Intent', { attempt: 1 })).json()
  const sendToVault = (path: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) =>
    import('../../src/platform/http/outbound-fetch.ts').then(({ outboundFetch }) =>
      outboundFetch(`http://vault.localhost:${app.port}${path}`, init),
    )
  for (const authorization of [
    '',
    'Bearer wrong',
    `Bearer ${deriveKey(app.settings.APP_SECRET, 'vault-api').toString('base64url')}`,
  ]) {
    const response = await sendToVault('/api/tokens', {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(response.status).toBe(401)
  }
  const frame = await sendToVault(new URL(intent.frameUrl).pathname + new URL(intent.frameUrl).search)
  expect(frame.headers.get('content-security-policy')).toContain(`frame-ancestors http://${holder.visitor.host}`)
  expect(frame.headers.get('set-cookie')).toBeNull()
  const alone = await sendToVault('/frame')
  expect(alone.status).toBe(403)
  expect(alone.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(readFileSync('vault/frame/frame.ts', 'utf8')).not.toContain("'*'")
})

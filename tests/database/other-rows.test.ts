import { createECDH, randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  deletePasskey,
  insertPasskey,
  listPasskeys,
  markPasskeyVerified,
  storeChallenge,
  takeChallenge,
  updateCounter,
} from '../../src/console/operators/passkey-store.ts'
import {
  addOperator,
  changeRole,
  disableOperator,
  enableOperator,
  endConsoleSession,
  purgeConsoleSessions,
  resetPassword,
  resetSecondFactor,
  signInOperator,
} from '../../src/console/operators/service.ts'
import { setEnrollCode, takeEnrollCode } from '../../src/console/operators/store.ts'
import { addReview, redactReviews } from '../../src/dining/merchants/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { addDays } from '../../src/platform/time.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { jobsDone } from '../support/jobs-done.ts'
import { linkCard, newMember, recoveryCodeOf, signIn, type Visitor } from '../support/members.ts'
import { addMerchants, merchantRecord } from '../support/merchants.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { countChanges, readRows } from '../support/row-changes.ts'

const app = setUpTestApp({ PUSH_HOSTS: '127.0.0.1:9' })
const partner = 'skyharbor'
let merchant: { publicId: string }
beforeAll(async () => {
  await withoutBotCheck(partner, app)
  merchant = await addMerchantWithTables(app.database.pools.shared, { seats: Array.from({ length: 20 }, () => 2) })
})

/** Returns every row once the emails of the last requests are sent, which changes their rows. */
async function readRowsAfterJobs() {
  await jobsDone(app.database)
  return readRows(app.database)
}

const today = () => new Date().toISOString().slice(0, 10)

async function send(visitor: Visitor, method: string, url: string, body?: unknown) {
  const response = await visitor.change(method, url, body)
  expect([url, response.status < 300 || response.text]).toEqual([url, true])
  return response.status === 204 ? undefined : response.json()
}

type Member = Awaited<ReturnType<typeof newMember>> & {
  device: ReturnType<typeof createFakeAuthenticator>
  /** Another browser of the member. */
  browser: Visitor
  ids: Record<string, string>
}

async function join(): Promise<Member> {
  const member = await newMember(app, partner, { source: 'EMAIL-NMB' })
  const [device, browser] = [createFakeAuthenticator(app.origin(partner)), visit(app, partner)]
  await send(browser, 'POST', '/api/SignIn', { userName: member.form.email, password: member.form.password })
  return { ...member, device, browser, ids: {} }
}

async function addPasskey({ visitor, device, ids }: Member, name: string, from = device): Promise<void> {
  const { challenge } = await send(visitor, 'POST', '/api/Member/Passkeys/Options', {})
  const credential = JSON.parse(from.create(challenge))
  ids[name] = (await send(visitor, 'POST', '/api/Member/Passkeys', { name, credential })).id
}

const pushRequest = (endpoint: string) => {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const keys = { p256dh: curve.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') }
  return { endpoint, keys, timeZone: 'UTC' }
}

/** Adds whatever a member can have, and twice what `changeAccount` changes once. */
async function fillAccount(member: Member): Promise<void> {
  const { visitor, browser, ids } = member
  for (let card = 0; card < 2; card++) expect((await linkCard(app, member)).response.status).toBe(200)
  await addPasskey(member, 'Laptop')
  await addPasskey(member, 'Phone', createFakeAuthenticator(app.origin(partner)))
  ids.endpoint = `http://127.0.0.1:9/${randomBytes(8).toString('hex')}`
  for (const endpoint of [ids.endpoint, `${ids.endpoint}-2`])
    await send(visitor, 'POST', '/api/Member/Push', pushRequest(endpoint))
  await send(visitor, 'PUT', '/api/Member/Notices', { topic: 'rewardPosted', channel: 'email', wanted: true })
  await send(visitor, 'POST', '/api/Member/Bonus/SKY-NMB')
  const claim = { date: addDays(today(), -12), merchantName: 'Corner Bistro', amount: '48.00', note: 'Window seat.' }
  await send(visitor, 'POST', '/api/Member/Claims', claim)
  for (const [name, days] of Object.entries({ kept: 2, changed: 4, canceled: 6 })) {
    const request = { merchantId: merchant.publicId, date: addDays(today(), days), time: '19:00', partySize: 2 }
    await send(visitor, 'POST', '/api/Member/Reservations/Holds', request)
    ids[name] = (await send(visitor, 'POST', '/api/Member/Reservations', request)).id
  }
  await send(visit(app, partner), 'POST', '/api/Members/Recover', { userName: member.form.email })
  ids.code = await recoveryCodeOf(app, member.form.email)
  ids.challenge = (await send(browser, 'POST', '/api/SignIn/Passkey/Options', {})).challenge
  await send(visitor, 'POST', '/api/Member/Passkeys/Options', {})
}

/** Changes or ends one of each. */
async function changeAccount(member: Member): Promise<void> {
  const { visitor, browser, ids, device } = member
  await send(visitor, 'PUT', '/api/Member/Consents', { channel: 'email', topic: 'offers', granted: false })
  const form = { firstName: 'Grace', lastName: 'Hopper', zipCode: '10002', address1: '2 Main Street', city: 'New York' }
  await send(visitor, 'PUT', '/api/Member', { ...form, state: 'NY' })
  await send(visitor, 'PUT', '/api/Member/Notices', { topic: 'rewardPosted', channel: 'email', wanted: false })
  await send(visitor, 'POST', '/api/Member/Push', pushRequest(ids.endpoint as string))
  await send(visitor, 'POST', '/api/Member/Push/Remove', { endpoint: ids.endpoint })
  const credential = JSON.parse(device.get(ids.challenge as string, 1))
  await send(browser, 'POST', '/api/SignIn/Passkey', { credential, rememberMe: false })
  await send(visitor, 'DELETE', `/api/Member/Passkeys?id=${ids.Phone}`)
  const when = { date: addDays(today(), 5), time: '20:00', partySize: 2 }
  await send(visitor, 'PUT', `/api/Member/Reservations/${ids.changed}`, when)
  await send(visitor, 'DELETE', `/api/Member/Reservations/${ids.canceled}`)
  const [card] = await visitor.get('/api/Member/Cards').then((response) => response.json())
  await send(visitor, 'DELETE', `/api/Member/Cards?id=${card.id}`)
  const [other] = (await visitor.get('/api/Member/Sessions'))
    .json()
    .filter(({ current }: { current: boolean }) => !current)
  await send(visitor, 'DELETE', `/api/Member/Sessions?id=${other.id}`)
}

/** Exchanges the emailed code. */
async function confirmCode({ ids }: Member): Promise<void> {
  ids.resetToken = (
    await send(visit(app, partner), 'POST', '/api/Members/Recover/Confirm', { code: ids.code })
  ).resetToken
}

/** Sets a new password, signs out and in again, and deletes the account. */
async function endAccount({ form, ids }: Member): Promise<void> {
  const password = 'another kettle of fish'
  const reset = { resetToken: ids.resetToken, password, passwordConfirm: password }
  await send(visit(app, partner), 'POST', '/api/Members/Recover/Update', reset)
  const visitor = visit(app, partner)
  expect((await signIn(visitor, form.email, { password })).status).toBe(200)
  await visitor.get('/api/SignOut')
  expect((await signIn(visitor, form.email, { password })).status).toBe(200)
  await send(visitor, 'POST', '/api/Member/Delete', { confirmation: 'DELETE' })
}

test('what a member does changes no other row, from joining to the deletion of the account', async () => {
  // One has an emailed code, the other one has exchanged it.
  for (const isConfirmed of [false, true]) {
    const other = await join()
    await fillAccount(other)
    if (isConfirmed) await confirmCode(other)
  }
  const others = await readRowsAfterJobs()
  const member = await join()
  await fillAccount(member)
  const filled = await readRowsAfterJobs()
  await changeAccount(member)
  // One of each, also where the member has several; two passkeys: one was used, the other one removed.
  expect(countChanges(filled, await readRowsAfterJobs())).toEqual({
    card_homes: 1,
    cards: 1,
    // The member has linked two cards: removing one ends the stored responses of both requests.
    idempotency_keys: 2,
    // What the member is found by in the console: the changed address, name and card.
    member_terms: 4,
    members: 1,
    notification_preferences: 1,
    passkey_challenges: 1,
    passkeys: 2,
    push_subscriptions: 1,
    reservations: 2,
    sessions: 1,
    table_bookings: 2,
  })
  await confirmCode(member)
  await endAccount(member)
  expect(countChanges(others, await readRowsAfterJobs())).toEqual({})
})

test('a restaurant that is imported, reviewed or redacted leaves the other ones as they are', async () => {
  const pool = app.database.pools.shared
  const record = (sourceId: string, over: object = {}) =>
    merchantRecord({
      sourceId,
      tables: [
        { name: 'A', seats: 2 },
        { name: 'B', seats: 2 },
      ],
      reviews: [{ rating: 4, author: 'Ada L.', body: 'Fine.', visitedOn: '2026-01-05' }],
      ...over,
    })
  await addMerchants(pool, record('one'), record('two'))
  const before = await readRows(app.database)
  await addMerchants(pool, record('one', { description: 'Newly painted.', tables: [{ name: 'A', seats: 4 }] }))
  const imported = { merchants: 1, merchant_offers: 1, merchant_reviews: 1, merchant_tables: 2 }
  expect(countChanges(before, await readRows(app.database))).toEqual(imported)
  const tables = await asOwner(
    app,
    `select t.name, seats, in_use from merchant_tables t join merchants m on m.id = t.merchant_id
     where m.source_id = 'one' order by t.name`,
  )
  expect(tables).toEqual([
    { name: 'A', seats: 4, in_use: true },
    { name: 'B', seats: 2, in_use: false },
  ])
  const [one] = await asOwner<{ id: string }>(app, "select id from merchants where source_id = 'one'")
  const review = { merchantId: Number(one?.id), rating: 5, author: 'Grace H.', body: 'Good.', visitedOn: '2026-02-05' }
  const ids = await inTransaction(pool, async (tx) => [await addReview(tx, review), await addReview(tx, review)])
  const reviewed = await readRows(app.database)
  expect(countChanges(before, reviewed)).toEqual(imported)
  await inTransaction(pool, (tx) => redactReviews(tx, ids.slice(0, 1)))
  expect(countChanges(reviewed, await readRows(app.database))).toEqual({ merchant_reviews: 1 })
})

describe('operators', () => {
  const db = () => app.database.consolePools.shared
  const lockKey = randomBytes(32)
  const password = 'sourdough 4 breakfast'

  /** Adds an operator with two passkeys, a code for a third one, a session with an open challenge, and a browser. */
  async function addWithSession(name: string) {
    const email = `${name}@dineback.example`
    const code = randomBytes(32)
    await addOperator(db(), { email, name, password, role: 'editor', partners: null })
    const id = (await setEnrollCode(db(), email, code)) as number
    const addPasskeys = () =>
      inTransaction(db(), async (tx) => {
        for (const credentialId of [`${name} 1`, `${name} 2`])
          await insertPasskey(tx, { operatorId: id, credentialId, publicKey: code, counter: 1, transports: [], name })
      })
    await addPasskeys()
    const signIn = (device?: string) => signInOperator(db(), { email, password, lockKey, device })
    const session = await signIn()
    const idHash = tokenHash(session?.id ?? '')
    await storeChallenge(db(), idHash, 'challenge')
    return { email, id, code, idHash, session, addPasskeys, signIn }
  }

  test('what an operator does, and what is done to one, changes no row of another operator', async () => {
    const disabled = await addWithSession('vera')
    await disableOperator(db(), disabled.email)
    await disabled.addPasskeys()
    const other = await addWithSession('una')
    const { email, id, code, idHash, session, signIn } = await addWithSession('wanda')
    const filled = await readRows(app.database)
    await storeChallenge(db(), idHash, 'another')
    expect(await takeChallenge(db(), idHash)).toBe('another')
    const [used, unused] = await listPasskeys(db(), id)
    await inTransaction(db(), async (tx) => {
      await updateCounter(tx, used?.id as number, 2)
      await markPasskeyVerified(tx, idHash)
      expect(await takeEnrollCode(tx, id, other.code)).toBe(false)
      expect(await takeEnrollCode(tx, id, code)).toBe(true)
    })
    await deletePasskey(db(), id, unused?.id as number)
    await signIn(session?.device)
    await endConsoleSession(db(), idHash)
    await changeRole(db(), { email, role: 'admin', partners: null })
    const ofOne = {
      'console.grants': 1,
      'console.known_devices': 1,
      'console.operators': 1,
      'console.passkeys': 2,
      'console.sessions': 1,
    }
    expect(countChanges(filled, await readRows(app.database))).toEqual(ofOne)
    await resetPassword(db(), email, `${password} twice`)
    await resetSecondFactor(db(), email, 'code')
    await disableOperator(db(), email)
    await enableOperator(db(), email)
    expect(countChanges(filled, await readRows(app.database))).toEqual(ofOne)
    const ageDevices = (interval: string) =>
      asOwner(app, `update console.known_devices set used_at = now() - interval '${interval}'`)
    const countDevices = async () => (await asOwner(app, 'select from console.known_devices')).length
    await ageDevices('1 year -1 minute')
    const before = await countDevices()
    await purgeConsoleSessions(db())
    expect(await countDevices()).toBe(before)
    await ageDevices('1 year 1 minute')
    await purgeConsoleSessions(db())
    expect(await countDevices()).toBe(0)
  })
})

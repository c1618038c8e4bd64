import { createECDH, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { maxCodes } from '../../src/identity/recovery/rules.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember, signIn, type TestMember, type Visitor } from '../support/members.ts'

const app = setUpTestApp()

/** Starts requests of many browsers at once, and returns how many ended with each status. */
async function statusesOf(
  browsers: readonly Visitor[],
  send: (browser: Visitor, index: number) => ReturnType<Visitor['change']>,
): Promise<Record<number, number>> {
  // The tokens first, so that the requests arrive together.
  for (const browser of browsers) await browser.token()
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(browsers.map(send))) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Further browsers of a member's session, each with a network address of its own. */
const browsersOf = ({ visitor }: TestMember, count: number) =>
  Array.from({ length: count }, () => visit(app, 'skyharbor', { cookies: visitor.cookies }))

test('Case 99 a member has at most ten browsers that get notifications, also when twenty are added at once', async () => {
  const member = await newMember(app)
  const subscribe = (browser: Visitor, index: number) => {
    const curve = createECDH('prime256v1')
    curve.generateKeys()
    const keys = { p256dh: curve.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') }
    const endpoint = `https://fcm.googleapis.com/fcm/send/${index}`
    return browser.change('POST', '/api/Member/Push', { endpoint, keys, timeZone: 'America/New_York' })
  }
  expect(await statusesOf(browsersOf(member, 20), subscribe)).toEqual({ 200: 20 })
  expect((await member.visitor.get('/api/Member/Notices')).json().devices).toBe(10)
})

test('Case 99 of the passkeys that five sessions of a member add at once, the tenth is the last', async () => {
  const { form, publicId } = await newMember(app)
  await asOwner(
    app,
    `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name)
     select partner_id, id, 'own-' || n, '', 0, 'Laptop' from members, generate_series(1, 9) n where public_id = $1`,
    [publicId],
  )
  // Each session has a challenge of its own.
  const sessions = Array.from({ length: 5 }, () => visit(app, 'skyharbor'))
  for (const session of sessions) expect((await signIn(session, form.email)).status).toBe(200)
  const credentials: unknown[] = []
  for (const session of sessions) {
    const begun = await session.change('POST', '/api/Member/Passkeys/Options', {})
    const device = createFakeAuthenticator(app.origin('skyharbor'))
    credentials.push(JSON.parse(device.create(begun.json().challenge)))
  }
  const add = (session: Visitor, index: number) =>
    session.change('POST', '/api/Member/Passkeys', { name: 'Phone', credential: credentials[index] })
  expect(await statusesOf(sessions, add)).toEqual({ 200: 1, 409: 4 })
  expect((await sessions[0]?.get('/api/Member/Passkeys'))?.json()).toHaveLength(10)
})

test('Case 99 a member changes the profile at most a hundred times a day, also eight times at once', async () => {
  const member = await newMember(app)
  await asOwner(
    app,
    `insert into audit_entries (partner_id, actor, member_id, action, previous_hash, hash)
     select partner_id, 'test', id, 'member.changed', '', '' from members, generate_series(1, 98) where public_id = $1`,
    [member.publicId],
  )
  const change = (browser: Visitor, index: number) =>
    browser.change('PUT', '/api/Member', {
      ...{ firstName: `Grace${'abcdefgh'[index]}`, lastName: 'Hopper', zipCode: '10001', emailOptIn: true },
      ...{ address1: '1 Main Street', city: 'New York', state: 'NY' },
    })
  expect(await statusesOf(browsersOf(member, 8), change)).toEqual({ 200: 2, 429: 6 })
})

test('RECV-001 Case 99 five codes are sent to a mailbox in half an hour, also when twelve people request one at once', async () => {
  await withoutBotCheck('gallonaire', app)
  const { form } = await newMember(app, 'gallonaire')
  const strangers = Array.from({ length: 12 }, () => visit(app, 'gallonaire'))
  const request = (stranger: Visitor) => stranger.change('POST', '/api/Members/Recover', { userName: form.email })
  expect(await statusesOf(strangers, request)).toEqual({ 202: 12 })
  await expect
    .poll(async () => (await asOwner(app, 'select 1 from recovery_requests')).length, { timeout: 20_000 })
    .toBe(0)
  const emails = await asOwner(app, "select 1 from emails where recipient = $1 and topic = 'recovery.code'", [
    form.email,
  ])
  expect(emails).toHaveLength(maxCodes)
})

import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { needsCsrf } from '../../src/platform/call.ts'
import { asOwner, joinForm, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join } from '../support/members.ts'
import { scaled } from '../support/scale.ts'

const app = setUpTestApp()
beforeAll(async () => {
  await withoutBotCheck('gallonaire', app)
})

const newMember = () => join(app, 'gallonaire')

const getMemberRow = async (publicId: string) =>
  (await asOwner(app, 'select * from members where public_id = $1', [publicId]))[0]

/** Fields that a request must not be able to set. */
const protectedFields = [
  'tierLevel',
  'tier_level',
  'publicId',
  'public_id',
  'id',
  'memberId',
  'member_id',
  'partnerId',
  'partner_id',
  'memberType',
  'member_type',
  'active',
  'hasWebProfile',
  'balance',
  'statementCreditBalance',
  'rewards',
  'miles',
  'points',
  'role',
  'isAdmin',
  'admin',
  'operator',
  'joinDate',
  'joined_at',
  'referralCode',
  'familyId',
  'enrollmentSource',
  'mustFixCredentials',
  'must_fix_credentials',
  'deletedAt',
  'passwordHash',
  'password_hash',
  'csrfToken',
  'sessionId',
  'expiresAt',
  'remembered',
  'diningProgress',
  'activeBonuses',
  'bonusCode',
  'vip',
  'earnRate',
  'maximumCards',
  'cards',
  'creditCards',
  'consents',
  'email_opt_in',
  'sms_opt_in',
  'marketing',
  'updated_at',
  'createdAt',
  'verified',
  'emailVerified',
  'trusted',
  'interfaceType',
  'token',
  'authorization',
  '__proto__x',
  'constructor1',
  'prototype1',
  '$where',
]

test('Case 21 a member cannot set fields by naming them: 0 of 60 fields, in any body that changes a member', async () => {
  expect(protectedFields).toHaveLength(60)
  const { visitor, publicId } = await newMember()
  const before = await getMemberRow(publicId)
  const body = { channel: 'email', topic: 'offers', granted: true }
  let rejected = 0
  let current = visitor
  for (const [index, field] of protectedFields.entries()) {
    // An address may send twenty a minute.
    if (index % 20 === 0) current = (await newMember()).visitor
    const response = await current.change('PUT', '/api/Member/Consents', { ...body, [field]: 'VIP' })
    expect([field, response.status, response.text]).toEqual([field, 400, expect.stringContaining(field)])
    rejected++
  }
  for (const field of protectedFields) {
    const stranger = visit(app, 'gallonaire')
    const { csrfToken } = (await stranger.get('/api/CSRF')).json()
    const form = joinForm({ [field]: 'VIP' })
    const response = await stranger.send('POST', '/api/Members/Prospects', form, { 'x-xsrf-token': csrfToken })
    // The limit is twenty per minute and address, so each request uses its own address.
    expect([field, response.status]).toEqual([field, 400])
    rejected++
  }
  expect(rejected).toBe(120)
  expect(await getMemberRow(publicId)).toEqual(before)
  // Counterpart: a schema that allows unknown fields would have accepted it.
  const lenient = z.looseObject({ channel: z.string() }).parse({ channel: 'email', tierLevel: 'VIP' })
  expect(lenient).toHaveProperty('tierLevel', 'VIP')
})

test('Case 19 another member’s ids give no access, on every call that takes one', async () => {
  const takesId = app.partnerApp.calls.filter(
    (call) => call.access === 'member' && (/:\w+/.test(call.path) || ['DELETE'].includes(call.method)),
  )
  expect(takesId.length).toBeGreaterThan(3)
  let pairs = 0
  while (pairs < scaled({ full: 200, short: 20 })) {
    const [owner, other] = [await newMember(), await newMember()]
    const [session] = (await owner.visitor.get('/api/Member/Sessions')).json()
    const before = await asOwner(app, 'select count(*)::int as n from sessions where member_id is not null')
    const ids = [session.id, owner.publicId]
    for (const id of ids) {
      for (const call of takesId) {
        const path = call.path.replace(/:\w+/g, id)
        const address = call.path.includes(':') ? path : `${path}?id=${id}`
        const response = await other.visitor.change(call.method, address, call.body ? {} : undefined)
        expect([call.id, id, response.status < 400]).toEqual([call.id, id, false])
        expect(response.text).not.toContain(owner.form.email)
        pairs++
      }
    }
    expect(await asOwner(app, 'select count(*)::int as n from sessions where member_id is not null')).toEqual(before)
    // Counterpart: the same id works for its owner, so the other requests failed because of the requester.
    expect((await owner.visitor.change('DELETE', `/api/Member/Sessions?id=${session.id}`)).json()).toBe(true)
  }
})

test('Case 20 a public id from a link reads the reduced record and changes nothing', async () => {
  const { publicId, form } = await newMember()
  const before = await getMemberRow(publicId)
  const stranger = visit(app, 'gallonaire')
  const known = await stranger.get(`/api/Member/${publicId}`, { 'x-xsrf-token': await stranger.token() })
  for (const secret of [form.email, form.lastName, form.zipCode]) expect(known.text).not.toContain(secret)
  const bearer = { authorization: `Bearer ${known.json().token}` }
  for (const call of app.partnerApp.calls) {
    // The staging tools show everything to everyone and do not exist in production.
    if (call.access === 'machine' || call.path.startsWith('/api/staging/')) continue
    const path = call.path.replace(/:publicId/g, publicId).replace(/:\w+/g, publicId)
    const response = await stranger.change(call.method, path, call.body ? { publicId } : undefined, bearer)
    expect([call.id, response.text.includes(form.email)]).toEqual([call.id, false])
    if (call.access === 'member') expect([call.id, response.status]).toEqual([call.id, 401])
  }
  expect(await getMemberRow(publicId)).toEqual(before)
  // Counterpart: the member herself gets the complete record.
  const { visitor: own, form: ownForm } = await newMember()
  expect((await own.get('/api/Member')).text).toContain(ownForm.email)
})

test('Case 26 no call changes anything without the token of its own, live session: 0 of 500', async () => {
  const changing = app.partnerApp.calls.filter(needsCsrf)
  let changed = 0
  let tried = 0
  const { visitor: victim, form } = await newMember()
  const old = await victim.token()
  await victim.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
  const { visitor: neighbor } = await newMember()
  const foreign = await neighbor.token()
  const own = await victim.token()
  const attempts: Record<string, string>[] = [
    {},
    { 'x-xsrf-token': '' },
    { 'x-xsrf-token': 'csrf-token-unavailable' },
    { 'x-xsrf-token': old },
    { 'x-xsrf-token': foreign },
    { 'x-xsrf-token': `${own}x` },
    { 'x-xsrf-token': own.toLowerCase() },
    { 'x-xsrf-token': own, 'sec-fetch-site': 'cross-site' },
    { 'x-xsrf-token': own, 'sec-fetch-site': 'same-site' },
  ]
  while (tried < 500) {
    for (const call of changing) {
      const path = call.path.replace(/:\w+/g, 'x'.repeat(22))
      for (const headers of attempts) {
        const from = visit(app, 'gallonaire', { cookies: victim.cookies })
        const response = await from.send(call.method, path, call.body ? {} : undefined, headers)
        if (response.status !== 403) changed++
        tried++
      }
      // A request that a form on another site can send without preflight.
      const from = visit(app, 'gallonaire', { cookies: victim.cookies })
      const plain = await from.send(call.method, path, '{}', { 'content-type': 'text/plain', 'x-xsrf-token': own })
      if (call.method !== 'GET' && plain.status !== 415) changed++
      tried++
    }
  }
  expect([changed, tried >= 500]).toEqual([0, true])
  expect((await victim.get('/api/Member')).status).toBe(200)
  // Counterpart: with its own token the same session can make changes.
  expect(
    (await victim.change('PUT', '/api/Member/Consents', { channel: 'email', topic: 'offers', granted: false })).status,
  ).toBe(200)
})

test('Case 57 every cookie has its flags and every response its headers, on plain http and behind https', async () => {
  const { visitor, form } = await newMember()
  const response = await visitor.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
  const cookies = ([] as string[]).concat(response.headers['set-cookie'] as string[])
  for (const cookie of cookies) {
    const isSecret = !cookie.startsWith('session_expiry=')
    expect([cookie.split('=')[0], cookie.includes('HttpOnly')]).toEqual([cookie.split('=')[0], isSecret])
    expect(cookie).toMatch(/SameSite=Lax/)
    expect(cookie).toMatch(/Path=\//)
  }
  const { sendDevice, sendSession } = await import('../../src/identity/session/cookies.ts')
  const set: [string, Record<string, unknown>][] = []
  const reply = { setCookie: (name: string, _value: string, rules: Record<string, unknown>) => set.push([name, rules]) }
  sendSession(reply as never, { id: 'x', expiresAt: new Date(), remembered: true, signedIn: true }, { scheme: 'https' })
  sendDevice(reply as never, 'x', { scheme: 'https' })
  expect(set.map(([name]) => name)).toEqual(['__Host-sid', 'session_expiry', '__Host-device'])
  for (const [, rules] of set) expect(rules).toMatchObject({ secure: true, sameSite: 'lax', path: '/' })
  for (const call of app.partnerApp.calls.filter(({ method, access }) => method === 'GET' && access !== 'machine')) {
    const { headers } = await visitor.get(call.path.replace(/:\w+/g, 'x'.repeat(22)))
    expect([call.id, headers['x-content-type-options']]).toEqual([call.id, 'nosniff'])
    expect([call.id, headers['referrer-policy']]).toEqual([call.id, 'strict-origin-when-cross-origin'])
  }
})

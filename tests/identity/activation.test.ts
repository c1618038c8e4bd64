import { expect, test } from 'vitest'
import { loadEnrolledMember, memberColumns, readEnrolledMember } from '../../src/identity/activation/service.ts'
import { signKnownToken } from '../../src/identity/members/known-token.ts'
import { createMember } from '../../src/identity/members/service.ts'
import { audit } from '../../src/platform/database/audit.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { readObject } from '../../src/platform/files/read-rows.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { asOwner, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember } from '../support/members.ts'
import { createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
let count = 0

/** A member as loaded from a partner's file. */
function enrolled(partnerId: string, over: Record<string, unknown> = {}) {
  const details = {
    email: `enrolled${++count}@example.com`,
    first_name: 'Ada',
    last_name: 'Enrolled',
    zip_code: '10001',
    tier_level: 'NonActivated',
    ...over,
  }
  return app.database.pools
    .forPartner(partnerId)
    .transaction()
    .execute((tx) => createMember(tx, details as never))
}

async function activate(visitor: ReturnType<typeof visit>, publicId: string, token: string) {
  return visitor.change('POST', '/api/Member/Activate', { publicId }, { authorization: `Bearer ${token}` })
}
async function getActivationToken(visitor: ReturnType<typeof visit>, publicId: string): Promise<string> {
  const response = await visitor.get(`/api/Member/${publicId}`, { 'x-xsrf-token': await visitor.token() })
  return response.json().token
}

test('API-012 API-013 ACT-012 API-004 an enrolled member becomes a full one once, with the chosen consent to email', async () => {
  for (const [optIn, tier] of [
    [true, 'OptedIn'],
    [false, 'OptedOut'],
  ] as const) {
    const member = await enrolled('skyharbor', { email_opt_in: optIn })
    const visitor = visit(app, 'skyharbor')
    const token = await getActivationToken(visitor, member.public_id)
    const first = await activate(visitor, member.public_id, token)
    expect([first.status, first.json()]).toEqual([200, { publicId: member.public_id, tierLevel: tier }])
    expect((await activate(visitor, member.public_id, token)).status).toBe(409)
    const byAddress = await enrolled('skyharbor', { email_opt_in: optIn })
    const bearer = { authorization: `Bearer ${await getActivationToken(visitor, byAddress.public_id)}` }
    const path = `/api/Members/${byAddress.public_id}/Activate`
    expect((await visitor.change('POST', path, undefined, bearer)).json()).toMatchObject({ tierLevel: tier })
    expect((await visitor.change('POST', path, undefined, bearer)).status).toBe(409)
    expect((await visitor.change('POST', path)).status).toBe(401)
  }
})

test('API-004 API-026 flex offers are for the signed-in member: the bearer token of an invitation does not read them', async () => {
  const member = await enrolled('skyharbor')
  const visitor = visit(app, 'skyharbor')
  const bearer = { authorization: `Bearer ${await getActivationToken(visitor, member.public_id)}` }
  const path = `/api/merchants/any-restaurant/flex-offers/members/${member.public_id}`
  expect((await visitor.get(path, bearer)).status).toBe(401)
  const { visitor: signedIn, publicId } = await newMember(app, 'skyharbor')
  // Another member's, with the bearer token of this member.
  expect((await signedIn.get(path, bearer)).status).toBe(404)
  const own = await signedIn.get(path.replace(member.public_id, publicId))
  expect([own.status, own.json().code]).toEqual([404, 'flexOfferNotFound'])
})

test('two concurrent activations activate once', async () => {
  const member = await enrolled('skyharbor')
  const visitor = visit(app, 'skyharbor')
  const token = await getActivationToken(visitor, member.public_id)
  const ends = await Promise.all([1, 2, 3, 4].map(() => activate(visitor, member.public_id, token)))
  expect(ends.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test('Case 20 without a current token of that member and that program nothing changes', async () => {
  const member = await enrolled('beacon')
  const other = await enrolled('beacon')
  const visitor = visit(app, 'beacon')
  const wrong = [
    '',
    'x.y',
    await getActivationToken(visitor, other.public_id),
    signKnownToken(Buffer.alloc(32), 'beacon', member.public_id),
    `${Date.now() + 1e6}.${(await getActivationToken(visitor, member.public_id)).split('.')[1]}`,
  ]
  for (const token of wrong) expect((await activate(visitor, member.public_id, token)).status).toBe(401)
  expect(
    (await activate(visit(app, 'skyharbor'), member.public_id, await getActivationToken(visitor, member.public_id)))
      .status,
  ).toBe(401)
  expect((await visitor.send('POST', '/api/Member/Activate', { publicId: member.public_id })).status).toBe(403)
  const row = await app.database.pools
    .forPartner('beacon')
    .selectFrom('members')
    .select('tier_level')
    .where('id', '=', member.id)
    .executeTakeFirst()
  expect(row?.tier_level).toBe('NonActivated')
})

test('the record of a public id says whether it is the signed-in member’s own or that of another known member', async () => {
  const { visitor, publicId } = await newMember(app)
  const { public_id: other } = await enrolled('skyharbor')
  const headers = { 'x-xsrf-token': await visitor.token() }
  const typeOf = async (id: string) => (await visitor.get(`/api/Member/${id}`, headers)).json().interfaceType
  expect([await typeOf(publicId), await typeOf(other)]).toEqual(['direct', 'known'])
})

const read = (member: object) => readEnrolledMember(readObject(1, member, memberColumns))

test('a line of a partner’s file that cannot be loaded is reported by field', async () => {
  const valid = { email: 'lines@example.com', firstName: 'Ada', lastName: 'Line', zipCode: '10001' }
  expect(read({ ...valid, firstName: ' Ada ' })).toEqual({ ...valid, emailOptIn: false })
  const long = `a@${'long-domain.'.repeat(20)}of.example.us`
  const problems: [object, ...[string, string][]][] = [
    [{ ...valid, lastName: 'Li\u0000ne' }, ['lastName', 'It has a character that cannot be stored.']],
    [{ ...valid, zipCode: '1000' }, ['zipCode', '“1000” is not a ZIP code; write five digits.']],
    [
      { ...valid, zipCode: '100012', firstName: 'A'.repeat(301), lastName: 'L'.repeat(301) },
      ['zipCode', '“100012” is not a ZIP code; write five digits.'],
      ['firstName', expect.stringContaining('301 characters; it may have at most 300.')],
      ['lastName', expect.stringContaining('301 characters; it may have at most 300.')],
    ],
    [{ ...valid, email: long }, ['email', expect.stringContaining('255 characters; it may have at most 254.')]],
    [{ ...valid, email: 'ada' }, ['email', '“ada” is not an email address.']],
    [{ ...valid, partnerNumber: 'S'.repeat(31) }, ['partnerNumber', expect.stringContaining('31 characters')]],
    [{ ...valid, other: 1 }, ['other', 'There is no such column.']],
  ]
  for (const [line, ...expected] of problems)
    expect([line, read(line)]).toEqual([line, { problems: expected.map(([column, text]) => ({ column, text })) }])
  const ctx = {
    ...createTestContext(app.database, 'skyharbor'),
    program: app.programs.get('skyharbor'),
  } as Ctx
  const load = (email: string, partnerNumber: string) =>
    loadEnrolledMember(ctx, { ...valid, email, partnerNumber, emailOptIn: false })
  expect(await load('lines1@example.com', 'SKY12345670')).toMatchObject({ email: 'lines1@example.com' })
  expect(await load('lines2@example.com', 'SKY12345670')).toEqual({
    problems: [{ column: 'partnerNumber', text: 'Another member has the number “SKY12345670”.' }],
  })
  expect(await load('lines2@example.com', 'GAL1')).toEqual({
    problems: [{ column: 'partnerNumber', text: '“GAL1” is not a member number of this program.' }],
  })
  expect(await asOwner(app, "select 1 from members where email = 'lines2@example.com'")).toEqual([])
})

test('ENR-017 a partner’s file enrolls people with one name, with long ones, and with an address of 254 characters', async () => {
  const ctx = { ...createTestContext(app.database, 'skyharbor'), program: app.programs.get('skyharbor') } as Ctx
  const email = `file@${'long-domain.'.repeat(20)}exampl.us`
  const lastName = 'Featherstonehaugh-Cholmondeley-Smythe'
  const line = { firstName: 'Cher', zipCode: '10001' }
  const loaded = [
    { ...line, email: 'cher@bücher.example' },
    { ...line, email, lastName },
  ].map(read)
  expect(loaded).toEqual([
    { ...line, email: 'cher@xn--bcher-kva.example', lastName: '', emailOptIn: false },
    { ...line, email, lastName, emailOptIn: false },
  ])
  for (const member of loaded) expect(await loadEnrolledMember(ctx, member as never)).toHaveProperty('publicId')
  const stored = await asOwner(app, 'select email, last_name from members where email = any($1) order by last_name', [
    ['cher@xn--bcher-kva.example', email],
  ])
  expect([email.length, stored]).toEqual([
    254,
    [
      { email: 'cher@xn--bcher-kva.example', last_name: '' },
      { email, last_name: lastName },
    ],
  ])
})

test('Case 87 a line with the address of a member who has not verified it gives the partner no id of that member', async () => {
  const { form, publicId } = await newMember(app)
  const ctx = { ...createTestContext(app.database, 'skyharbor'), program: app.programs.get('skyharbor') } as Ctx
  const line = { firstName: 'Ada', lastName: 'Line', zipCode: '10001', emailOptIn: false }
  const load = () => loadEnrolledMember(ctx, { ...line, email: form.email })
  expect(await load()).toEqual({
    problems: [{ column: 'email', text: 'A member has joined with this address and has not verified it.' }],
  })
  await asOwner(app, 'update members set email_verified_at = now() where email = $1', [form.email])
  expect(await load()).toEqual({ email: form.email, publicId })
})

test('Case 125 a member whom the partner has enrolled, and who has typed another address since, gets nothing for that address', async () => {
  const ctx = { ...createTestContext(app.database, 'skyharbor'), program: app.programs.get('skyharbor') } as Ctx
  const line = { firstName: 'Ada', lastName: 'Line', zipCode: '10001', emailOptIn: false }
  const enrolled = await loadEnrolledMember(ctx, { ...line, email: 'enrolled-before@example.com' })
  const { publicId } = enrolled as { publicId: string }
  const browser = visit(app, 'skyharbor')
  expect((await activate(browser, publicId, await getActivationToken(browser, publicId))).status).toBe(200)
  expect(await loadEnrolledMember(ctx, { ...line, email: 'enrolled-before@example.com' })).toEqual(enrolled)
  const typed = 'somebody-else@example.com'
  await inTransaction(ctx.db, async (tx) => {
    const [member] = await tx
      .updateTable('members')
      .set({ email: typed })
      .where('public_id', '=', publicId)
      .returning('id')
      .execute()
    await audit(tx, ctx, { action: 'member.address-fixed', memberId: member?.id as number })
  })
  expect(await loadEnrolledMember(ctx, { ...line, email: typed })).toEqual({
    problems: [{ column: 'email', text: 'A member has joined with this address and has not verified it.' }],
  })
})

test('loading a line again updates an account that waits for its activation, and leaves an activated one unchanged', async () => {
  const ctxOf = (partnerId: string) =>
    ({
      ...createTestContext(app.database, 'skyharbor'),
      partnerId,
      db: app.database.pools.forPartner(partnerId),
      program: app.programs.get(partnerId),
    }) as Ctx
  const load = async (over: Record<string, unknown>, partnerId = 'skyharbor') => {
    const line = read({
      email: 'line@example.com',
      firstName: 'Ada',
      lastName: 'Line',
      zipCode: '10001',
      ...over,
    })
    if ('problems' in line) throw new Error(JSON.stringify(line))
    return loadEnrolledMember(ctxOf(partnerId), line)
  }
  const stored = async () => {
    const [row] = await asOwner(
      app,
      `select public_id, first_name, last_name, zip_code, partner_number, email_opt_in, tier_level, active
       from members where email = 'line@example.com' and partner_id = 'skyharbor'`,
    )
    return row
  }
  const first = await load({ partnerNumber: 'SKY12340001' })
  expect(await stored()).toMatchObject({ email_opt_in: false, tier_level: 'NonActivated', active: false })
  await load({})
  expect(await stored()).toMatchObject({ partner_number: null })
  const changed = { firstName: 'Grace', lastName: 'Hopper', zipCode: '60601', emailOptIn: true }
  expect(await load({ ...changed, partnerNumber: 'SKY12340002' })).toEqual(first)
  const updated = {
    first_name: 'Grace',
    last_name: 'Hopper',
    zip_code: '60601',
    partner_number: 'SKY12340002',
    email_opt_in: true,
  }
  expect(await stored()).toMatchObject({ ...updated, tier_level: 'NonActivated', active: false })
  const visitor = visit(app, 'skyharbor')
  const { publicId } = first as { publicId: string }
  expect((await activate(visitor, publicId, await getActivationToken(visitor, publicId))).status).toBe(200)
  // The member decides from now on.
  expect(await load({ firstName: 'Ada', emailOptIn: false })).toEqual(first)
  expect(await stored()).toEqual({ public_id: publicId, ...updated, tier_level: 'OptedIn', active: true })
  await expect(load({}, 'gallonaire')).rejects.toMatchObject({ code: 'notOffered' })
})

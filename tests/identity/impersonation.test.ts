import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addOperator,
  changeRole,
  disableOperator,
  listOperators,
  signOutEverywhere,
} from '../../src/console/operators/service.ts'
import { asOwner, startSecondApp, type TestApp, visit } from '../support/app.ts'
import { openConsole, viewAsMember } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join } from '../support/members.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
let secondApp: TestApp
const password = 'sourdough 4 breakfast'
const operators = [
  { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: ['gallonaire'] },
  { email: 'ana@dineback.example', name: 'Ana Admin', role: 'admin', partners: null },
  { email: 'eve@dineback.example', name: 'Eve Editor', role: 'editor', partners: null },
] as const

beforeAll(async () => {
  secondApp = await startSecondApp(app)
  for (const operator of operators) await addOperator(app.database.consolePools.shared, { ...operator, password })
})
afterAll(async () => {
  await secondApp?.stop()
})

const consoleDb = () => app.database.consolePools.shared

const newMember = (partner = 'gallonaire') =>
  join(app, partner, { firstName: 'Grace', lastName: `Hopper${Math.random().toString(36).slice(2, 8)}` })

// Each operator signs in only once, because sign-ins are limited.
const consoles = new Map<string, ReturnType<typeof openConsole>>()
function getConsole(email: string) {
  const open = consoles.get(email) ?? openConsole(app, email, password)
  consoles.set(email, open)
  return open
}

/** Starts an impersonation; returns the page and the path of the console's frame. */
async function startImpersonation(email: string, publicId: string, fields: Record<string, string> = {}) {
  const consoleSession = await getConsole(email)
  const { frame: path, ...begun } = await viewAsMember(consoleSession, `/gallonaire/members/${publicId}`, {
    reason: 'Question about a transaction',
    ...fields,
  })
  return { consoleSession, path, ...begun }
}

/** The console's frame as a separate browser. */
async function openFrame(email: string, publicId: string, fields: Record<string, string> = {}) {
  const view = await startImpersonation(email, publicId, fields)
  const frame = visit(app, 'gallonaire')
  return { ...view, frame, started: await frame.get(view.path) }
}

const listAuditEntries = (publicId: string) =>
  asOwner<{ actor: string; action: string; detail: Record<string, unknown> }>(
    app,
    `select a.actor, a.action, a.detail from audit_entries a join members m on m.id = a.member_id
     where m.public_id = $1 and a.action like 'emulation.%' order by a.id`,
    [publicId],
  )

test('EMU-001 EMU-004 support finds a member by the beginning of a name and sees the app as the member does', async () => {
  const { form, publicId } = await newMember()
  const consoleSession = await getConsole('sam@dineback.example')
  const find = async (query: string) => {
    const path = `/api/programs/gallonaire/members?q=${encodeURIComponent(query)}`
    const { body } = await consoleSession.call('GET', path)
    return body.items.some(({ id }: { id: string }) => id === publicId)
  }
  for (const query of [form.email, ` ${form.email} `, form.lastName.toLowerCase(), `Grace ${form.lastName}`, publicId])
    expect([query, await find(query)]).toEqual([query, true])
  // The characters of patterns match only themselves.
  for (const query of ['%', `${form.lastName.slice(0, -1)}_`, '\\'])
    expect([query, await find(query)]).toEqual([query, false])
  const { frame, started, emulationId } = await openFrame('sam@dineback.example', publicId)
  expect([started.status, started.headers.location]).toEqual([303, `/account/overview?emulationId=${emulationId}`])
  // The address has the token.
  expect(started.headers['referrer-policy']).toBe('no-referrer')
  const cookie = String(started.headers['set-cookie'])
  for (const flag of ['HttpOnly', 'Secure', 'SameSite=None', 'Partitioned', 'Max-Age=1800;'])
    expect(cookie).toContain(flag)
  expect((await frame.get('/api/Member')).json().email).toBe(form.email)
  const periods = await asOwner(
    app,
    `select (handoff_expires_at - created_at)::text as handoff, (ends_at - started_at)::text as total
     from impersonations where public_id = $1`,
    [emulationId],
  )
  expect(periods).toEqual([{ handoff: '00:01:00', total: '00:30:00' }])
  // The console's policy allows one frame, of this program.
  const { page } = await startImpersonation('sam@dineback.example', publicId)
  expect(page.headers['content-security-policy']).toContain(`frame-src http://gallonaire.localhost:${app.port};`)
})

test('CON-731 the page of a view is shown again without a second visit, while it lasts, to its operator', async () => {
  const { publicId, form } = await newMember()
  const { publicId: other } = await newMember()
  const memberPath = `/gallonaire/members/${publicId}`
  const { frame, begun, consoleSession, path, emulationId } = await openFrame('sam@dineback.example', publicId)
  // Back and a reload ask for a page, not for the form once more.
  expect(begun.status).toBe(303)
  expect(begun.location).toMatch(new RegExp(`^${memberPath}/look/${emulationId}\\?token=[\\w-]{43}$`))
  const again = await consoleSession.get(begun.location)
  expect([again.status, again.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(again.text).toContain(path.replaceAll('&', '&amp;'))
  const restarted = await frame.get(path)
  expect([restarted.status, restarted.headers.location]).toEqual([303, `/account/overview?emulationId=${emulationId}`])
  expect(restarted.headers['set-cookie']).toBeUndefined()
  expect((await frame.get('/api/Member')).json().email).toBe(form.email)
  const visits = () =>
    asOwner(app, 'select from impersonations i join members m on m.id = i.member_id where m.public_id = $1', [publicId])
  expect(await visits()).toHaveLength(1)
  expect((await listAuditEntries(publicId)).filter(({ action }) => action === 'emulation.started')).toHaveLength(1)
  // Not in a frame that views somebody else, in another browser, or with an id alone.
  const elsewhere = await openFrame('sam@dineback.example', other)
  expect((await elsewhere.frame.get(path)).status).toBe(410)
  expect((await visit(app, 'gallonaire').get(path)).status).toBe(410)
  // Not to another operator, below another member, or of no visit.
  const admin = await getConsole('ana@dineback.example')
  const anId = '00000000-0000-4000-8000-000000000000'
  for (const [session, address] of [
    [admin, begun.location],
    [consoleSession, begun.location.replace(publicId, other)],
    [consoleSession, `${memberPath}/look/${anId}`],
    [consoleSession, `${memberPath}/look/nothing`],
  ] as const)
    expect([address, (await session.get(address)).status]).toEqual([address, 404])
  // After its end the address says so, and leads back.
  await consoleSession.post(`${memberPath}/end`, { emulationId })
  const over = await consoleSession.get(begun.location)
  expect(over.text).toContain('You have left this view, or its time is over.')
  expect(over.text).toContain(`<a href="${memberPath}">Back to Grace`)
  expect(over.text).not.toContain('<iframe')
  expect((await frame.get(path)).status).toBe(410)
  const late = await openFrame('sam@dineback.example', publicId)
  await asOwner(app, 'update impersonations set ends_at = now() where public_id = $1', [late.emulationId])
  expect((await consoleSession.get(late.begun.location)).text).not.toContain('<iframe')
})

test('EMU-005 Case 28 a read-only operator changes nothing by any call, and every attempt is logged: 0 writes', async () => {
  const { publicId, form } = await newMember()
  const { frame } = await openFrame('sam@dineback.example', publicId)
  const { csrfToken } = (await frame.get('/api/CSRF')).json()
  const before = await asOwner(app, 'select * from members where public_id = $1', [publicId])
  let tried = 0
  const changing = app.partnerApp.calls.filter(
    (call) => call.method !== 'GET' && !call.readOnly && call.access !== 'machine',
  )
  for (const call of changing) {
    if (call.csrf === false) continue
    const path = call.path.replace(/:\w+/g, 'x'.repeat(22))
    const response = await frame.send(call.method, path, call.body ? {} : undefined, { 'x-xsrf-token': csrfToken })
    expect([call.id, response.status, response.json().code]).toEqual([call.id, 403, 'readOnly'])
    tried++
  }
  // What is read with a form is no change.
  const read = await frame.send('POST', '/api/Member/MissingMeals', {}, { 'x-xsrf-token': csrfToken })
  expect(read.status).toBe(400)
  const secret = app.partnerApp.calls.filter((call) => call.method === 'GET' && call.memberOnly)
  for (const call of secret) {
    expect([call.id, (await frame.get(call.path, { 'x-xsrf-token': csrfToken })).status]).toEqual([call.id, 403])
    tried++
  }
  expect(tried).toBeGreaterThan(15)
  expect(await asOwner(app, 'select * from members where public_id = $1', [publicId])).toEqual(before)
  const entries = await listAuditEntries(publicId)
  expect(entries.filter(({ action }) => action === 'emulation.rejected')).toHaveLength(tried)
  expect(entries[0]).toMatchObject({
    action: 'emulation.started',
    detail: { reason: 'Question about a transaction', mayChange: false },
  })
  for (const { actor } of entries) expect(actor).toMatch(/^operator:\d+ Sam Support$/)
  // Counterpart: the same call by the member herself passes.
  const { visitor } = { visitor: visit(app, 'gallonaire') }
  await visitor.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
  const own = await visitor.change('PUT', '/api/Member/Consents', { channel: 'email', topic: 'offers', granted: false })
  expect(own.status).toBe(200)
})

test('Case 28 an administrator acts for a member only on request and as operator, and never where only the member may', async () => {
  const { publicId } = await newMember()
  const body = { channel: 'email', topic: 'offers', granted: false }
  const { frame: readOnly } = await openFrame('ana@dineback.example', publicId)
  expect((await readOnly.change('PUT', '/api/Member/Consents', body)).status).toBe(403)
  const { frame } = await openFrame('ana@dineback.example', publicId, { change: 'yes' })
  expect((await frame.change('PUT', '/api/Member/Consents', body)).status).toBe(200)
  const profile = { firstName: 'Grace', lastName: 'Hopper', zipCode: '10001', emailOptIn: true }
  expect((await frame.change('PUT', '/api/Member', profile)).status).toBe(200)
  for (const [method, path, given] of [
    ['POST', '/api/Member/Delete', { confirmation: 'DELETE' }],
    ['POST', '/api/Member/Prove', { password }],
    ['DELETE', '/api/Member/Sessions', undefined],
    // What a member is paid would go to a card that the operator has linked.
    ['POST', '/api/Member/Cards/Intent', { attempt: 1 }],
    ['POST', '/api/Member/Cards', { creditCards: [], directFileFeedOptIn: true }],
  ] as const) {
    const rejected = await frame.change(method, path, given)
    // An operator with write access gets the message that only the member can do this, not that nothing can be changed.
    expect([path, rejected.status, rejected.json().title]).toEqual([path, 403, 'Only the member can do this.'])
  }
  const entries = await listAuditEntries(publicId)
  expect(entries.some(({ action, detail }) => action === 'emulation.acted' && detail.call === 'chooseConsent')).toBe(
    true,
  )
  const consents = await asOwner(
    app,
    `select c.granted, c.source from consents c join members m on m.id = c.member_id
     where m.public_id = $1 and channel = 'email' order by c.id`,
    [publicId],
  )
  expect(consents).toEqual([
    { granted: true, source: 'join' },
    { granted: false, source: 'support' },
    { granted: true, source: 'support' },
  ])
  // Support has no such checkbox, and sending the field has no effect.
  const { frame: supportFrame } = await openFrame('sam@dineback.example', publicId, { change: 'yes' })
  expect((await supportFrame.change('PUT', '/api/Member/Consents', body)).status).toBe(403)
})

test('EMU-006 Case 101 the record of an impersonation tells what was done from what was refused, each with its status', async () => {
  const { publicId, form } = await newMember()
  const { frame } = await openFrame('ana@dineback.example', publicId, { change: 'yes' })
  const profile = { firstName: 'Grace', lastName: 'Hopper', zipCode: '10001', emailOptIn: true }
  const calls: [string, number][] = []
  for (const body of [profile, { ...profile, zipCode: '00000' }, { ...profile, firstName: '' }]) {
    calls.push(['updateMember', (await frame.change('PUT', '/api/Member', body)).status])
  }
  const missing = await frame.change('DELETE', `/api/Member/Reservations/${'x'.repeat(22)}`)
  calls.push(['cancelReservation', missing.status])
  expect(calls.map(([, status]) => status)).toEqual([200, 400, 400, 404])
  const entries = (await listAuditEntries(publicId)).filter(({ action }) => action !== 'emulation.started')
  expect(entries.map(({ action, detail }) => [action, detail])).toEqual([
    ['emulation.attempted', { call: 'updateMember' }],
    ['emulation.acted', { call: 'updateMember', status: 200 }],
    ['emulation.attempted', { call: 'updateMember' }],
    ['emulation.refused', { call: 'updateMember', status: 400 }],
    ['emulation.attempted', { call: 'updateMember' }],
    ['emulation.refused', { call: 'updateMember', status: 400 }],
    ['emulation.attempted', { call: 'cancelReservation' }],
    ['emulation.refused', { call: 'cancelReservation', status: 404, code: 'reservationNotFound' }],
  ])
  for (const { actor } of entries) expect(actor).toMatch(/^operator:\d+ Ana Admin$/)
  expect(form.firstName).toBe('Grace')
})

test('EMU-007 Case 101 a new password is refused to an operator, who is not asked for the member’s present one', async () => {
  const { publicId, form } = await newMember()
  const { frame } = await openFrame('ana@dineback.example', publicId, { change: 'yes' })
  const body = {
    firstName: 'Mary',
    lastName: 'Hopper',
    zipCode: '10001',
    emailOptIn: true,
    password: 'ladder 7 marmalade',
  }
  const refused = await frame.change('PUT', '/api/Member', body)
  expect([refused.status, refused.json().code, refused.json().title]).toEqual([
    403,
    'memberOnly',
    'Only the member can do this.',
  ])
  const entries = await listAuditEntries(publicId)
  expect(entries.at(-1)).toMatchObject({
    action: 'emulation.refused',
    detail: { call: 'updateMember', status: 403, code: 'memberOnly' },
  })
  expect((await frame.get('/api/Member')).json().firstName).toBe('Grace')
  const visitor = visit(app, 'gallonaire')
  const signIn = await visitor.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
  expect(signIn.status).toBe(200)
})

test('Case 28 passwords, passkeys, sessions, credentials, new cards, the export and the deletion are reserved for the member', () => {
  const reserved = app.partnerApp.calls.filter(({ memberOnly }) => memberOnly).map(({ id }) => id)
  expect(reserved.toSorted()).toEqual([
    'addPasskey',
    'answerCardMove',
    'becomeMember',
    'beginPasskey',
    'confirmRecovery',
    'createCardIntent',
    'deleteAccount',
    'endOwnSession',
    'exportData',
    'fixCredentials',
    'join',
    'linkCards',
    'loadMembers',
    'makeMember',
    'prove',
    'removePasskey',
    'requestRecovery',
    'sendEmailVerification',
    'signIn',
    'signInWithPasskey',
    'subscribePush',
    'updateRecovery',
    'verifyEmail',
  ])
})

test('Case 28 no one else gets in: members, editors, other programs’ support, and used, late and forged tokens are rejected', async () => {
  const { publicId, visitor } = await newMember()
  const { publicId: elsewhere } = await newMember('gallonaire')
  const editor = await getConsole('eve@dineback.example')
  expect((await editor.call('GET', '/api/programs/gallonaire/members')).status).toBe(403)
  expect((await editor.post(`/gallonaire/members/${publicId}/look`, { reason: 'curious' })).status).toBe(404)
  const support = await getConsole('sam@dineback.example')
  expect((await support.call('GET', '/api/programs/skyharbor/members')).status).toBe(404)
  expect((await support.post(`/gallonaire/members/${publicId}/look`, { reason: '' })).status).toBe(400)
  // A form that is rejected is shown as it was sent, and is announced.
  const again = await support.post(`/gallonaire/members/${publicId}/look`, { reason: ' a ', change: 'yes' })
  expect(again.text).toMatch(/<textarea id="reason"[^>]* autofocus=""[^>]* aria-describedby="problem"[^>]*> a </)
  expect(again.text).toContain('<title>Error: ')
  expect(again.text).not.toContain('OptedIn')
  expect((await support.post(`/gallonaire/members/${publicId}/look`, { reason: 'x', csrf: 'forged' })).status).toBe(403)
  const { path } = await startImpersonation('sam@dineback.example', elsewhere)
  // A token of another program does not work here, and trying does not use it up.
  expect((await visit(app, 'orchard').get(path)).status).toBe(410)
  const racers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => visit(index % 2 ? app : secondApp, 'gallonaire').get(path)),
  )
  expect(racers.filter(({ status }) => status === 303)).toHaveLength(1)
  expect((await visit(app, 'gallonaire').get(path)).status).toBe(410)
  const { path: late } = await startImpersonation('sam@dineback.example', elsewhere)
  await asOwner(
    app,
    "update impersonations set handoff_expires_at = now() - interval '1 second' where started_at is null",
  )
  expect((await visit(app, 'gallonaire').get(late)).status).toBe(410)
  for (const token of ['', 'x', 'A'.repeat(43)]) {
    expect((await visitor.get(`/Emulate?token=${token}`)).status).toBe(410)
  }
  for (const id of ['x', 'A'.repeat(43)]) {
    const forger = visit(app, 'gallonaire')
    forger.cookies.set('emulation', id)
    expect((await forger.get('/api/Member')).status).toBe(401)
  }
})

test('Case 28 EMU-002 EMU-008 an impersonation ends from within, from the console and by itself, at every process', async () => {
  const { publicId, visitor } = await newMember()
  const cookies = new Map<string, string>()
  const { path } = await startImpersonation('sam@dineback.example', publicId)
  const [here, there] = [visit(app, 'gallonaire', { cookies }), visit(secondApp, 'gallonaire', { cookies })]
  await here.get(path)
  const id = cookies.get('emulation') as string
  expect((await there.get('/api/Member')).status).toBe(200)
  const out = await there.get('/SignOut')
  expect(out.headers.location).toBe(`http://gallonaire.localhost:${secondApp.port}/Emulate/Ended`)
  // The frame does not close itself: its page leads the whole window back to the console.
  expect((await here.get('/Emulate/Ended')).text).toContain(
    `<a href="http://console.localhost:${app.port}" target="_top">Back to the console</a>`,
  )
  expect((await here.get('/Emulate/Ended')).headers['content-security-policy']).toContain(
    `frame-ancestors http://console.localhost:${app.port}`,
  )
  expect(cookies.has('emulation')).toBe(false)
  cookies.set('emulation', id)
  expect((await here.get('/api/Member')).status).toBe(401)
  const second = await openFrame('sam@dineback.example', publicId)
  // Another operator cannot end it.
  const others = await getConsole('ana@dineback.example')
  await others.post(`/gallonaire/members/${publicId}/end`, { emulationId: second.emulationId })
  expect((await second.frame.get('/api/Member')).status).toBe(200)
  await second.consoleSession.post(`/gallonaire/members/${publicId}/end`, { emulationId: second.emulationId })
  expect((await second.frame.get('/api/Member')).status).toBe(401)
  const third = await openFrame('sam@dineback.example', publicId)
  await asOwner(app, "update impersonations set ends_at = now() - interval '1 second' where ended_at is null")
  expect((await third.frame.get('/api/Member')).status).toBe(401)
  // Ending it signed no one else out: the member's own session is separate.
  expect((await visitor.get('/api/Member')).status).toBe(200)
  expect((await listAuditEntries(publicId)).filter(({ action }) => action === 'emulation.ended')).toHaveLength(1)
})

test('an impersonation that was ended before its frame opened does not start, and keeps the time of its end', async () => {
  const { publicId } = await newMember()
  const { consoleSession, path, emulationId } = await startImpersonation('sam@dineback.example', publicId)
  const end = () => consoleSession.post(`/gallonaire/members/${publicId}/end`, { emulationId })
  await startImpersonation('sam@dineback.example', publicId, { reason: 'A later question' })
  const records = async () =>
    (await consoleSession.call('GET', `/api/programs/gallonaire/members/${publicId}/records`)).body.impersonations
  expect(await records()).toMatchObject([
    { reason: 'A later question', how: 'notStarted' },
    { reason: 'Question about a transaction', how: 'notStarted' },
  ])
  const readEnd = () =>
    asOwner(app, 'select started_at, ended_at::text from impersonations where public_id = $1', [emulationId])
  await end()
  const ended = await readEnd()
  expect(ended).toEqual([{ started_at: null, ended_at: expect.any(String) }])
  const frame = visit(app, 'gallonaire')
  await frame.get(path)
  expect((await frame.get('/api/Member')).status).toBe(401)
  await end()
  expect(await readEnd()).toEqual(ended)
})

test('an impersonation ends when its member deletes the account, also before its frame opened', async () => {
  const { publicId, visitor } = await newMember()
  const { frame, emulationId } = await openFrame('sam@dineback.example', publicId)
  const prepared = await startImpersonation('sam@dineback.example', publicId)
  expect((await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).json()).toEqual({
    deleted: true,
  })
  expect((await frame.get('/api/Member')).status).toBe(401)
  await visit(app, 'gallonaire').get(prepared.path)
  const rows = await asOwner(
    app,
    `select started_at is not null as started, ended_at is not null as ended, reason from impersonations
     where public_id = any($1) order by id`,
    [[emulationId, prepared.emulationId]],
  )
  // The operators' words can be about the member.
  expect(rows).toEqual([
    { started: true, ended: true, reason: '(deleted)' },
    { started: false, ended: true, reason: '(deleted)' },
  ])
})

test('an impersonation that two tabs end at the same moment ends once, and keeps the time of its end', async () => {
  const { publicId } = await newMember()
  const { frame } = await openFrame('sam@dineback.example', publicId)
  const db = app.database.pools.forPartner('gallonaire')
  await whileLocked(db, {
    hold: (tx) => sql`select from impersonations where ended_at is null for update`.execute(tx),
    acts: [() => frame.get('/SignOut'), () => visit(secondApp, 'gallonaire', frame).get('/SignOut')],
  })
  const entries = await listAuditEntries(publicId)
  expect(entries.filter(({ action }) => action === 'emulation.ended')).toHaveLength(1)
})

test('support finds no deleted member', async () => {
  const { publicId } = await newMember()
  const consoleSession = await getConsole('sam@dineback.example')
  const at = '/api/programs/gallonaire/members'
  const statusOf = async () => (await consoleSession.call('GET', `${at}/${publicId}`)).status
  const found = async () => (await consoleSession.call('GET', `${at}?q=${publicId}`)).body.items.length === 1
  expect([await statusOf(), await found()]).toEqual([200, true])
  await asOwner(app, 'update members set deleted_at = now() where public_id = $1', [publicId])
  expect([await statusOf(), await found()]).toEqual([404, false])
})

test('Case 28 the cookie of the frame is valid within the frame only, and signing out there affects no other session', async () => {
  const { publicId, form } = await newMember()
  const { visitor: own, form: ownForm } = await newMember()
  const { path } = await startImpersonation('sam@dineback.example', publicId)
  // A browser that has its own session, where console and program share a site.
  await own.get(path, { 'sec-fetch-dest': 'iframe' })
  const emailFor = async (headers: Record<string, string>) => (await own.get('/api/Member', headers)).json().email
  expect(await emailFor({ 'sec-fetch-dest': 'empty', 'x-emulation': '1' })).toBe(form.email)
  expect(await emailFor({ 'sec-fetch-dest': 'iframe' })).toBe(form.email)
  expect(await emailFor({ 'sec-fetch-dest': 'empty' })).toBe(ownForm.email)
  expect(await emailFor({ 'sec-fetch-dest': 'document' })).toBe(ownForm.email)
  await own.get('/SignOut', { 'sec-fetch-dest': 'iframe' })
  expect(own.cookies.has('emulation')).toBe(false)
  expect(own.cookies.has('signed_out')).toBe(false)
  expect(await emailFor({ 'sec-fetch-dest': 'empty' })).toBe(ownForm.email)
})

test('the console’s role reaches the rows of one program only, and neither the vault nor the forms', async () => {
  const { sql } = await import('kysely')
  const db = app.database.consolePools.forPartner('gallonaire')
  const { rows } = await sql<{ partner_id: string }>`select distinct partner_id from members`.execute(db)
  expect(rows).toEqual([{ partner_id: 'gallonaire' }])
  const other = sql`update members set email = 'x' where partner_id <> 'gallonaire'`
  expect((await other.execute(db)).numAffectedRows).toBe(0n)
  for (const table of ['vault.cards', 'forms.responses'])
    await expect(sql`select 1 from ${sql.raw(table)}`.execute(db)).rejects.toThrow(/permission denied/)
  await expect(sql`delete from console.acts`.execute(db)).rejects.toThrow(/permission denied/)
})

test.each([
  { how: 'is disabled', change: (email: string) => disableOperator(consoleDb(), email), view: 401, write: 401 },
  {
    how: 'is made an editor',
    change: (email: string) => changeRole(consoleDb(), { email, role: 'editor', partners: null }),
    view: 401,
    write: 401,
  },
  {
    how: 'may work on other programs only',
    change: (email: string) => changeRole(consoleDb(), { email, role: 'admin', partners: ['beacon'] }),
    view: 401,
    write: 401,
  },
  {
    how: 'is made support',
    change: (email: string) => changeRole(consoleDb(), { email, role: 'support', partners: null }),
    view: 200,
    write: 403,
  },
  {
    how: 'has signed out everywhere',
    change: async (email: string) => {
      const [operator] = (await listOperators(consoleDb())).filter((each) => each.email === email)
      await signOutEverywhere(consoleDb(), Number(operator?.id))
    },
    view: 401,
    write: 401,
  },
])(
  'Case 28 an open impersonation has the rights of its operator from the next request on when the operator $how',
  async ({ how, ...after }) => {
    const email = `${how.replaceAll(' ', '-')}@dineback.example`
    await addOperator(consoleDb(), { email, name: 'Ola Operator', role: 'admin', partners: null, password })
    const { publicId } = await newMember()
    const { frame } = await openFrame(email, publicId, { change: 'yes' })
    const consent = { channel: 'email', topic: 'offers', granted: false }
    const write = async () => (await frame.change('PUT', '/api/Member/Consents', consent)).status
    expect([(await frame.get('/api/Member')).status, await write()]).toEqual([200, 200])
    const unopened = await startImpersonation(email, publicId, { change: 'yes' })
    await after.change(email)
    expect([(await frame.get('/api/Member')).status, await write()]).toEqual([after.view, after.write])
    const late = visit(app, 'gallonaire')
    await late.get(unopened.path)
    expect((await late.get('/api/Member')).status).toBe(after.view)
  },
)

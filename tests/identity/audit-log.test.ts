import { beforeAll, expect, test, vi } from 'vitest'
import { loadEnrolledMember, memberColumns, readEnrolledMember } from '../../src/identity/activation/service.ts'
import { audit } from '../../src/platform/database/audit.ts'
import { inTransaction, type Tx } from '../../src/platform/database/db.ts'
import { readObject } from '../../src/platform/files/read-rows.ts'
import { addDays } from '../../src/platform/time.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { createFakePasskey } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, newMember, recoveryCodeOf, signIn, type Visitor } from '../support/members.ts'
import { createTestContext } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
})

/** Returns the actions in the audit log about a member, with who did them: the member, or a visitor. */
async function listActions(publicId: string): Promise<string[]> {
  const rows = await asOwner<{ actor: string; action: string; own: string }>(
    app,
    `select a.actor, a.action, 'member:' || m.id as own from audit_entries a join members m on m.id = a.member_id
     where m.public_id = $1 order by a.id`,
    [publicId],
  )
  return rows.map(({ actor, action, own }) => `${actor === own ? 'member' : actor} ${action}`)
}

async function send(visitor: Visitor, method: string, url: string, body?: unknown) {
  const response = await visitor.change(method, url, body)
  expect([url, response.status]).toEqual([url, response.status < 300 ? response.status : 200])
  return response
}

test('an entry that waits for another transaction follows its entry', async () => {
  const { publicId } = await newMember(app, 'skyharbor')
  const [member] = await asOwner<{ id: string }>(app, 'select id from members where public_id = $1', [publicId])
  const ctx = createTestContext(app.database, 'skyharbor')
  const add = (tx: Tx, action: string) => audit(tx, ctx, { action, memberId: Number(member?.id) })
  await whileLocked(ctx.db, {
    hold: (tx) => add(tx, 'test.first'),
    acts: [() => inTransaction(ctx.db, (tx) => add(tx, 'test.second'))],
  })
  const [first, second] = await asOwner<{ hash: Buffer; previous_hash: Buffer }>(
    app,
    "select hash, previous_hash from audit_entries where action in ('test.first', 'test.second') order by action",
  )
  expect(second?.previous_hash).toEqual(first?.hash)
})

test('what a member does is in the audit log, once and in order', async () => {
  const member = await newMember(app, 'skyharbor', { source: 'EMAIL-NMB' })
  const { visitor, publicId } = member
  for (let card = 0; card < 2; card++) expect((await linkCard(app, member)).response.status).toBe(200)
  const form = { firstName: 'Ada', lastName: 'Byron', zipCode: '10001', address1: '1 Main Street', city: 'New York' }
  await send(visitor, 'PUT', '/api/Member', { ...form, state: 'NY', password: 'another kettle of fish' })
  await send(visitor, 'POST', '/api/Member/Bonus/SKY-NMB')
  const date = addDays(new Date().toISOString().slice(0, 10), -12)
  await send(visitor, 'POST', '/api/Member/Claims', { date, merchantName: 'Corner Bistro', amount: '48.00', note: '' })
  await send(visitor, 'GET', '/api/Member/Export')
  await send(visitor, 'DELETE', '/api/Member/Sessions')
  const cards = (await visitor.get('/api/Member/Cards')).json<{ id: string }[]>()
  for (const { id } of cards) await send(visitor, 'DELETE', `/api/Member/Cards?id=${id}`)
  expect(await listActions(publicId)).toEqual([
    'visitor member.joined',
    'visitor session.signed-in',
    'member card.linked',
    'member card.linked',
    'member member.changed',
    'member member.password-changed',
    'member bonus.activated',
    'member claim.opened',
    'member member.exported',
    'member session.others-ended',
    'member card.removed',
    'member card.removed',
    'member member.closed',
  ])
})

test('a passkey that a member adds or removes is in the audit log with its id', async () => {
  const { visitor, publicId } = await newMember(app)
  const { challenge } = (await send(visitor, 'POST', '/api/Member/Passkeys/Options', {})).json()
  const credential = JSON.parse(createFakePasskey(app.origin('skyharbor'), challenge))
  const { id } = (await send(visitor, 'POST', '/api/Member/Passkeys', { name: 'Laptop', credential })).json()
  await send(visitor, 'DELETE', `/api/Member/Passkeys?id=${id}`)
  expect((await listActions(publicId)).slice(2)).toEqual(['member passkey.added', 'member passkey.removed'])
  const details = await asOwner(app, "select detail from audit_entries where action like 'passkey.%'")
  expect(details).toEqual([{ detail: { passkey: id } }, { detail: { passkey: id } }])
})

test('a recovered account is in the audit log: the request, the new password, the sign-in, the new address, the deletion', async () => {
  const { publicId, form } = await newMember(app, 'gallonaire')
  const [row] = await asOwner<{ id: string }>(app, 'select id from members where public_id = $1', [publicId])
  const visitor = visit(app, 'gallonaire')
  await send(visitor, 'POST', '/api/Members/Recover', { userName: form.email })
  const code = await recoveryCodeOf(app, form.email)
  const password = 'another kettle of fish'
  const { resetToken } = (await send(visitor, 'POST', '/api/Members/Recover/Confirm', { code })).json()
  await send(visitor, 'POST', '/api/Members/Recover/Update', { resetToken, password, passwordConfirm: password })
  await asOwner(app, 'update members set must_fix_credentials = true where public_id = $1', [publicId])
  expect((await signIn(visitor, form.email, { password })).status).toBe(200)
  const email = `own-${form.email}`
  await send(visitor, 'POST', '/api/Member/FixCredentials', { email, emailConfirm: email })
  await send(visitor, 'POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  const [erased] = await asOwner<{ publicId: string }>(
    app,
    'select public_id as "publicId" from members where id = $1',
    [row?.id],
  )
  expect(await listActions(erased?.publicId ?? '')).toEqual([
    'visitor member.joined',
    'visitor session.signed-in',
    'visitor recovery.requested',
    'visitor recovery.password-set',
    'visitor session.signed-in',
    'member member.address-fixed',
    'member member.deleted',
  ])
})

test('a request for a card of another program is in the audit log, and ends when its owner removes the card', async () => {
  const [owner, requester] = [await newMember(app), await newMember(app, 'gallonaire')]
  const { number } = await linkCard(app, owner)
  const { response } = await linkCard(app, requester, number, { form: { moveHere: true } })
  expect(response.json().cardRegistration[0].error.code).toBe('MOVE_REQUESTED')
  expect((await listActions(requester.publicId)).slice(2)).toEqual(['member card.requested'])
  const code = await vi.waitFor(async () => {
    const [email] = await asOwner<{ text: string }>(
      app,
      "select body_text as text from emails where recipient = $1 and topic = 'card.moveRequested'",
      [owner.form.email],
    )
    const found = /#code=([\w-]+)/.exec(email?.text ?? '')?.[1]
    if (!found) throw new Error('no code yet')
    return found
  }, 20_000)
  const [card] = (await owner.visitor.get('/api/Member/Cards')).json<{ id: string }[]>()
  await send(owner.visitor, 'DELETE', `/api/Member/Cards?id=${card?.id}`)
  const decided = await visit(app, 'skyharbor').change('POST', '/api/Cards/MoveAnswer', { code, allow: true })
  expect([decided.status, decided.json().code]).toEqual([410, 'moveRequestOver'])
})

test('an account that the partner opened is in the audit log, and so is its activation', async () => {
  const ctx = { ...createTestContext(app.database, 'skyharbor'), program: app.programs.get('skyharbor') } as never
  const opened = {
    email: 'opened@example.com',
    firstName: 'Ada',
    lastName: 'Line',
    zipCode: '10001',
    partnerNumber: 'SKY12349999',
  }
  const line = readEnrolledMember(readObject(1, opened, memberColumns))
  if ('problems' in line) throw new Error(JSON.stringify(line))
  const loaded = await loadEnrolledMember(ctx, line)
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded))
  const { publicId } = loaded
  const visitor = visit(app, 'skyharbor')
  const { token } = (await visitor.get(`/api/Member/${publicId}`, { 'x-xsrf-token': await visitor.token() })).json()
  const headers = { authorization: `Bearer ${token}` }
  expect((await visitor.change('POST', '/api/Member/Activate', { publicId }, headers)).status).toBe(200)
  expect(await listActions(publicId)).toEqual(['visitor member.enrolled', 'visitor member.activated'])
})

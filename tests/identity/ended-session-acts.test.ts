import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { deleteSessionsOf } from '../../src/identity/session/store.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { type Act, memberActs, prepared, pushHost } from '../support/member-acts.ts'
import { linkCard, newMember, signIn, type TestMember } from '../support/members.ts'
import { addMerchantWithTables } from '../support/reservation-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp({ PUSH_HOSTS: pushHost })
let merchant: { publicId: string }
beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
  merchant = await addMerchantWithTables(app.database.pools.shared, { seats: Array.from({ length: 40 }, () => 2) })
})
const db = () => app.database.pools.forPartner('skyharbor')
const rowsOf = (table: string, memberId: number) =>
  asOwner(app, `select * from ${table} where member_id = $1`, [memberId])

/** Everything that a member may change, by a session that is ended while the call waits for the member's lock. */
const kinds: Record<string, (member: TestMember) => Promise<Act>> = {
  ...memberActs(app, () => merchant),
  'removing a card': async (member) => {
    await linkCard(app, member)
    const [card] = (await member.visitor.get('/api/Member/Cards')).json<{ id: string }[]>()
    return prepared(member, 'DELETE', `/api/Member/Cards?id=${card?.id}`)
  },
  'ending another session': async (member) => {
    const { email } = (await member.visitor.get('/api/Member')).json()
    await signIn(visit(app, 'skyharbor'), email)
    const sessions = (await member.visitor.get('/api/Member/Sessions')).json<{ id: string; current: boolean }[]>()
    return prepared(member, 'DELETE', `/api/Member/Sessions?id=${sessions.find(({ current }) => !current)?.id}`)
  },
  'ending the other sessions': (member) => prepared(member, 'DELETE', '/api/Member/Sessions'),
  'removing a push device': async (member) => {
    const endpoint = `http://${pushHost}/${randomBytes(8).toString('hex')}`
    await asOwner(
      app,
      `insert into push_subscriptions (partner_id, member_id, endpoint, p256dh, auth, time_zone)
       select partner_id, id, $1, 'x', 'x', 'UTC' from members where public_id = $2`,
      [endpoint, member.publicId],
    )
    return prepared(member, 'POST', '/api/Member/Push/Remove', { endpoint })
  },
  'removing a passkey': async (member) => {
    const [row] = await asOwner<{ id: string }>(
      app,
      `insert into passkeys (partner_id, member_id, credential_id, public_key, counter, name)
       select partner_id, id, public_id, '', 0, 'Phone' from members where public_id = $1 returning public_id as id`,
      [member.publicId],
    )
    return prepared(member, 'DELETE', `/api/Member/Passkeys?id=${row?.id}`)
  },
  'asking for a code': (member) => prepared(member, 'POST', '/api/Member/EmailVerification', {}),
}
const watched = [
  'cards',
  'claims',
  'push_subscriptions',
  'member_bonuses',
  'consents',
  'notification_preferences',
  'passkeys',
]

describe.each(Object.keys(kinds))('Case 122 %s', (kind) => {
  test('is rejected when its session ends while it waits, and changes nothing', async () => {
    const member = await newMember(app, 'skyharbor', { source: 'EMAIL-NMB' })
    const [row] = await asOwner<{ id: string }>(app, 'select id from members where public_id = $1', [member.publicId])
    const memberId = Number(row?.id)
    const act = await (kinds[kind] as (member: TestMember) => Promise<Act>)(member)
    const read = async () => ({
      member: await asOwner(app, 'select * from members where id = $1', [memberId]),
      reservations: await asOwner(
        app,
        'select status, local_date, party_size from reservations where member_id = $1 order by id',
        [memberId],
      ),
      ...Object.fromEntries(
        await Promise.all(watched.map(async (table) => [table, await rowsOf(table, memberId)] as const)),
      ),
    })
    const before = await read()
    const [response] = await whileLocked(db(), {
      hold: (tx) => lockMember(tx, memberId),
      acts: [act],
      meanwhile: (tx) => deleteSessionsOf(tx, memberId),
    })
    expect([kind, response.status]).toEqual([kind, 401])
    expect(await read()).toEqual(before)
  })
})

test('RECV-014 Case 125 another email address needs a recent authentication', async () => {
  const { visitor, publicId, form } = await newMember(app, 'skyharbor')
  await asOwner(app, 'update members set must_fix_credentials = true where public_id = $1', [publicId])
  await asOwner(
    app,
    `update sessions set authenticated_at = now() - interval '11 minutes'
     where member_id = (select id from members where public_id = $1)`,
    [publicId],
  )
  const email = `personal-${form.email}`
  const fix = async () =>
    (await visitor.change('POST', '/api/Member/FixCredentials', { email, emailConfirm: email })).status
  expect(await fix()).toBe(403)
  expect((await visitor.get('/api/Member')).json().email).toBe(form.email)
  expect((await visitor.change('POST', '/api/Member/Prove', { password: form.password })).status).toBe(200)
  expect(await fix()).toBe(200)
})

import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { topicName } from '../../src/identity/email/console/words.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, createTestContext, type TestPartner } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let admin: ConsoleSession
let viewer: ConsoleSession
let memberId = 0
let foreignMember = 0

beforeAll(async () => {
  const { shared } = app.database.consolePools
  for (const [name, role] of [
    ['ana', 'admin'],
    ['vic', 'viewer'],
  ] as const)
    await addOperator(shared, { email: `${name}@dineback.example`, name, role, partners: ['skyharbor'], password })
  await asOwner(app, `insert into console.roles (name, permissions) values ('mail-only', array['emails.read'])`)
  await addOperator(shared, {
    email: 'mia@dineback.example',
    name: 'mia',
    role: 'mail-only',
    partners: ['skyharbor'],
    password,
  })
  admin = await openConsole(app, 'ana@dineback.example', password)
  viewer = await openConsole(app, 'vic@dineback.example', password)
  const memberOf = (partner: TestPartner) => addMember(createTestContext(app.database, partner).db)
  memberId = await memberOf('skyharbor')
  foreignMember = await memberOf('gallonaire')
  await asOwner(app, `update members set first_name = 'Adalinda', last_name = 'Quist' where id = $1`, [memberId])
})

beforeEach(async () => {
  await asOwner(app, 'delete from emails')
  await asOwner(app, `delete from jobs.job where name in ('dead-letters', 'emails')`)
})

let about = 0

interface NewEmail {
  topic?: string
  status?: string
  recipient?: string
  error?: string | null
  isSecret?: boolean
  html?: string
  partner?: string
}

async function addEmail(email: NewEmail = {}): Promise<string> {
  const { topic = 'reservation.booked', status = 'sent', recipient = 'adalinda@example.com', error = null } = email
  const { isSecret = false, html = '<p style="color: red">Your table</p>', partner = 'skyharbor' } = email
  const [row] = await asOwner<{ id: number }>(
    app,
    `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status, last_error,
       secret_until, created_at)
     values ($1, $2, $3, $4, $5, 'Your table', $6, $7, $8, $9, $10, $11)
     returning id`,
    [
      partner,
      partner === 'skyharbor' ? memberId : foreignMember,
      topic,
      String(++about),
      recipient,
      html === '' ? '' : 'Your table',
      html,
      status,
      error,
      isSecret ? new Date(Date.now() + 600_000) : null,
      // Each one an hour after the one before.
      new Date(Date.UTC(2026, 2, 10, 12 + about)),
    ],
  )
  return String(row?.id)
}

const list = async (query = '') => (await admin.call('GET', `${program}/emails${query}`)).body
const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)

test('CON-403 emails are listed with the member and a masked address, narrowed by state, kind, member and day', async () => {
  const first = await addEmail()
  const failed = await addEmail({
    status: 'failed',
    topic: 'claim.decided',
    error: '550 <adalinda@example.com> is unknown',
  })
  await addEmail({ partner: 'gallonaire', status: 'failed' })
  const all = await list()
  expect(idsOf(all)).toEqual([failed, first])
  expect(all.total).toEqual({ count: 2, isExact: true })
  expect(all.items[0]).toMatchObject({
    recipient: 'a…@example.com',
    member: { name: 'Adalinda Quist' },
    error: '550 <a…@example.com> is unknown',
    canResend: true,
  })
  expect(JSON.stringify(all)).not.toContain('adalinda@example.com')
  expect(idsOf(await list('?status=failed'))).toEqual([failed])
  expect(idsOf(await list('?status=withheld'))).toEqual([])
  expect(idsOf(await list('?topic=reservation.booked'))).toEqual([first])
  for (const typed of ['adalinda q', 'Quist, Adalinda', 'quist', 'Àdalinda'])
    expect([typed, idsOf(await list(`?q=${encodeURIComponent(typed)}`))]).toEqual([typed, [failed, first]])
  expect(idsOf(await list('?q=nobody'))).toEqual([])
  const page = await list('?limit=1')
  expect(idsOf(page)).toEqual([failed])
  expect(idsOf(await list(`?limit=1&cursor=${page.next}`))).toEqual([first])
  expect((await admin.call('GET', `${program}/home`)).body.tasks).toContainEqual({ kind: 'emails', count: 1 })
  // Without the permission to see members, nobody is named.
  const mia = await openConsole(app, 'mia@dineback.example', password)
  const { body } = await mia.call('GET', `${program}/emails`)
  expect(body.items.map(({ member }: { member: unknown }) => member)).toEqual([null, null])
})

test('CON-403 the days of the filter are those of the program, the last one included', async () => {
  const id = await addEmail()
  // 03:30 in UTC is the evening before in New York.
  await asOwner(app, `update emails set created_at = '2026-03-12 03:30Z' where id = $1`, [id])
  expect(idsOf(await list('?from=2026-03-11&to=2026-03-11'))).toEqual([id])
  expect(idsOf(await list('?from=2026-03-12'))).toEqual([])
  expect(idsOf(await list('?to=2026-03-10'))).toEqual([])
})

const actsOf = (action: string) =>
  asOwner(app, 'select * from console.acts where action = $1 and status < 400 order by id', [action])

test('CON-404 an email is shown as it was sent, in a frame that runs nothing, and each reading is recorded', async () => {
  const id = await addEmail({ html: '<p style="color: red">Your table</p><script>alert(1)</script>' })
  const { body } = await viewer.call('GET', `${program}/emails/${id}`)
  expect(body).toMatchObject({ subject: 'Your table', content: 'readable', attachments: [] })
  expect(JSON.stringify(body)).not.toContain('style')
  const html = await viewer.call('GET', `${program}/emails/${id}/html`)
  expect(html.text).toContain('<p style="color: red">Your table</p>')
  expect(html.headers['content-type']).toContain('text/html')
  const policy = String(html.headers['content-security-policy'])
  expect(policy).toMatch(/default-src 'none'.*frame-ancestors 'self'; sandbox$/)
  expect(policy).not.toContain('script-src')
  expect(html.headers['x-frame-options']).toBeUndefined()
  expect((await viewer.call('GET', `${program}/emails/${id}/text`)).body).toEqual({ text: 'Your table' })
  const [read] = await actsOf('readEmailHtml')
  expect(read).toMatchObject({ object_type: 'email', object_id: id, operator_name: 'vic' })
  expect(await actsOf('readEmailText')).toHaveLength(1)
})

test('CON-404 the text of an email that opens an account is shown to nobody, and a foreign email is not found', async () => {
  const secret = await addEmail({ topic: 'recovery.code', status: 'waiting', isSecret: true, html: '<p>123456</p>' })
  const deleted = await addEmail({ topic: 'recovery.code', recipient: '', html: '' })
  for (const [id, content] of [
    [secret, 'secret'],
    [deleted, 'deleted'],
  ]) {
    expect((await admin.call('GET', `${program}/emails/${id}`)).body).toMatchObject({ content })
    for (const kind of ['text', 'html'])
      expect((await admin.call('GET', `${program}/emails/${id}/${kind}`)).status).toBe(404)
  }
  const foreign = await addEmail({ partner: 'gallonaire' })
  for (const path of ['', '/text', '/html'])
    expect((await admin.call('GET', `${program}/emails/${foreign}${path}`)).status).toBe(404)
})

const preview = async (ids: string[]) => (await admin.call('POST', `${program}/emails/resend/preview`, { ids })).body
const resend = (session: ConsoleSession, ids: string[], fingerprint: string) =>
  session.call('POST', `${program}/emails/resend`, { ids, reason: 'The server is up again', fingerprint })

test('CON-405 failed emails are sent again once, after how many was shown, and their failed jobs are done with', async () => {
  const [failed, other] = [await addEmail({ status: 'failed' }), await addEmail({ status: 'failed' })]
  const sent = await addEmail()
  const redacted = await addEmail({ status: 'failed', recipient: '', html: '' })
  const foreign = await addEmail({ status: 'failed', partner: 'gallonaire' })
  await asOwner(
    app,
    `insert into jobs.job (name, data, policy, source_name, keep_until)
     select 'dead-letters', jsonb_build_object('partnerId', partner_id, 'id', id::text), 'standard', 'emails',
       now() + interval '1 day' from emails where status = 'failed'`,
  )
  const letters = async () =>
    (
      await asOwner<{ row: string }>(
        app,
        `select data ->> 'id' as row from jobs.job where name = 'dead-letters' order by 1`,
      )
    ).map(({ row }) => row)
  expect(await letters()).toHaveLength(4)
  const ids = [failed, other, sent, redacted, foreign, failed]
  const shown = await preview(ids)
  expect(shown).toMatchObject({ count: 2, leftOut: 3 })
  expect(await preview(ids)).toEqual(shown)
  expect(await letters()).toHaveLength(4)
  expect((await resend(viewer, ids, shown.fingerprint)).status).toBe(403)
  expect((await resend(admin, ids, 'another')).body).toMatchObject({ code: 'conflict' })
  const done = await Promise.all([resend(admin, ids, shown.fingerprint), resend(admin, ids, shown.fingerprint)])
  expect(done.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(await letters()).toEqual([redacted, foreign].toSorted())
  // No mail server is set up: sending stores them.
  const states = () =>
    asOwner<{ status: string }>(app, 'select status from emails where id = any($1)', [[failed, other].map(Number)])
  await vi.waitFor(async () => expect(await states()).toEqual([{ status: 'stored' }, { status: 'stored' }]), 60_000)
  expect(await preview(ids)).toMatchObject({ count: 0, leftOut: 5 })
  const entries = await actsOf('resendEmails')
  expect(entries).toMatchObject([{ reason: 'The server is up again', after: { sentAgain: 2 } }])
})

test('CON-403 the kind of an email is in words, also one of a newer release', () => {
  expect(['reservation.booked', 'notice.vipReached', 'claim.decided'].map(topicName)).toEqual([
    'Reservation booked',
    'VIP reached',
    'Claim decided',
  ])
  expect(topicName('of-a.newerRelease')).toBe('Of a newer release')
})

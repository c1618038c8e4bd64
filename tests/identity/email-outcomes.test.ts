import { expect, test } from 'vitest'
import { type EmailTransport, sendEmail } from '../../src/identity/email/service.ts'
import { insertEmail, listNewestEmails } from '../../src/identity/email/store.ts'
import { sendNotification } from '../../src/identity/notifications/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

// What the database has of an email or a notification after each attempt to send it.

const harness = setUpTestHarness()
const context = () => createTestContext(harness, 'beacon')
const parts = { recipient: 'ada@example.com', subject: 'Code', text: '1234', html: '<b>1234</b>' }

/** Queues an email, which no worker sends; returns its id. */
async function queue(over: { secretFor?: number } = {}): Promise<number> {
  const { db } = context()
  const memberId = await addMember(db)
  await inTransaction(db, (tx) =>
    insertEmail(tx, { memberId, topic: 'test', about: String(memberId), ...parts, ...over }),
  )
  const [newest] = await listNewestEmails(db, 1)
  return Number(newest?.id)
}

const send = (id: number, transport: EmailTransport | null, isLastAttempt = false) =>
  sendEmail(
    { db: context().db, partnerId: 'beacon', transport, from: 'Beacon <mail@beacon.example>' },
    { id: String(id), isLastAttempt },
  )

async function stored(id: number) {
  const [row] = await queryAsOwner(
    harness.ownerUrl,
    `select status, recipient, body_text as text, body_html as html, last_error as error, sent_at is not null as "isSent",
       secret_until is not null as "isSecret" from emails where id = $1`,
    [id],
  )
  return row
}

test('an email has its last error until it is sent, and is sent once, with the same message id at each attempt', async () => {
  const id = await queue()
  const attempts: string[] = []
  const failing: EmailTransport = async ({ messageId }) => {
    attempts.push(messageId)
    throw new Error(`550 ada@example.com ${'x'.repeat(600)}`)
  }
  const working: EmailTransport = async ({ messageId }) => void attempts.push(messageId)
  const { text, html, recipient } = parts
  const rest = { recipient, text, html, isSecret: false }
  for (const [isLastAttempt, status] of [
    [false, 'waiting'],
    [true, 'failed'],
  ] as const) {
    await expect(send(id, failing, isLastAttempt)).rejects.toThrow(/^the mail server did not accept the email$/)
    const error = `550 ada@example.com ${'x'.repeat(600)}`.slice(0, 500)
    expect(await stored(id)).toEqual({ ...rest, status, error, isSent: false })
  }
  // An operator retries what has failed.
  for (let attempt = 0; attempt < 2; attempt++) await send(id, working)
  expect(await stored(id)).toEqual({ ...rest, status: 'sent', error: null, isSent: true })
  expect(attempts).toEqual(Array.from({ length: 3 }, () => `<beacon.${id}@beacon.example>`))
})

test('a secret leaves the database when it is sent, and stays readable in an outbox without a mail server', async () => {
  const sent = await queue({ secretFor: 60_000 })
  await expect(send(sent, () => Promise.reject(new Error('down')))).rejects.toThrow()
  expect(await stored(sent)).toMatchObject({ status: 'waiting', text: '1234', html: '<b>1234</b>', isSecret: true })
  await send(sent, async () => {})
  expect(await stored(sent)).toEqual({
    status: 'sent',
    recipient: '',
    text: '',
    html: '',
    error: null,
    isSent: true,
    isSecret: false,
  })
  const inOutbox = await queue({ secretFor: 60_000 })
  await send(inOutbox, null)
  expect(await stored(inOutbox)).toMatchObject({ status: 'stored', text: '1234', isSent: false, isSecret: true })
  // After its time it is neither sent nor marked as sent.
  const late = await queue({ secretFor: -1 })
  await send(late, () => Promise.reject(new Error('called')))
  expect(await stored(late)).toMatchObject({ status: 'waiting', isSent: false })
})

/** Adds a notification and its member's devices, each with the outcome of its push service; sends it once. */
async function push(outcomes: readonly ('sent' | 'gone' | 'later')[]) {
  const ctx = context()
  const memberId = await addMember(ctx.db)
  for (const [index, outcome] of outcomes.entries())
    await queryAsOwner(
      harness.ownerUrl,
      `insert into push_subscriptions (partner_id, member_id, endpoint, p256dh, auth, time_zone)
       values ('beacon', $1, $2, 'key', 'auth', 'UTC')`,
      [memberId, `${memberId}/${index}/${outcome}`],
    )
  const [row] = await queryAsOwner<{ id: string }>(
    harness.ownerUrl,
    `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
     values ('beacon', $1, 'mealSeen', 'cause', 'push', '{}', '/account/recent_activity', 'waiting') returning id`,
    [memberId],
  )
  const messages: unknown[] = []
  const service = {
    async send({ endpoint }: { endpoint: string }, message: unknown) {
      messages.push(message)
      return endpoint.split('/')[2]
    },
  }
  const deps = { origin: (partner: string) => `https://${partner}.example`, push: service }
  const job = { id: row?.id ?? '', isLastAttempt: false }
  const error = await sendNotification(ctx, deps as never, job).then(
    () => null,
    ({ message }: Error) => message,
  )
  const [after] = await queryAsOwner(
    harness.ownerUrl,
    `select n.status, array(select split_part(endpoint, '/', 3) from push_subscriptions s where s.member_id = n.member_id
       order by id) as devices from notifications n where id = $1`,
    [row?.id],
  )
  return { ...after, error, messages }
}

test('a notification by email is queued once, for its member, with its link', async () => {
  const program = loadPrograms('programs').get('beacon')
  const t = (key: string) => (key === 'notices.mail_greeting' ? 'Hello {name}' : key)
  const ctx = { ...context(), program, t } as Ctx
  const memberId = await addMember(ctx.db)
  const [row] = await queryAsOwner<{ id: string }>(
    harness.ownerUrl,
    `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
     values ('beacon', $1, 'rewardPosted', 'cause', 'email', '{}', '/account/recent_activity', 'waiting') returning id`,
    [memberId],
  )
  await queryAsOwner(
    harness.ownerUrl,
    `insert into notification_preferences (partner_id, member_id, topic, channel, wanted)
     values ('beacon', $1, 'rewardPosted', 'email', true)`,
    [memberId],
  )
  const deps = { origin: (partner: string) => `https://${partner}.example` } as never
  for (let attempt = 0; attempt < 2; attempt++)
    await sendNotification(ctx, deps, { id: row?.id ?? '', isLastAttempt: false })
  const queued = await queryAsOwner(
    harness.ownerUrl,
    `select e.recipient = m.email as own, e.topic, e.about, e.subject, e.body_text as text, n.status
     from emails e join members m on m.id = e.member_id join notifications n on n.member_id = m.id where m.id = $1`,
    [memberId],
  )
  expect(queued).toEqual([
    {
      own: true,
      topic: 'notice.rewardPosted',
      about: 'cause',
      subject: 'notices.rewardPosted_title',
      text: expect.stringMatching(
        /^notices.rewardPosted_title\n\nHello Ada\n\nnotices.rewardPosted_body\n\nnotices.mail_action: https:\/\/beacon.example\/account\/recent_activity\n/,
      ),
      status: 'sent',
    },
  ])
})

test('a push message that one device has got is not sent again for others; devices that are gone are forgotten', async () => {
  const message = {
    title: 'notices.mealSeen_title',
    body: 'notices.mealSeen_body',
    url: 'https://beacon.example/account/recent_activity',
    tag: 'mealSeen:cause',
  }
  expect(await push(['later', 'sent', 'gone'])).toEqual({
    status: 'sent',
    devices: ['later', 'sent'],
    error: null,
    messages: [message, message, message],
  })
  expect(await push(['gone', 'later'])).toMatchObject({
    status: 'waiting',
    devices: ['later'],
    error: 'no push service accepted the message',
  })
  expect(await push(['gone', 'gone'])).toMatchObject({ status: 'failed', devices: [], error: null })
  expect(await push([])).toMatchObject({ status: 'failed', messages: [] })
})

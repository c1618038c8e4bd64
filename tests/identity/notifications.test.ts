import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import ece from 'http_ece'
import { jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { mayPushNow } from '../../src/identity/notifications/rules.ts'
import { notifyAll, purgeNotifications, sendNotification } from '../../src/identity/notifications/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { addDays } from '../../src/platform/time.ts'
import { notifyOfPendingReviews } from '../../src/rewards/awards/pending.ts'
import { listAwaitingReview, listReviewsToNotify } from '../../src/rewards/awards/pending-store.ts'
import { notifyExpiringCards } from '../../src/rewards/cards/service.ts'
import { listExpiringCards } from '../../src/rewards/cards/store.ts'
import { dayText } from '../../src/rewards/earning/explain.ts'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { freePort } from '../support/free-port.ts'

let app: TestApp
let service: Server
let port: number
interface Received {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: Buffer
}
const received: Received[] = []
/** The responses of the service, by path. */
const responses = new Map<string, number>()

// A push service of our own on loopback: it accepts requests like a browser's service and records them.
beforeAll(async () => {
  port = await freePort()
  service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (part) => chunks.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      const status = responses.get(path) ?? 201
      if (status === 201) received.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((done) => service.listen(port, '127.0.0.1', done))
  app = await startTestApp({ PUSH_HOSTS: `127.0.0.1:${port}` })
})
afterAll(async () => {
  service?.close()
  await app?.stop()
})

/** A browser that subscribes and can decrypt its messages. */
async function subscribe(member: CardMember, over: { endpoint?: string; timeZone?: string } = {}) {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  const body = {
    endpoint: over.endpoint ?? `http://127.0.0.1:${port}${path}`,
    keys: { p256dh: curve.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    timeZone: over.timeZone ?? 'America/New_York',
  }
  const response = await member.visitor.change('POST', '/api/Member/Push', body)
  const got = () =>
    received
      .filter((each) => each.path === path)
      .map(({ body: sealed, headers }) => ({
        headers,
        message: JSON.parse(
          ece
            .decrypt(sealed, { version: 'aes128gcm', privateKey: curve, authSecret: auth.toString('base64url') })
            .toString(),
        ),
      }))
  return { response, path, body, got }
}

const choose = (member: CardMember, topic: string, channel: string, wanted: boolean) =>
  member.visitor.change('PUT', '/api/Member/Notices', { topic, channel, wanted })
const listEmails = async (member: CardMember, subject: RegExp) => {
  const { email } = (await member.visitor.get('/api/Member')).json()
  const { mails: emails } = (await member.visitor.get('/api/staging/outbox')).json()
  return emails.filter(
    (message: { recipient: string; subject: string }) => message.recipient === email && subject.test(message.subject),
  )
}
/** Runs the program's job of every minute. */
async function runNotificationJobs(partnerId: string): Promise<void> {
  const program = { config: app.programs.get(partnerId)?.config }
  const ctx = { partnerId, db: app.database.pools.forPartner(partnerId), program, now: () => new Date() } as never
  await notifyOfPendingReviews(ctx)
  await notifyExpiringCards(ctx)
}

/** Returns a time zone where it is daytime now. */
const dayZone = () => (new Date().getUTCHours() >= 9 && new Date().getUTCHours() < 21 ? 'UTC' : 'Pacific/Auckland')

/** Returns a time zone where it is night now. */
const nightZone = () =>
  ['UTC', 'Asia/Tokyo', 'America/Los_Angeles'].find((zone) => !mayPushNow('rewardPosted', new Date(), zone)) ?? ''

test('an authorized transaction is pushed to the device at once, encrypted for it and signed', async () => {
  const member = await createCardMember(app)
  const device = await subscribe(member)
  expect(device.response.json().devices).toBe(1)
  await member.sendTransaction('auth', '42.10')
  await vi.waitFor(() => expect(device.got()).toHaveLength(1), 15_000)
  const [{ headers, message }] = device.got() as [ReturnType<typeof device.got>[number]]
  expect(message).toEqual({
    title: 'Card used at Corner Bistro',
    body: `$42.10 on your card ending in ${member.lastFour}. 126 miles on the way.`,
    url: `${app.origin('skyharbor')}/account/recent_activity`,
    tag: expect.stringMatching(/^mealSeen:/),
  })
  expect(headers['content-encoding']).toBe('aes128gcm')
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(String(headers.authorization)) ?? []
  const point = Buffer.from(key, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const { payload } = await jwtVerify(token, jwk)
  expect(payload.aud).toBe(`http://127.0.0.1:${port}`)
})

test('a posted award is notified once, however often the network repeats its message', async () => {
  const member = await createCardMember(app)
  const device = await subscribe(member, { timeZone: dayZone() })
  await choose(member, 'rewardPosted', 'email', true)
  const id = await member.sendTransaction('auth', '42.10')
  await member.sendTransaction('clearing', '48.00', id)
  await member.sendTransaction('clearing', '48.00', id)
  const posted = () => device.got().filter(({ message }) => message.tag.startsWith('rewardPosted:'))
  await vi.waitFor(() => expect(posted().map(({ message }) => message.title)).toEqual(['144 miles posted']), 15_000)
  await vi.waitFor(async () => expect(await listEmails(member, /144 miles posted/)).toHaveLength(1), 15_000)
})

test('members are notified only of what they enabled', async () => {
  const member = await createCardMember(app)
  const device = await subscribe(member, { timeZone: dayZone() })
  await choose(member, 'mealSeen', 'push', false)
  const id = await member.sendTransaction('auth', '42.10')
  await member.sendTransaction('clearing', '42.10', id)
  await vi.waitFor(() => expect(device.got()).toHaveLength(1), 15_000)
  expect(device.got()[0]?.message.tag).toMatch(/^rewardPosted:/)
  expect(await listEmails(member, /posted|Seen/)).toEqual([])
})

test('each member of a batch is notified by the own channels: email where it was chosen, push where there is a device', async () => {
  const [reader, owner] = [await createCardMember(app), await createCardMember(app)]
  await choose(reader, 'rewardPosted', 'email', true)
  await subscribe(owner, { timeZone: dayZone() })
  const about = randomBytes(8).toString('hex')
  const rest = { topic: 'rewardPosted' as const, about, params: { benefit: '5 miles' }, path: '/' }
  const { memberId } = reader
  await inTransaction(app.database.pools.forPartner('skyharbor'), (tx) =>
    notifyAll(
      tx,
      [memberId, owner.memberId].map((id) => ({ memberId: id, ...rest })),
    ),
  )
  const queued = await asOwner<{ member_id: string; channel: string }>(
    app,
    'select member_id, channel from notifications where about = $1 order by member_id',
    [about],
  )
  expect(queued.map(({ member_id, channel }) => [Number(member_id), channel])).toEqual([
    [memberId, 'email'],
    [owner.memberId, 'push'],
  ])
})

test('a review and a card about to expire are notified by email, once', async () => {
  const member = await createCardMember(app, 'orchard')
  await member.sendTransaction('clearing', '60.00')
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 7)
  await asOwner(app, "update transactions set occurred_at = now() - interval '29 days' where member_id = $1", [
    member.memberId,
  ])
  await asOwner(app, 'update cards set expires = $2 where member_id = $1', [member.memberId, soon])
  const late = await createCardMember(app, 'orchard')
  await asOwner(app, "update cards set expires = to_char(now() - interval '1 month', 'YYYY-MM') where member_id = $1", [
    late.memberId,
  ])
  // Members are notified from seven days before the end of the 35.
  const early = await createCardMember(app, 'orchard')
  await early.sendTransaction('clearing', '60.00')
  await asOwner(app, "update transactions set occurred_at = now() - interval '27 days 23 hours' where member_id = $1", [
    early.memberId,
  ])
  await runNotificationJobs('orchard')
  await runNotificationJobs('orchard')
  const topics = await asOwner(app, "select 1 from notifications where member_id = $1 and topic = 'reviewDue'", [
    early.memberId,
  ])
  expect(topics).toEqual([])
  const about = await asOwner(app, "select 1 from notifications where member_id = $1 and topic = 'cardExpires'", [
    late.memberId,
  ])
  expect(about).toEqual([])
  await vi.waitFor(async () => {
    expect(await listEmails(member, /review is about to expire/)).toHaveLength(1)
    expect(await listEmails(member, /expires soon$/)).toHaveLength(1)
  }, 20_000)
  const [message] = await listEmails(member, /review is about to expire/)
  // 35 days after the visit, 29 of which have passed.
  const by = dayText(addDays(new Date().toISOString().slice(0, 10), 6))
  expect(message.text).toContain(`Review your meal at Corner Bistro by ${by} to earn`)
})

test('cards expire soon from the first to the last month, once for each expiry date, and only while they are linked', async () => {
  const { memberId } = await createCardMember(app, 'orchard')
  const setExpires = (expires: string) =>
    asOwner(app, 'update cards set expires = $2 where member_id = $1', [memberId, expires])
  const isListed = async () => {
    const period = { since: '2027-03', until: '2027-04' }
    const found = await listExpiringCards(app.database.pools.forPartner('orchard'), period)
    return found.some((card) => card.memberId === memberId)
  }
  const listed: Record<string, boolean> = {}
  for (const month of ['2027-02', '2027-03', '2027-04', '2027-05']) {
    await setExpires(month)
    listed[month] = await isListed()
  }
  expect(listed).toEqual({ '2027-02': false, '2027-03': true, '2027-04': true, '2027-05': false })
  await setExpires('2027-03')
  await asOwner(
    app,
    `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
     select 'orchard', $1, 'cardExpires', public_id || ':2027-03', 'email', '{}', '/', 'sent'
     from cards where member_id = $1`,
    [memberId],
  )
  expect(await isListed()).toBe(false)
  await setExpires('2027-04')
  expect(await isListed()).toBe(true)
  await asOwner(app, 'update cards set removed_at = now() where member_id = $1', [memberId])
  expect(await isListed()).toBe(false)
})

test('a notification that the member disabled is recorded as skipped and not found again', async () => {
  const member = await createCardMember(app, 'orchard')
  await member.sendTransaction('clearing', '60.00')
  // One without its final amount is not to be reviewed yet.
  await member.sendTransaction('auth', '20.00')
  await choose(member, 'reviewDue', 'email', false)
  await asOwner(app, "update transactions set occurred_at = now() - interval '29 days' where member_id = $1", [
    member.memberId,
  ])
  const [orchard, before] = [app.database.pools.forPartner('orchard'), new Date(Date.now() - 28 * 86_400_000)]
  const listDue = () => listReviewsToNotify(orchard, before)
  const own = await asOwner<{ id: string }>(
    app,
    "select id from transactions where member_id = $1 and award_status = 'Pending' order by id",
    [member.memberId],
  )
  expect(own).toHaveLength(2)
  const awaiting = await listAwaitingReview(orchard, before)
  expect(own.map(({ id }) => awaiting.includes(Number(id)))).toEqual([true, false])
  expect(await listDue()).toHaveLength(1)
  await runNotificationJobs('orchard')
  expect(await listDue()).toEqual([])
  expect(await listEmails(member, /review is about to expire/)).toEqual([])
})

test('at night only an authorized transaction is pushed', async () => {
  const night = new Date('2026-03-10T03:00:00Z')
  expect(mayPushNow('rewardPosted', night, 'UTC')).toBe(false)
  expect(mayPushNow('mealSeen', night, 'UTC')).toBe(true)
  expect(mayPushNow('rewardPosted', night, 'Asia/Tokyo')).toBe(true)
})

test('a push message that is due at night is looked at again a quarter of an hour later', async () => {
  const [asleep, withGone] = [await createCardMember(app), await createCardMember(app)]
  for (const member of [asleep, withGone]) await subscribe(member, { timeZone: nightZone() })
  // Another browser of the second member, where it is day, no longer exists: the message still waits for the first one.
  responses.set((await subscribe(withGone, { timeZone: dayZone() })).path, 410)
  for (const member of [asleep, withGone]) {
    await choose(member, 'mealSeen', 'push', false)
    await member.sendTransaction('clearing', '42.10')
  }
  for (const { memberId } of [asleep, withGone]) {
    await vi.waitFor(async () => {
      const [postponed] = await asOwner<{ minutes: number }>(
        app,
        `select ceil(extract(epoch from due_at - now()) / 60)::int as minutes from notifications
         where member_id = $1 and topic = 'rewardPosted' and channel = 'push' and status = 'waiting' and due_at > now()`,
        [memberId],
      )
      expect(postponed?.minutes).toBe(15)
    }, 15_000)
  }
})

test('the outbox shows the newest 50 emails', async () => {
  const { memberId, visitor } = await createCardMember(app)
  await asOwner(
    app,
    `insert into emails (partner_id, member_id, topic, about, recipient, subject, body_text, body_html, status)
     select 'skyharbor', $1, 'many', n, 'ada@example.com', 'Email ' || n, '', '', 'sent' from generate_series(1, 51) n`,
    [memberId],
  )
  const { mails } = (await visitor.get('/api/staging/outbox')).json<{ mails: { subject: string }[] }>()
  expect(mails).toHaveLength(50)
  const subjects = mails.map(({ subject }) => subject)
  expect([subjects.includes('Email 51'), subjects.includes('Email 1')]).toEqual([true, false])
})

test('a subscription that no longer exists is removed, and one whose service is busy is retried', async () => {
  const member = await createCardMember(app)
  const [gone, busy] = [await subscribe(member), await subscribe(member)]
  const [failing, limited] = [await subscribe(member), await subscribe(member)]
  responses.set(gone.path, 410)
  responses.set(busy.path, 503)
  responses.set(failing.path, 500)
  responses.set(limited.path, 429)
  await member.sendTransaction('auth', '42.10')
  const devices = async () => (await member.visitor.get('/api/Member/Notices')).json().devices
  await vi.waitFor(async () => expect(await devices()).toBe(3), 15_000)
  for (const { path } of [busy, failing, limited]) responses.delete(path)
  await asOwner(app, 'update notifications set due_at = now() where member_id = $1', [member.memberId])
  await vi.waitFor(() => expect(busy.got()).toHaveLength(1), 15_000)
})

test('a push message that no service accepts waits for another attempt, and has failed after the last one', async () => {
  const { memberId } = await createCardMember(app)
  const member = { memberId, endpoint: `http://127.0.0.1:${port}/push/busy` }
  // Recorded as failed: its job in the app does not send it meanwhile.
  const [row] = await asOwner<{ id: string }>(
    app,
    `with device as (
       insert into push_subscriptions (partner_id, member_id, endpoint, p256dh, auth, time_zone)
       values ('skyharbor', $1, $2, 'key', 'auth', 'UTC'))
     insert into notifications (partner_id, member_id, topic, about, channel, params, path, status)
     values ('skyharbor', $1, 'mealSeen', 'busy', 'push', '{}', '/', 'failed') returning id`,
    [member.memberId, member.endpoint],
  )
  const ctx = { partnerId: 'skyharbor', db: app.database.pools.forPartner('skyharbor'), now: () => new Date() }
  const deps = { origin: app.origin, push: { send: async () => 'later' } }
  const statuses: unknown[] = []
  for (const isLastAttempt of [false, true]) {
    const sending = sendNotification({ ...ctx, t: (key: string) => key } as never, deps as never, {
      id: row?.id ?? '',
      isLastAttempt,
    })
    await expect(sending).rejects.toThrow('no push service accepted the message')
    const [stored] = await asOwner<{ status: string }>(app, 'select status from notifications where id = $1', [row?.id])
    statuses.push(stored?.status)
  }
  expect(statuses).toEqual(['waiting', 'failed'])
})

test('a subscription that no longer exists is removed, not one where it is night', async () => {
  const member = await createCardMember(app)
  const asleep = await subscribe(member, { timeZone: nightZone() })
  const [gone, reached] = [
    await subscribe(member, { timeZone: dayZone() }),
    await subscribe(member, { timeZone: dayZone() }),
  ]
  responses.set(gone.path, 410)
  await choose(member, 'mealSeen', 'push', false)
  await member.sendTransaction('clearing', '42.10')
  await vi.waitFor(() => expect(reached.got()).toHaveLength(1), 15_000)
  await vi.waitFor(async () => {
    const stored = await asOwner<{ endpoint: string }>(
      app,
      'select endpoint from push_subscriptions where member_id = $1 order by id',
      [member.memberId],
    )
    expect(stored.map(({ endpoint }) => endpoint)).toEqual([asleep.body.endpoint, reached.body.endpoint])
  }, 15_000)
})

test('Case 36 only push services are called, for any address that a browser submits', async () => {
  const member = await createCardMember(app)
  const inside = [
    'http://127.0.0.1:1/x',
    'http://localhost:5432/',
    'https://fcm.googleapis.com.evil.example/x',
    'https://evil.example/fcm.googleapis.com',
    'https://user@fcm.googleapis.com/x',
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'https://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
  ]
  for (const endpoint of inside) {
    const { response } = await subscribe(member, { endpoint })
    expect([endpoint, response.status]).toEqual([endpoint, endpoint.startsWith('file') ? 400 : 422])
  }
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=x',
  ]) {
    expect((await subscribe(member, { endpoint })).response.status).toBe(200)
  }
})

test('a subscription belongs to the member who used it last, a member has at most ten, and it can be removed', async () => {
  const [first, second] = [await createCardMember(app), await createCardMember(app)]
  const shared = await subscribe(first)
  await second.visitor.change('POST', '/api/Member/Push', shared.body)
  const devices = async ({ visitor }: CardMember) => (await visitor.get('/api/Member/Notices')).json().devices
  expect([await devices(first), await devices(second)]).toEqual([0, 1])
  await first.visitor.change('POST', '/api/Member/Push/Remove', { endpoint: shared.body.endpoint })
  expect(await devices(second)).toBe(1)
  await second.visitor.change('POST', '/api/Member/Push/Remove', { endpoint: shared.body.endpoint })
  expect(await devices(second)).toBe(0)
  const endpoints: string[] = []
  for (let device = 0; device < 12; device++) {
    const visitor = visit(app, 'skyharbor', { cookies: first.visitor.cookies })
    endpoints.push((await subscribe({ ...first, visitor })).body.endpoint)
  }
  expect(await devices(first)).toBe(10)
  // A time zone that no one knows is no reason to reject a browser.
  await subscribe(second, { timeZone: 'Mars/Olympus_Mons' })
  const [unknown] = await asOwner(app, 'select time_zone from push_subscriptions where member_id = $1', [
    second.memberId,
  ])
  expect(unknown).toEqual({ time_zone: 'UTC' })
  // Another spelling would be cached as a zone of its own.
  await subscribe(second, { timeZone: 'aMERICA/nEW_yORK' })
  expect(
    await asOwner(app, 'select time_zone from push_subscriptions where member_id = $1 order by id', [second.memberId]),
  ).toEqual([{ time_zone: 'UTC' }, { time_zone: 'America/New_York' }])
  // The oldest two are dropped.
  const stored = await asOwner<{ endpoint: string }>(
    app,
    'select endpoint from push_subscriptions where member_id = $1 order by id',
    [first.memberId],
  )
  expect(stored.map(({ endpoint }) => endpoint)).toEqual(endpoints.slice(2))
  // A browser that another member used long before is the newest one of the member who uses it now.
  await asOwner(app, 'update push_subscriptions set member_id = $1 where endpoint = $2', [
    second.memberId,
    endpoints[2],
  ])
  for (const endpoint of ['https://fcm.googleapis.com/fcm/send/last', endpoints[2] as string]) {
    await subscribe({ ...first, visitor: visit(app, 'skyharbor', { cookies: first.visitor.cookies }) }, { endpoint })
  }
  const again = await asOwner<{ endpoint: string }>(
    app,
    'select endpoint from push_subscriptions where member_id = $1 order by id desc limit 1',
    [first.memberId],
  )
  expect(again).toEqual([{ endpoint: endpoints[2] }])
})

test('the cleanup deletes notifications older than 60 days, of an expiring card 120 days, but none that still waits', async () => {
  const { memberId } = await createCardMember(app)
  for (const [about, status, age, topic = 'mealSeen'] of [
    ['old', 'sent', '61 days'],
    ['old waiting', 'waiting', '61 days'],
    ['recent', 'sent', '59 days'],
    // A card is about to expire for up to 92 days, and notified once.
    ['card', 'sent', '119 days', 'cardExpires'],
    ['old card', 'sent', '121 days', 'cardExpires'],
  ]) {
    // Due tomorrow, so that no job sends it.
    await asOwner(
      app,
      `insert into notifications (partner_id, member_id, topic, about, channel, params, path, status, created_at, due_at)
       values ('skyharbor', $1, $5, $2, 'email', '{}', '/', $3, now() - $4::interval, now() + interval '1 day')`,
      [memberId, about, status, age, topic],
    )
  }
  await purgeNotifications(app.database.pools.forPartner('skyharbor'))
  const left = await asOwner(app, 'select about from notifications where member_id = $1 order by about', [memberId])
  expect(left).toEqual([{ about: 'card' }, { about: 'old waiting' }, { about: 'recent' }])
})

test('Case 62 a deleted account gets no notifications, and none of its subscriptions and settings remain', async () => {
  const member = await createCardMember(app)
  await subscribe(member)
  await choose(member, 'rewardPosted', 'email', true)
  await member.visitor.change('POST', '/api/Member/Prove', { password: 'sourdough 4 breakfast' })
  expect((await member.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const db = app.database.pools.forPartner('skyharbor')
  for (const table of ['notifications', 'push_subscriptions', 'notification_preferences']) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where member_id = ${member.memberId}`.execute(db)
    expect([table, rows]).toEqual([table, []])
  }
})

import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import ece from 'http_ece'
import { jwtVerify } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tellOfReviews } from '../../src/rewards/awards/tell-member.ts'
import { mealsReviewDue } from '../../src/rewards/awards/waiting-store.ts'
import { tellOfExpiry } from '../../src/rewards/cards/service.ts'
import { asOwner, startTestApp, type TestApp, visit } from '../support/app.ts'
import { type Diner, newDiner } from '../support/diner.ts'
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
const answers = new Map<string, number>()

// A push service of our own on loopback: it accepts requests like a browser's service and records them.
beforeAll(async () => {
  port = await freePort()
  service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part) => parts.push(part))
    request.on('end', () => {
      const path = request.url ?? ''
      const status = answers.get(path) ?? 201
      if (status === 201) received.push({ path, headers: request.headers, body: Buffer.concat(parts) })
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
async function subscribe(diner: Diner, over: { endpoint?: string; timeZone?: string } = {}) {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const path = `/push/${randomBytes(8).toString('hex')}`
  const body = {
    endpoint: over.endpoint ?? `http://127.0.0.1:${port}${path}`,
    keys: { p256dh: curve.getPublicKey().toString('base64url'), auth: auth.toString('base64url') },
    timeZone: over.timeZone ?? 'America/New_York',
  }
  const answer = await diner.visitor.change('POST', '/api/Member/Push', body)
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
  return { answer, path, body, got }
}

const choose = (diner: Diner, topic: string, channel: string, wanted: boolean) =>
  diner.visitor.change('PUT', '/api/Member/Notices', { topic, channel, wanted })
const mailsFor = async (diner: Diner, subject: RegExp) => {
  const { email } = (await diner.visitor.get('/api/Member')).json()
  const { mails } = (await diner.visitor.get('/api/staging/outbox')).json()
  return mails.filter(
    (mail: { recipient: string; subject: string }) => mail.recipient === email && subject.test(mail.subject),
  )
}
/** Runs the program's job of every minute. */
async function lookFor(partnerId: string): Promise<void> {
  const program = { config: app.programs.get(partnerId)?.config }
  const ctx = { partnerId, db: app.database.pools.forPartner(partnerId), program, now: () => new Date() } as never
  await tellOfReviews(ctx)
  await tellOfExpiry(ctx)
}

/** Returns a time zone where it is daytime now. */
const dayZone = () => (new Date().getUTCHours() >= 9 && new Date().getUTCHours() < 21 ? 'UTC' : 'Pacific/Auckland')

test('a meal that is seen wakes the device at once, sealed for it and signed by us', async () => {
  const diner = await newDiner(app)
  const device = await subscribe(diner)
  expect(device.answer.json().devices).toBe(1)
  await diner.dine('auth', '42.10')
  await vi.waitFor(() => expect(device.got()).toHaveLength(1), 15_000)
  const [{ headers, message }] = device.got() as [ReturnType<typeof device.got>[number]]
  expect(message).toEqual({
    title: 'Card used at Corner Bistro',
    body: `$42.10 on your card ending in ${diner.lastFour}. 126 miles on the way.`,
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

test('a reward that is posted is told once, however often the network repeats itself', async () => {
  const diner = await newDiner(app)
  const device = await subscribe(diner, { timeZone: dayZone() })
  await choose(diner, 'rewardPosted', 'email', true)
  const id = await diner.dine('auth', '42.10')
  await diner.dine('clearing', '48.00', id)
  await diner.dine('clearing', '48.00', id)
  const posted = () => device.got().filter(({ message }) => message.tag.startsWith('rewardPosted:'))
  await vi.waitFor(() => expect(posted().map(({ message }) => message.title)).toEqual(['144 miles posted']), 15_000)
  await vi.waitFor(async () => expect(await mailsFor(diner, /144 miles posted/)).toHaveLength(1), 15_000)
})

test('nobody is told who did not ask for it', async () => {
  const diner = await newDiner(app)
  const device = await subscribe(diner, { timeZone: dayZone() })
  await choose(diner, 'mealSeen', 'push', false)
  const id = await diner.dine('auth', '42.10')
  await diner.dine('clearing', '42.10', id)
  await vi.waitFor(() => expect(device.got()).toHaveLength(1), 15_000)
  expect(device.got()[0]?.message.tag).toMatch(/^rewardPosted:/)
  expect(await mailsFor(diner, /posted|Seen/)).toEqual([])
})

test('a review about to expire and a card about to expire are told by email, once', async () => {
  const diner = await newDiner(app, 'orchard')
  await diner.dine('clearing', '60.00')
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 7)
  await asOwner(app, "update transactions set dined_at = now() - interval '29 days' where member_id = $1", [
    diner.memberId,
  ])
  await asOwner(app, 'update cards set expires = $2 where member_id = $1', [diner.memberId, soon])
  await lookFor('orchard')
  await lookFor('orchard')
  await vi.waitFor(async () => {
    expect(await mailsFor(diner, /review is about to expire/)).toHaveLength(1)
    expect(await mailsFor(diner, /expires soon$/)).toHaveLength(1)
  }, 20_000)
  const [mail] = await mailsFor(diner, /review is about to expire/)
  expect(mail.text).toMatch(/Review your meal at Corner Bistro by .* to earn \d+ points\./)
})

test('what nobody wants to hear is looked for once, and keeps nobody else waiting', async () => {
  const diner = await newDiner(app, 'orchard')
  await diner.dine('clearing', '60.00')
  await choose(diner, 'reviewDue', 'email', false)
  await asOwner(app, "update transactions set dined_at = now() - interval '29 days' where member_id = $1", [
    diner.memberId,
  ])
  const due = () => mealsReviewDue(app.database.pools.forPartner('orchard'), new Date(Date.now() - 28 * 86_400_000))
  expect(await due()).toHaveLength(1)
  await lookFor('orchard')
  expect(await due()).toEqual([])
  expect(await mailsFor(diner, /review is about to expire/)).toEqual([])
})

test('at night only a meal on the table wakes anybody', async () => {
  const { mayWake } = await import('../../src/identity/notifications/rules.ts')
  const night = new Date('2026-03-10T03:00:00Z')
  expect(mayWake('rewardPosted', night, 'UTC')).toBe(false)
  expect(mayWake('mealSeen', night, 'UTC')).toBe(true)
  expect(mayWake('rewardPosted', night, 'Asia/Tokyo')).toBe(true)
})

test('a browser that is gone is forgotten, one whose service is busy is tried again', async () => {
  const diner = await newDiner(app)
  const [gone, busy] = [await subscribe(diner), await subscribe(diner)]
  answers.set(gone.path, 410)
  answers.set(busy.path, 503)
  await diner.dine('auth', '42.10')
  const devices = async () => (await diner.visitor.get('/api/Member/Notices')).json().devices
  await vi.waitFor(async () => expect(await devices()).toBe(1), 15_000)
  answers.delete(busy.path)
  await asOwner(app, 'update notices set due_at = now() where member_id = $1', [diner.memberId])
  await vi.waitFor(() => expect(busy.got()).toHaveLength(1), 15_000)
})

test('Case 36 only push services are ever called, whatever a browser says its address is', async () => {
  const diner = await newDiner(app)
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
    const { answer } = await subscribe(diner, { endpoint })
    expect([endpoint, answer.status]).toEqual([endpoint, endpoint.startsWith('file') ? 400 : 422])
  }
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/abc',
    'https://wns2-by3p.notify.windows.com/w/?token=x',
  ]) {
    expect((await subscribe(diner, { endpoint })).answer.status).toBe(200)
  }
})

test('a browser belongs to whoever used it last, no member keeps more than ten, and it can be switched off', async () => {
  const [first, second] = [await newDiner(app), await newDiner(app)]
  const shared = await subscribe(first)
  await second.visitor.change('POST', '/api/Member/Push', shared.body)
  const devices = async ({ visitor }: Diner) => (await visitor.get('/api/Member/Notices')).json().devices
  expect([await devices(first), await devices(second)]).toEqual([0, 1])
  await first.visitor.change('POST', '/api/Member/Push/Remove', { endpoint: shared.body.endpoint })
  expect(await devices(second)).toBe(1)
  await second.visitor.change('POST', '/api/Member/Push/Remove', { endpoint: shared.body.endpoint })
  expect(await devices(second)).toBe(0)
  for (let device = 0; device < 12; device++) {
    const visitor = visit(app, 'skyharbor', { cookies: first.visitor.cookies })
    await subscribe({ ...first, visitor })
  }
  expect(await devices(first)).toBe(10)
})

test('Case 62 a deleted account is told nothing more, and nothing of it is kept', async () => {
  const diner = await newDiner(app)
  await subscribe(diner)
  await choose(diner, 'rewardPosted', 'email', true)
  await diner.visitor.change('POST', '/api/Member/Prove', { password: 'sourdough 4 breakfast' })
  expect((await diner.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const db = app.database.pools.forPartner('skyharbor')
  for (const table of ['notices', 'push_subscriptions', 'notice_choices']) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where member_id = ${diner.memberId}`.execute(db)
    expect([table, rows]).toEqual([table, []])
  }
})

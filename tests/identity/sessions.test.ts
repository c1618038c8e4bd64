import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { maxAddressFailures, maxLoginFailures } from '../../src/identity/session/rules.ts'
import { signIn as signInCall } from '../../src/identity/session/schemas.ts'
import { checkCredentials, verifyPassword } from '../../src/identity/session/service.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner, startSecondApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join, signIn } from '../support/members.ts'
import { scaled } from '../support/scale.ts'

const app = setUpTestApp()
let secondApp: TestApp
const password = 'sourdough 4 breakfast'

beforeAll(async () => {
  secondApp = await startSecondApp(app)
  for (const partner of ['gallonaire', 'orchard']) await withoutBotCheck(partner, app, secondApp)
})
afterAll(async () => {
  await secondApp?.stop()
})
afterEach(() => vi.restoreAllMocks())

const newMember = (over: Record<string, unknown> = {}) => join(app, 'gallonaire', over)
const ageSessions = (column: string, interval: string, id: string) =>
  asOwner(app, `update sessions set ${column} = ${column} - interval '${interval}' where id_hash = $1`, [tokenHash(id)])

describe('a session', () => {
  test('Case 24 no session id that was planted, replaced or signed out is valid', async () => {
    const rounds = scaled({ full: 67, short: 4 })
    let opened = 0
    let tried = 0
    const shows = async (id: string) => {
      const attacker = visit(app, 'gallonaire')
      attacker.cookies.set('sid', id)
      tried++
      if ((await attacker.get('/api/Member')).status !== 401) opened++
    }
    const { form } = await newMember()
    for (let round = 0; round < rounds; round++) {
      const victim = visit(app, 'gallonaire')
      await victim.token()
      const planted = victim.cookies.get('sid') as string
      expect((await signIn(victim, form.email)).status).toBe(200)
      const first = victim.cookies.get('sid') as string
      expect((await signIn(victim, form.email)).status).toBe(200)
      const second = victim.cookies.get('sid') as string
      await victim.get('/api/SignOut')
      for (const id of [planted, first, second]) await shows(id)
    }
    expect([opened, tried]).toEqual([0, 3 * rounds])
  })

  test('Case 24 counterpart: a session id that is not replaced at sign-in lets the attacker in', async () => {
    const { publicId } = await newMember()
    const attacker = visit(app, 'gallonaire')
    await attacker.token()
    const planted = tokenHash(attacker.cookies.get('sid') as string)
    await asOwner(
      app,
      'update sessions set member_id = (select id from members where public_id = $1) where id_hash = $2',
      [publicId, planted],
    )
    expect((await attacker.get('/api/Member')).status).toBe(200)
  })

  test('SESS-006 a session ends after 15 idle minutes, a remembered one after 90 days, and each use extends it', async () => {
    const { form } = await newMember()
    for (const [rememberMe, length] of [
      [false, 15 * 60],
      [true, 90 * 24 * 3600],
    ] as const) {
      const visitor = visit(app, 'gallonaire')
      await signIn(visitor, form.email, { rememberMe })
      const id = visitor.cookies.get('sid') as string
      const left = async () => {
        const [row] = await asOwner<{ left: number }>(
          app,
          'select extract(epoch from expires_at - now())::float8 as left from sessions where id_hash = $1',
          [tokenHash(id)],
        )
        return row?.left ?? 0
      }
      expect(Math.abs((await left()) - length)).toBeLessThan(60)
      await ageSessions('expires_at', '10 minutes', id)
      expect((await visitor.get('/api/Member')).status).toBe(200)
      expect(Math.abs((await left()) - length)).toBeLessThan(60)
      await ageSessions('expires_at', '91 days', id)
      expect((await visitor.get('/api/Member')).status).toBe(401)
    }
  })

  test('a remembered session gets a new id once a day, and using the old one later ends it for both', async () => {
    const { form } = await newMember()
    const owner = visit(app, 'gallonaire')
    await signIn(owner, form.email, { rememberMe: true })
    const copied = owner.cookies.get('sid') as string
    const getPage = () => owner.get('/account/overview', { accept: 'text/html' })
    await ageSessions('renewed_at', '23 hours 59 minutes', copied)
    await getPage()
    expect(owner.cookies.get('sid')).toBe(copied)
    await ageSessions('renewed_at', '2 minutes', copied)
    // A parallel API call does not change the id; requesting a page does.
    await owner.get('/api/Member')
    expect(owner.cookies.get('sid')).toBe(copied)
    await getPage()
    const renewed = owner.cookies.get('sid') as string
    expect(renewed).not.toBe(copied)
    expect((await owner.get('/api/Member')).status).toBe(200)
    const thief = visit(app, 'gallonaire')
    thief.cookies.set('sid', copied)
    // For a minute, requests in progress with the old id may still arrive.
    await ageSessions('renewed_at', '50 seconds', renewed)
    expect((await thief.get('/api/Member')).status).toBe(200)
    thief.cookies.set('sid', copied)
    await ageSessions('renewed_at', '10 seconds', renewed)
    expect((await thief.get('/api/Member')).status).toBe(401)
    expect((await owner.get('/api/Member')).status).toBe(401)
    const [entry] = await asOwner(app, "select 1 from audit_entries where action = 'session.copied-id-shown'")
    expect(entry).toBeDefined()
  })

  test('Case 47 the clock of the database decides, so a wrong clock in the app revives no session and lifts no lock early', async () => {
    const { form } = await newMember()
    const visitor = visit(app, 'gallonaire')
    await signIn(visitor, form.email)
    await ageSessions('expires_at', '16 minutes', visitor.cookies.get('sid') as string)
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) {
      await signIn(visit(app, 'gallonaire'), form.email, { password: 'not this one' })
    }
    const [early] = await asOwner<{ locked: boolean }>(
      app,
      'select bool_or(locked_until > now()) as locked from attempts',
    )
    expect(early?.locked).toBe(true)
    const real = Date.now
    for (const shift of [-3_600_000, 24 * 3_600_000]) {
      vi.spyOn(Date, 'now').mockImplementation(() => real() + shift)
      expect((await visitor.get('/api/Member')).status).toBe(401)
      expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(403)
      vi.restoreAllMocks()
    }
  })

  test('the member sees where the account is signed in, and can end one or all of the other sessions, but none of other members', async () => {
    const { form, visitor } = await newMember()
    const phone = visit(app, 'gallonaire')
    await phone.send('GET', '/api/CSRF')
    await phone.change(
      'POST',
      '/api/SignIn',
      { userName: form.email, password, rememberMe: true },
      { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Mobile Safari/604.1' },
    )
    const list = (await visitor.get('/api/Member/Sessions')).json()
    expect(list).toMatchObject([
      { current: true, beganWith: 'join', remembered: false },
      { current: false, beganWith: 'password', remembered: true, device: 'Safari on iPhone' },
    ])
    const { visitor: stranger } = await newMember()
    expect((await stranger.change('DELETE', `/api/Member/Sessions?id=${list[1].id}`)).status).toBe(404)
    expect((await phone.get('/api/Member')).status).toBe(200)
    expect((await visitor.change('DELETE', `/api/Member/Sessions?id=${list[1].id}`)).json()).toBe(true)
    expect((await phone.get('/api/Member')).status).toBe(401)
    const tablet = visit(app, 'gallonaire')
    await signIn(tablet, form.email)
    expect((await visitor.change('DELETE', '/api/Member/Sessions')).json()).toBe(true)
    expect((await tablet.get('/api/Member')).status).toBe(401)
    expect((await visitor.get('/api/Member')).status).toBe(200)
  })

  test('the cookies of a session end with the browser unless it is remembered, and pages read only its end', async () => {
    const { form } = await newMember()
    const linesOf = async (rememberMe: boolean) => {
      const response = await signIn(visit(app, 'gallonaire'), form.email, { rememberMe })
      const lines = [response.headers['set-cookie'] ?? []].flat()
      return (name: string) =>
        lines
          .findLast((line) => line.startsWith(`${name}=`))
          ?.replace(/^[^;]+|Expires=[^;]+/g, (part) => part.split('=')[0] ?? '')
    }
    const [ended, lasting] = [await linesOf(false), await linesOf(true)]
    expect([ended('sid'), lasting('sid')]).toEqual([
      'sid; Path=/; HttpOnly; SameSite=Lax',
      'sid; Path=/; Expires; HttpOnly; SameSite=Lax',
    ])
    expect([ended('session_expiry'), lasting('session_expiry')]).toEqual([
      'session_expiry; Path=/; SameSite=Lax',
      'session_expiry; Path=/; Expires; SameSite=Lax',
    ])
    // Browsers store no cookie for longer than 400 days.
    expect(ended('device')).toBe(`device; Max-Age=${400 * 24 * 3600}; Path=/; HttpOnly; SameSite=Lax`)
  })

  test('a session is valid in every process', async () => {
    const { form } = await newMember()
    const cookies = new Map<string, string>()
    const [here, there] = [visit(app, 'gallonaire', { cookies }), visit(secondApp, 'gallonaire', { cookies })]
    expect((await signIn(here, form.email, { rememberMe: true })).status).toBe(200)
    expect((await there.get('/api/Member')).json().email).toBe(form.email)
    expect((await there.token()) === (await here.token())).toBe(true)
    expect((await there.get('/api/Member/Sessions')).json()).toHaveLength(2)
    expect(cookies.has('session_expiry')).toBe(true)
    expect((await there.get('/api/SignOut')).status).toBe(200)
    // A page would warn of the end of a session that is over.
    expect(cookies.has('session_expiry')).toBe(false)
    expect((await here.get('/api/Member')).status).toBe(401)
    // A lock applies in both processes.
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) {
      await signIn(visit(attempt % 2 ? app : secondApp, 'gallonaire'), form.email, { password: 'not this one' })
    }
    for (const each of [app, secondApp]) expect((await signIn(visit(each, 'gallonaire'), form.email)).status).toBe(403)
  })
})

describe('lockout', () => {
  test('Case 31 a lock ends to the second, with the same message for unknown names', async () => {
    const { form } = await newMember()
    const unknown = `unknown-${Date.now()}@example.com`
    const responses: Record<string, unknown[]> = {}
    for (const userName of [form.email, unknown]) {
      const results: unknown[] = []
      for (let attempt = 0; attempt < maxLoginFailures; attempt++)
        await signIn(visit(app, 'gallonaire'), userName, { password: 'not this one' })
      for (const moment of ["+ interval '1 second'", "- interval '1 second'"]) {
        await asOwner(
          app,
          `update attempts set locked_until = now() ${moment}, started_at = now() - interval '30 minutes 1 second'
           where locked_until is not null`,
        )
        const response = await signIn(visit(app, 'gallonaire'), userName, { password: 'not this either' })
        results.push([response.status, { ...response.json(), reference: '' }])
      }
      responses[userName] = results
    }
    expect(responses[form.email]).toEqual(responses[unknown])
    expect(responses[unknown]).toMatchObject([
      [403, { code: 'locked' }],
      [401, { code: 'invalidLogin' }],
    ])
  })

  test('Case 30 of a hundred concurrent guesses five are checked, at any process', async () => {
    const { form } = await newMember()
    const guessers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const visitor = visit(index % 2 ? app : secondApp, 'gallonaire')
        return { visitor, token: await visitor.token() }
      }),
    )
    const responses = await Promise.all(
      guessers.map(({ visitor, token }, index) => {
        const body = { userName: form.email, password: `guess ${index}` }
        return visitor.send('POST', '/api/SignIn', body, { 'x-xsrf-token': token })
      }),
    )
    const codes = responses.map((response) => response.json().code)
    expect(codes.filter((code) => code === 'invalidLogin')).toHaveLength(maxLoginFailures - 1)
    expect(codes.filter((code) => code === 'locked')).toHaveLength(100 - maxLoginFailures + 1)
  })

  test('Case 32 a stranger who guesses does not lock the owner out of a browser that has signed in before', async () => {
    const rounds = scaled({ full: 20, short: 2 })
    let barred = 0
    for (let round = 0; round < rounds; round++) {
      const { form, visitor: own } = await newMember()
      await own.get('/api/SignOut')
      for (let attempt = 0; attempt <= maxLoginFailures; attempt++)
        await signIn(visit(app, 'gallonaire'), form.email, { password: 'a guess' })
      // In every other browser the name is locked: without the browser's secret the sign-in fails.
      expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(403)
      if ((await signIn(own, form.email)).status !== 200) barred++
    }
    expect(barred).toBe(0)
  })

  test('a known browser has five attempts of its own, and another member’s browser secret has no effect', async () => {
    const { form, visitor: own } = await newMember()
    const { visitor: attacker } = await newMember()
    for (let attempt = 0; attempt < maxLoginFailures; attempt++)
      await signIn(attacker, form.email, { password: 'a guess' })
    expect((await signIn(attacker, form.email)).status).toBe(403)
    await own.get('/api/SignOut')
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) await signIn(own, form.email, { password: 'a guess' })
    expect((await signIn(own, form.email)).status).toBe(403)
  })

  test('Case 30 one address may try a few names and passwords and no more, with any headers', async () => {
    const pairs = scaled({ full: 2_000, short: 70 })
    const address = '127.99.0.1'
    let tried = 0
    for (let pair = 0; pair < pairs; pair++) {
      const bot = visit(app, 'orchard', { address })
      const headers = { 'x-forwarded-for': `10.0.${pair >> 8}.${pair & 255}`, 'user-agent': `bot ${pair}` }
      const { csrfToken } = (await bot.send('GET', '/api/CSRF', undefined, headers)).json()
      const body = { userName: `diner-${pair}@example.com`, password: `guess ${pair}` }
      const response = await bot.send('POST', '/api/SignIn', body, { ...headers, 'x-xsrf-token': csrfToken ?? '' })
      if (response.status === 401) tried++
    }
    expect(tried).toBeLessThanOrEqual(maxAddressFailures)
    // Counterpart: from separate addresses all attempts are made, so the address limit was the reason.
    let free = 0
    for (let pair = 0; pair < maxAddressFailures + 1; pair++) {
      const response = await signIn(visit(app, 'orchard'), `other-${pair}@example.com`, { password: 'guess' })
      if (response.status === 401) free++
    }
    expect(free).toBe(maxAddressFailures + 1)
  })

  test('Case 30 the addresses of one IPv6 /64 count as one, and those of a /48 as ten', async () => {
    let sixes = 0
    const triedFrom = async (count: number, addressOf: (index: number) => string) => {
      let tried = 0
      for (let index = 0; index < count; index++) {
        const bot = visit(app, 'orchard', { address: addressOf(index) })
        // Attempts are counted before the fields are checked. Without a password nothing is hashed, which would take
        // most of the time.
        const response = await signIn(bot, `six-${++sixes}@example.com`, { password: '' })
        if (response.status === 400) tried++
      }
      return tried
    }
    const minute = signInCall.perMinute
    expect(await triedFrom(minute + 5, (index) => `2001:db8:1:1::${index.toString(16)}`)).toBe(minute)
    expect(await triedFrom(minute + 5, (index) => (index % 2 ? '127.98.0.1' : '::ffff:127.98.0.1'))).toBe(minute)
    // Counterpart: the same number from separate networks.
    expect(await triedFrom(minute + 5, (index) => `2001:db8:${(index + 16).toString(16)}:1::1`)).toBe(minute + 5)
    const wide = await triedFrom(11 * minute, (index) => `2001:db8:ffff:${index.toString(16)}::1`)
    expect([wide > minute, wide <= 10 * minute]).toEqual([true, true])
    // Another program counts its own.
    const elsewhere = visit(app, 'beacon', { address: '2001:db8:ffff:ffff::1' })
    expect((await signIn(elsewhere, 'six@example.com', { password: '' })).status).toBe(400)
  })
})

describe('a flood of sign-ins', () => {
  test('Case 44 other requests are served meanwhile, and sign-ins that would wait too long get 429', async () => {
    const flooders = await Promise.all(
      Array.from({ length: 160 }, async () => {
        const visitor = visit(app, 'gallonaire')
        return { visitor, token: await visitor.token() }
      }),
    )
    let completed = 0
    const ends = flooders.map(async ({ visitor, token }, index) => {
      const body = { userName: `flood-${index}@example.com`, password: 'a guess' }
      const { status } = await visitor.send('POST', '/api/SignIn', body, { 'x-xsrf-token': token })
      completed++
      return status
    })
    const others = []
    for (let attempt = 0; attempt < 20; attempt++) {
      others.push((await visit(app, 'gallonaire').get('/api/PartnerConfig')).status, completed < ends.length)
    }
    expect(others).toEqual(Array.from({ length: 20 }, () => [200, true]).flat())
    const statuses = await Promise.all(ends)
    // On a busy machine some end at the time limit of a call, 408, before their turn comes.
    expect(
      [401, 429, ...statuses].every((status) => statuses.includes(status) && [401, 408, 429].includes(status)),
    ).toBe(true)
    // Those are still in the queue, which the next tests need.
    await verifyPassword('a guess', undefined)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(110)
    // A sign-in that got 429 was not checked and does not count as a failure: the fifth wrong password locks as usual.
    const guesses: number[] = []
    for (let guess = 0; guess < 5; guess++) {
      const userName = `flood-${statuses.indexOf(429)}@example.com`
      guesses.push((await signIn(visit(app, 'gallonaire'), userName, { password: 'a guess' })).status)
    }
    expect(guesses).toEqual([401, 401, 401, 401, 403])
  })

  test('Case 44 counterpart: with hashing on the main thread other requests wait', async () => {
    const { verifySync, hashSync } = await import('@node-rs/argon2')
    const hash = hashSync('something', { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
    let completed = 0
    const ends = Array.from({ length: 20 }, async () => {
      await Promise.resolve()
      verifySync(hash, 'a guess')
      completed++
    })
    await visit(app, 'gallonaire').get('/api/PartnerConfig')
    expect(completed).toBe(20)
    await Promise.all(ends)
  })
})

describe('timing', () => {
  /** Returns how well timing distinguishes two kinds: 0.5 is not at all, 1 is always. */
  function separability(a: readonly number[], b: readonly number[]): number {
    const wins = a.flatMap((x) => b.map((y) => (x > y ? 1 : x === y ? 0.5 : 0)))
    return wins.reduce<number>((sum, win) => sum + win, 0) / wins.length
  }

  async function timed(work: () => Promise<unknown>): Promise<number> {
    const start = process.hrtime.bigint()
    await work().catch(() => {})
    return Number(process.hrtime.bigint() - start)
  }

  test('Case 33 signing in takes as long for an unknown name; counterpart: it would not without the same work', async () => {
    const { form } = await newMember()
    const db = app.database.pools.forPartner('gallonaire')
    const ctx = {
      partnerId: 'gallonaire',
      db,
      address: '127.0.0.1',
      program: app.programs.get('gallonaire'),
    } as unknown as Parameters<typeof checkCredentials>[0]
    const lockKey = Buffer.alloc(32, 7)
    const check = (userName: string) => checkCredentials(ctx, { userName, password: 'not this one', lockKey })
    const times = { known: [] as number[], unknown: [] as number[] }
    // Each limit is more than four standard deviations of its number of samples.
    const { samples, limit } = scaled({ full: { samples: 130, limit: 0.17 }, short: { samples: 50, limit: 0.28 } })
    for (let sample = 0; sample < samples; sample++) {
      await db.deleteFrom('attempts').execute()
      // Alternating, so that other load affects both equally.
      times.known.push(await timed(() => check(form.email)))
      await db.deleteFrom('attempts').execute()
      times.unknown.push(await timed(() => check(`unknown-${sample}@example.com`)))
    }
    const measured = separability(times.known.slice(10), times.unknown.slice(10))
    expect(Math.abs(measured - 0.5)).toBeLessThan(limit)
    // Counterpart: an implementation that responds without hashing for unknown names.
    const hash = (await asOwner<{ password_hash: string }>(app, 'select password_hash from credentials limit 1'))[0]
    const lazy: number[] = []
    const busy: number[] = []
    for (let sample = 0; sample < 20; sample++) {
      busy.push(await timed(() => verifyPassword('not this one', hash?.password_hash)))
      lazy.push(await timed(async () => false))
    }
    expect(separability(busy, lazy)).toBeGreaterThan(0.95)
  })

  test('Case 34 an address can check ten times a minute whether an account exists', async () => {
    const asker = visit(app, 'gallonaire')
    const statuses: number[] = []
    for (let attempt = 0; attempt < 15; attempt++) {
      statuses.push((await asker.get(`/api/Members/Validate/Email?email=diner${attempt}@example.com`)).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(10)
    expect(statuses.slice(10)).toEqual([429, 429, 429, 429, 429])
  })
})

describe('passwords', () => {
  test('Case 60 passwords that differ in what counts are different: NUL, emoji, spaces, a megabyte', async () => {
    const password = 'soup 🥗 salad 4'
    const { form } = await newMember({ password, passwordConfirm: password })
    const tries = ['soup', 'soup 🥗', 'soup 🥗 salad 5', 'soup salad 4', 'soup 🥗salad 4', 'soup 🍲 salad 4']
    for (const guess of tries) {
      const response = await signIn(visit(app, 'gallonaire'), form.email, { password: guess })
      expect([guess, [401, 403].includes(response.status)]).toEqual([guess, true])
    }
    await asOwner(app, 'delete from attempts')
    expect((await signIn(visit(app, 'gallonaire'), form.email, { password })).status).toBe(200)
    // Text after a NUL could be truncated somewhere: no field accepts one.
    expect((await signIn(visit(app, 'gallonaire'), form.email, { password: `${password}\u0000` })).status).toBe(400)
    const huge = await signIn(visit(app, 'gallonaire'), form.email, { password: 'x'.repeat(1_000_000) })
    expect(huge.status).toBe(413)
    const long = await signIn(visit(app, 'gallonaire'), form.email, { password: 'x'.repeat(2_000) })
    expect(long.status).toBe(400)
  })

  test('re-authentication requires the password, and five wrong attempts lock it', async () => {
    const { visitor } = await newMember()
    const prove = (text: string) => visitor.change('POST', '/api/Member/Prove', { password: text })
    expect((await prove('not this one')).json()).toEqual([
      { field: 'password', message: 'This password is incorrect.' },
    ])
    expect((await prove(password)).json()).toEqual({ proven: true })
    const statuses: number[] = []
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) statuses.push((await prove('not this one')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 403])
    expect((await prove(password)).status).toBe(403)
  })
})

describe('account emails', () => {
  const topicsTo = async (email: string) =>
    (await asOwner<{ topic: string }>(app, 'select topic from emails where recipient = $1 order by id', [email])).map(
      ({ topic }) => topic,
    )

  const joined = ['account.opened', 'verification.code']

  test('signing in with a new browser is notified by email, with a known one it is not', async () => {
    const { form, visitor } = await newMember({ emailOptIn: false })
    expect(await topicsTo(form.email)).toEqual(joined)
    await signIn(visitor, form.email)
    expect(await topicsTo(form.email)).toEqual(joined)
    const elsewhere = visit(app, 'gallonaire')
    await signIn(elsewhere, form.email)
    expect(await topicsTo(form.email)).toEqual([...joined, 'session.new-device'])
    await signIn(elsewhere, form.email)
    expect(await topicsTo(form.email)).toHaveLength(3)
    // It is new to each of its members, and new again once the member has ended all other sessions.
    const { form: other } = await newMember({ emailOptIn: false })
    const body = { userName: other.email, password }
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await elsewhere.change('POST', '/api/SignIn', body, { 'user-agent': agent })
    expect(await topicsTo(other.email)).toEqual([...joined, 'session.new-device'])
    const noticesTo = (email: string) =>
      asOwner<{ body_text: string }>(
        app,
        "select body_text from emails where recipient = $1 and topic = 'session.new-device'",
        [email],
      )
    expect((await noticesTo(other.email))[0]?.body_text).toContain('Firefox on Linux')
    // The first browser has no user agent that is known.
    expect((await noticesTo(form.email))[0]?.body_text).toContain('Unknown browser')
    await visitor.change('DELETE', '/api/Member/Sessions')
    await signIn(elsewhere, form.email)
    expect(await topicsTo(form.email)).toEqual([
      ...joined,
      'session.new-device',
      'session.others-ended',
      'session.new-device',
    ])
  })

  test('a sign-out gives the next page its reason and never the address of another site', async () => {
    const reasonAfter = async (path: string) => {
      const { visitor } = await newMember()
      await visitor.get(path)
      return decodeURIComponent(visitor.cookies.get('signed_out') ?? '')
    }
    expect(await reasonAfter('/SignOut')).toBe('left')
    expect(await reasonAfter('/SignOut?reason=closed')).toBe('closed')
    expect(await reasonAfter('/SignOut?reason=expired&from=%2Fsearch%3Flocation%3D10001')).toBe(
      'expired /search?location=10001',
    )
    expect(await reasonAfter('/SignOut?reason=expired&from=%2F%2Fevil.example')).toBe('expired')
    expect(await reasonAfter('/SignOut?reason=%3Cscript%3E')).toBe('left')
    const { visitor } = await newMember()
    const { headers } = await visitor.get('/SignOut')
    expect(headers['set-cookie']).toContain('signed_out=left; Max-Age=300; Path=/; SameSite=Lax')
  })
})

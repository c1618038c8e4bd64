import { createServer, type Server } from 'node:http'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { freeFailuresOfAddress } from '../../src/identity/bot-check/rules.ts'
import { createBotCheck } from '../../src/identity/bot-check/service.ts'
import { ApiError, UnavailableError, ValidationError } from '../../src/platform/errors.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { asOwner, joinForm, startSecondApp, startTestApp, type TestApp, visit } from '../support/app.ts'
import { scaled } from '../support/scale.ts'

// A different name each time, because a name is locked after too many attempts.
let names = 0
const wrong = () => ({ userName: `unknown-${++names}@example.com`, password: 'a guess' })
const needed = [{ field: 'gRecaptchaResponse', message: 'You must complete the reCAPTCHA to continue.' }]

describe('the bot check', () => {
  let app: TestApp
  let secondApp: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    secondApp = await startSecondApp(app)
  })
  afterAll(async () => {
    await secondApp?.stop()
    await app?.stop()
  })

  type Visitor = ReturnType<typeof visit>
  async function solved(visitor: Visitor): Promise<{ challenge: Challenge; solution: Record<string, unknown> }> {
    const challenge: Challenge = (await visitor.get('/api/BotCheck/Challenge')).json()
    const solution = await solveChallenge({ challenge, deriveKey })
    if (!solution) throw new Error('not solved')
    return { challenge, solution: { counter: solution.counter, derivedKey: solution.derivedKey } }
  }
  async function getToken(visitor: Visitor): Promise<string> {
    const response = await visitor.change('POST', '/api/BotCheck/Solve', await solved(visitor))
    if (response.status !== 200) throw new Error(response.text)
    return response.json().token
  }
  const signIn = (visitor: Visitor, gRecaptchaResponse = '', over = {}) =>
    visitor.change('POST', '/api/SignIn', { ...wrong(), gRecaptchaResponse, ...over })

  test('VAL-012 API-040 ERR-015 the first attempt is free, and later ones require a proof', async () => {
    const visitor = visit(app, 'gallonaire')
    expect((await signIn(visitor)).status).toBe(401)
    const second = await signIn(visitor)
    expect([second.status, second.json()]).toEqual([400, needed])
    expect((await signIn(visitor, await getToken(visitor))).status).toBe(401)
    expect((await signIn(visitor, await getToken(visitor))).status).toBe(401)
  })

  test('Case 97 of 30 concurrent sign-ins of one session one is free, at any process', async () => {
    const visitor = visit(app, 'gallonaire')
    const token = await visitor.token()
    const elsewhere = visit(secondApp, 'gallonaire', { cookies: visitor.cookies, address: '127.96.0.2' })
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? visitor : elsewhere).send('POST', '/api/SignIn', wrong(), { 'x-xsrf-token': token }),
      ),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(1)
    expect(responses.filter(({ status }) => status === 400).map((each) => each.json())).toEqual(Array(29).fill(needed))
    // Those that were not made do not count.
    expect((await signIn(visitor, await getToken(visitor))).status).toBe(401)
  })

  test('Case 97 of 30 concurrent sign-ins of one address, each of a session of its own, ten are free', async () => {
    const address = '127.96.0.1'
    const visitors = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const visitor = visit(app, 'gallonaire', { address })
        return { visitor, token: await visitor.token() }
      }),
    )
    const responses = await Promise.all(
      visitors.map(({ visitor, token }) => visitor.send('POST', '/api/SignIn', wrong(), { 'x-xsrf-token': token })),
    )
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(freeFailuresOfAddress)
  })

  test('attempts that succeed do not count, however many there are', async () => {
    const visitor = visit(app, 'gallonaire')
    const form = joinForm()
    expect((await visitor.change('POST', '/api/Members/Prospects', form)).status).toBe(200)
    for (let time = 0; time < 3; time++) {
      await visitor.get('/api/SignOut')
      const body = { userName: form.email, password: form.password }
      expect((await visitor.change('POST', '/api/SignIn', body)).status).toBe(200)
    }
  })

  test('failures from one address of an IPv6 /64 count for its other addresses', async () => {
    const from = (address: string) => visit(app, 'gallonaire', { address })
    for (let tried = 0; tried < freeFailuresOfAddress; tried++) {
      expect((await signIn(from(`2001:db8:7:7::${tried + 1}`))).status).toBe(401)
    }
    expect((await signIn(from('2001:db8:7:7::ffff'))).json()).toEqual(needed)
    expect((await signIn(from('2001:db8:7:8::1'))).status).toBe(401)
  })

  test('joining and recovery require a proof in the same way', async () => {
    const visitor = visit(app, 'gallonaire')
    const join = (over = {}) =>
      visitor.change('POST', '/api/Members/Prospects', joinForm({ zipCode: '00000', ...over }))
    expect((await join()).json()).toEqual([{ field: 'zipCode', message: 'This ZIP code is not located in the U.S.' }])
    expect((await join()).json()).toEqual(needed)
    expect((await visitor.change('POST', '/api/Members/Recover', { userName: 'ada@example.com' })).json()).toEqual(
      needed,
    )
    const gRecaptchaResponse = await getToken(visitor)
    expect((await join({ gRecaptchaResponse, zipCode: '10001' })).status).toBe(200)
  })

  test('an attempt that a busy server or an unavailable service did not check is no failure', async () => {
    const db = app.database.pools.forPartner('gallonaire')
    const actor = { sessionId: Buffer.from('busy') }
    const flags = { authFlags: { botCheck: true } }
    const ctx = { partnerId: 'gallonaire', db, actor, flags, address: '192.0.2.77' } as unknown as Ctx
    const guard = createBotCheck({ verifier: { accepts: async () => false }, key: Buffer.alloc(32, 7) })
    const attempt = (error: Error) =>
      guard.guard(ctx, '', async () => {
        throw error
      })
    const unchecked = [new ApiError('busy'), new UnavailableError('vaultUnavailable'), new Error('a defect')]
    for (const error of [...unchecked, ...unchecked, new ApiError('invalidLogin')]) {
      await expect(attempt(error)).rejects.toBe(error)
    }
    await expect(attempt(new ApiError('busy'))).rejects.toBeInstanceOf(ValidationError)
  })

  test('Case 52 no token, and no forged, used, foreign or expired token, is accepted', async () => {
    const rounds = scaled({ full: 10, short: 1 })
    let passed = 0
    let tried = 0
    async function counts(visitor: Visitor, token: string) {
      tried++
      const response = await signIn(visitor, token)
      if (response.status !== 400) passed++
    }
    const failedOnce = async (partner = 'gallonaire') => {
      const visitor = visit(app, partner)
      await signIn(visitor)
      return visitor
    }
    for (let round = 0; round < rounds; round++) {
      const visitor = await failedOnce()
      const token = await getToken(visitor)
      const [until, id, seal] = token.split('.') as [string, string, string]
      for (const forged of [
        '',
        'x',
        `${until}.${id}.${seal.slice(1)}A`,
        `${Number(until) + 1}.${id}.${seal}`,
        `${until}..${seal}`,
      ])
        await counts(visitor, forged)
      await counts(await failedOnce(), token)
      await counts(await failedOnce('orchard'), token)
      expect((await signIn(visitor, token)).status).toBe(401)
      await counts(visitor, token)
      await counts(visit(secondApp, 'gallonaire', { cookies: visitor.cookies }), token)
      // After signing out the browser session has changed.
      const moved = await getToken(visitor)
      await visitor.get('/api/SignOut')
      visitor.cookies.delete('sid')
      await signIn(visitor)
      await counts(visitor, moved)
    }
    expect([passed, tried]).toEqual([0, 10 * rounds])
  })

  test('Case 52 a token is accepted until it expires', async () => {
    const visitor = visit(app, 'gallonaire')
    await signIn(visitor)
    for (const [ms, status] of [
      [0, 401],
      [1, 400],
    ] as const) {
      const token = await getToken(visitor)
      const clock = vi.spyOn(Date, 'now').mockReturnValue(Number(token.split('.')[0]) + ms)
      expect([ms, (await signIn(visitor, token)).status]).toEqual([ms, status])
      clock.mockRestore()
    }
  })

  test('Case 52 a solution is valid for one token, for one program, and only as issued', async () => {
    const visitor = visit(app, 'gallonaire')
    const done = await solved(visitor)
    const send = (body: unknown, as = visitor) => as.change('POST', '/api/BotCheck/Solve', body)
    const cheaper = { ...done, challenge: { ...done.challenge, parameters: { ...done.challenge.parameters, cost: 1 } } }
    expect((await send(cheaper)).status).toBe(400)
    expect((await send({ ...done, solution: { counter: 1, derivedKey: '00' } })).status).toBe(400)
    expect((await send(done, visit(app, 'orchard'))).status).toBe(400)
    expect((await send(done)).status).toBe(200)
    expect((await send(done)).status).toBe(400)
    expect((await send(done, visit(secondApp, 'gallonaire'))).status).toBe(400)
  })

  test('a challenge that one process issued can be solved at another', async () => {
    const cookies = new Map<string, string>()
    const [here, there] = [visit(app, 'gallonaire', { cookies }), visit(secondApp, 'gallonaire', { cookies })]
    await signIn(here)
    const response = await there.change('POST', '/api/BotCheck/Solve', await solved(here))
    expect((await signIn(here, response.json().token)).status).toBe(401)
  })

  test('after ten failures of one address, each in its own browser, the next attempt requires a proof at once', async () => {
    const address = '127.98.0.1'
    for (let failure = 0; failure < 10; failure++)
      expect(
        (await signIn(visit(app, 'gallonaire', { address }), '', { userName: `n${failure}@example.com` })).status,
      ).toBe(401)
    expect((await signIn(visit(app, 'gallonaire', { address }))).json()).toEqual(needed)
    // Half an hour later the attempts no longer count.
    await asOwner(app, "update attempts set started_at = started_at - interval '31 minutes'")
    expect((await signIn(visit(app, 'gallonaire', { address }), '', { userName: 'new@example.com' })).status).toBe(401)
  })
})

describe('reCAPTCHA', () => {
  let app: TestApp
  let verifier: Server
  const requests: URLSearchParams[] = []
  beforeAll(async () => {
    verifier = createServer((request, response) => {
      let text = ''
      request.on('data', (chunk) => {
        text += chunk
      })
      request.on('end', () => {
        const form = new URLSearchParams(text)
        requests.push(form)
        const userResponse = form.get('response') ?? ''
        if (userResponse === 'down') return response.writeHead(500).end()
        const elsewhere = { elsewhere: 'evil.example', 'good, somewhere': undefined }
        const hostname = userResponse in elsewhere ? elsewhere[userResponse as 'elsewhere'] : 'gallonaire.localhost'
        response.setHeader('content-type', 'application/json')
        response.end(
          JSON.stringify({ success: userResponse.startsWith('good') || userResponse === 'elsewhere', hostname }),
        )
      })
    })
    await new Promise<void>((done) => verifier.listen(0, '127.0.0.1', done))
    const { port } = verifier.address() as { port: number }
    app = await startTestApp({
      RECAPTCHA_URL: `http://localhost:${port}`,
      RECAPTCHA_SITE_KEY: 'site-key',
      RECAPTCHA_SECRET: 'secret-key',
    })
  })
  afterAll(async () => {
    await app?.stop()
    verifier?.close()
  })

  test('Case 52 API-041 a response that Google accepts passes once; one it rejects, or accepts for another host, does not', async () => {
    const visitor = visit(app, 'gallonaire')
    const signIn = async (gRecaptchaResponse: string) =>
      (await visitor.change('POST', '/api/SignIn', { ...wrong(), gRecaptchaResponse })).status
    expect(await signIn('')).toBe(401)
    const statuses = []
    for (const userResponse of ['', 'bad', 'elsewhere', 'good, somewhere', 'down', 'good 1', 'good 1', 'good 2'])
      statuses.push(await signIn(userResponse))
    expect(statuses).toEqual([400, 400, 400, 400, 400, 401, 400, 401])
    expect(requests[0]?.get('secret')).toBe('secret-key')
    expect(requests[0]?.get('remoteip')).toMatch(/^127\./)
    // The calls of the other check do not exist.
    expect((await visitor.get('/api/BotCheck/Challenge')).status).toBe(404)
  })
})

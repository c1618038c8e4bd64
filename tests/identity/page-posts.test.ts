import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeFlag } from '../../src/programs/partners/store.ts'
import { asOwner, joinForm, startTestApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { webForTests } from '../support/built-web.ts'
import { send } from '../support/http.ts'
import { memberPassword, newMember } from '../support/members.ts'
import { alertOf, type Browser, controlOf, errorOf, isSignedIn, openPage, postForm } from '../support/post-form.ts'

vi.mock('leaflet', () => ({ default: {} }))

let app: TestApp
/** What the next pages are rendered as, in place of their own result. */
let rendered: { status: number } | { kind: 'redirect'; to: string; status: number } | null = null
beforeAll(async () => {
  const web = await webForTests()
  const changing: typeof web = {
    ...web,
    render: async (request) =>
      ({ ...(await web.render(request)), ...rendered }) as Awaited<ReturnType<typeof web.render>>,
  }
  app = await startTestApp({}, changing)
  for (const partner of ['skyharbor', 'orchard']) await withoutBotCheck(partner, app)
})
afterAll(() => app?.stop())

const open = () => visit(app, 'skyharbor')
const credentials = (userName: string, password = memberPassword) => ({ userName, password })
const listEmails = (email: string, topic: string) =>
  asOwner<{ body_text: string }>(app, 'select body_text from emails where recipient = $1 and topic = $2 order by id', [
    email,
    topic,
  ])

describe('verification', () => {
  const path = '/account/verify_email'
  const codesTo = async (email: string) =>
    (await listEmails(email, 'verification.code')).map(
      ({ body_text }) => /#code=([0-9A-Z-]+)/.exec(body_text)?.[1] ?? '',
    )

  test('RECV-010 a member verifies the address by a typed code, after a wrong one and a new one', async () => {
    const { visitor, form } = await newMember(app, 'skyharbor')
    const { text } = await openPage(visitor, path)
    expect(/<form[^>]*>/.exec(text)?.[0]).toContain('method="post"')
    expect(text).toContain('The link of the email needs JavaScript.')
    const missing = await postForm(visitor, path, { code: '' })
    expect([missing.status, errorOf(missing.text, 'code')]).toEqual([422, 'Enter the code from our email.'])
    const wrong = await postForm(visitor, path, { code: 'AAAAA-AAAAA' })
    expect([wrong.status, errorOf(wrong.text, 'code')]).toEqual([
      422,
      expect.stringMatching(/^This code doesn’t work\./),
    ])
    expect(wrong.text).not.toContain('AAAAA')
    const again = await postForm(visitor, path, { code: '', again: '1' })
    expect([again.status, again.headers.location]).toEqual([303, path])
    expect((await openPage(visitor, path)).text).toContain(`A new code is on its way to ${form.email}.`)
    const [, code = ''] = await codesTo(form.email)
    const right = await postForm(visitor, path, { code })
    expect([right.status, right.headers.location]).toEqual([303, path])
    expect((await openPage(visitor, path)).text).toContain(`${form.email} is verified.`)
    // A page without code and button cannot be posted by another site either.
    expect((await postForm(visitor, path, { code }, { origin: 'http://evil.example' })).status).toBe(403)
  })

  test('RECV-010 a signed-out browser that posts the code signs in first, and a bank’s program has no such form', async () => {
    const { form } = await newMember(app, 'skyharbor')
    const [code = ''] = await codesTo(form.email)
    const signedOut = await postForm(open(), path, { code })
    expect([signedOut.status, signedOut.headers.location]).toEqual([303, `/login?returnTo=${encodeURIComponent(path)}`])
    expect((await postForm(visit(app, 'beacon'), path, { code })).status).toBe(404)
  })
})

describe('sign-in', () => {
  test('the form is the browser’s own: enabled, with names and constraints, posted to its page', async () => {
    const { text } = await openPage(open(), '/login')
    const form = /<form[^>]*>/.exec(text)?.[0] ?? ''
    expect([form.includes('method="post"'), /novalidate|action=/i.test(form)]).toEqual([true, false])
    expect(text).not.toMatch(/<fieldset[^>]* disabled/)
    expect(controlOf(text, 'userName')).toMatch(/ required=""/)
    expect(controlOf(text, 'password')).toMatch(/ type="password"/)
    expect(controlOf(text, 'password')).toMatch(/ required=""/)
    expect(controlOf(text, 'rememberMe')).toMatch(/ type="checkbox"/)
  })

  test('SESS-007 it signs in, renews the session, and redirects to where the script would go', async () => {
    const { form } = await newMember(app)
    const browser = open()
    await browser.token()
    const before = browser.cookies.get('sid')
    const { status, headers, text } = await postForm(browser, '/login', credentials(form.email))
    expect([status, headers.location, headers['cache-control'], text]).toEqual([303, '/add_card', 'no-store', ''])
    const cookies = [headers['set-cookie'] ?? []].flat()
    const session = cookies.filter((cookie) => cookie.startsWith('sid='))
    expect(session).toEqual([expect.stringMatching(/^sid=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)])
    expect(cookies.some((cookie) => cookie.startsWith('device='))).toBe(true)
    expect(browser.cookies.get('sid')).not.toBe(before)
    expect(await isSignedIn(browser)).toBe(true)
    const old = open()
    old.cookies.set('sid', before as string)
    expect(await isSignedIn(old)).toBe(false)
    const remembered = await postForm(open(), '/login', { ...credentials(form.email), rememberMe: 'on' })
    expect(String(remembered.headers['set-cookie'])).toContain('Expires=')
  })

  test('Case 35 it continues only on its own site', async () => {
    const { form } = await newMember(app)
    const targets = {
      '/search?location=10001': '/search?location=10001',
      '//evil.example': '/add_card',
      '/\\evil.example': '/add_card',
      'https://evil.example/': '/add_card',
      'javascript:alert(1)': '/add_card',
      '/..//evil.example': '/add_card',
    }
    for (const [returnTo, expected] of Object.entries(targets)) {
      const path = `/login?returnTo=${encodeURIComponent(returnTo)}`
      const { status, headers } = await postForm(open(), path, credentials(form.email))
      expect([returnTo, status, headers.location]).toEqual([returnTo, 303, expected])
    }
  })

  test('a wrong password shows the page again, with what was typed but the password, for this visitor only', async () => {
    const typed = { userName: '"ada" <b>@example.com', password: 'not-this-password', rememberMe: 'on' }
    const before = await openPage(open(), '/login')
    const browser = open()
    const { status, headers, text } = await postForm(browser, '/login', typed)
    expect([status, headers['cache-control'], headers.etag]).toEqual([401, 'private, no-store', undefined])
    expect(headers['content-security-policy']).toContain("form-action 'self';")
    expect(alertOf(text)).toBe('ERROR Invalid user name or password')
    expect(controlOf(text, 'userName')).toContain(' value="&quot;ada&quot; &lt;b&gt;@example.com"')
    expect(controlOf(text, 'rememberMe')).toMatch(/ checked=""/)
    expect(controlOf(text, 'password')).not.toContain('value=')
    expect(text).not.toContain('not-this-password')
    expect(text).not.toContain('<b>@')
    expect(await isSignedIn(browser)).toBe(false)
    expect((await openPage(open(), '/login')).text).toBe(before.text)
    // This browser keeps the address, and nothing else.
    const kept = await openPage(browser, '/login')
    expect([kept.headers['cache-control'], alertOf(kept.text)]).toEqual(['private, no-store', alertOf(before.text)])
    expect(controlOf(kept.text, 'userName')).toContain(' value="&quot;ada&quot; &lt;b&gt;@example.com"')
    expect(controlOf(kept.text, 'rememberMe')).not.toContain('checked')
    // Over a connection, where a request ends before its response.
    const sent = await send({
      port: app.port,
      method: 'POST',
      host: 'skyharbor.localhost',
      path: '/login',
      headers: { origin: `http://${browser.host}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(typed).toString(),
    })
    expect([sent.status, alertOf(sent.text)]).toEqual([401, 'ERROR Invalid user name or password'])
  })

  test('SESS-009 a locked account gets the message with its link', async () => {
    const browser = open()
    const typed = credentials(`unknown-${Date.now()}@example.com`, 'a guess')
    for (let tried = 1; tried < 5; tried++) expect((await postForm(browser, '/login', typed)).status).toBe(401)
    const { status, text } = await postForm(browser, '/login', typed)
    expect([status, alertOf(text)]).toEqual([
      403,
      'ERROR Your account is locked for 30 minutes. Reset your password now',
    ])
    expect(text).toContain('<a href="/recover">Reset your password now</a>')
  })

  test('VAL-007 missing fields have their messages, with links to them', async () => {
    const { status, text } = await postForm(open(), '/login', {})
    expect([status, errorOf(text, 'userName'), errorOf(text, 'password')]).toEqual([
      422,
      'Enter your email address or Skyharbor number.',
      'Enter your password.',
    ])
    expect(alertOf(text)).toContain('We could not sign you in. Please check form for errors.')
    for (const name of ['userName', 'password']) {
      const id = / id="([^"]*)"/.exec(controlOf(text, name))?.[1]
      expect(text).toContain(`<a href="#${id}">`)
    }
    expect(controlOf(text, 'userName')).toMatch(/ autofocus=""/)
  })

  test('Case 26 a post that no page of this origin sent has no effect', async () => {
    const { form } = await newMember(app)
    const foreign: Record<string, string | undefined>[] = [
      { origin: undefined, 'sec-fetch-site': undefined },
      { origin: undefined },
      { origin: 'null' },
      { origin: 'null', 'sec-fetch-site': undefined },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example', 'sec-fetch-site': undefined },
      { origin: `http://gallonaire.localhost:${app.port}`, 'sec-fetch-site': 'same-site' },
      { origin: `https://skyharbor.localhost:${app.port}` },
      ...['cross-site', 'same-site', 'none'].map((site) => ({ 'sec-fetch-site': site })),
    ]
    for (const headers of foreign) {
      const browser = open()
      const response = await postForm(browser, '/login', credentials(form.email), headers)
      expect([headers, response.status, response.headers['cache-control']]).toEqual([headers, 403, 'no-store'])
      expect(response.text).toContain('This form was not sent from its own page.')
      expect([headers, browser.cookies.size]).toEqual([headers, 0])
    }
    // Older browsers send only the origin.
    const { status } = await postForm(open(), '/login', credentials(form.email), { 'sec-fetch-site': undefined })
    expect(status).toBe(303)
  })

  test('Case 41 large bodies and other types are rejected, and other paths take no posts', async () => {
    const large = await postForm(open(), '/login', { userName: 'a'.repeat(20_000) })
    expect([large.status, large.headers['cache-control']]).toEqual([413, 'no-store'])
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', 'text/xml']) {
      const { status } = await postForm(open(), '/login', credentials('ada@example.com'), { 'content-type': type })
      expect([type, status]).toEqual([type, 415])
    }
    expect((await postForm(open(), '/login', { userName: 'a\0b', password: 'c' })).status).toBe(400)
    // The router takes this target for the front page.
    const target = { port: app.port, method: 'POST', host: 'skyharbor.localhost', path: '*' }
    expect((await send(target)).status).toBe(400)
    for (const path of ['/search', '/login/', '/recover/success', '/nowhere', '/discover']) {
      const { status, headers } = await postForm(open(), path, {})
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json; charset=utf-8'])
    }
    // Members of this program sign in elsewhere.
    for (const path of ['/login', '/recover', '/', '/discover']) {
      const { status, headers } = await postForm(visit(app, 'beacon'), path, {})
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/problem+json; charset=utf-8'])
    }
  })

  test('a form of a member that needs a script is answered by a page that says so, only to its own program', async () => {
    const { status, headers, text } = await postForm(open(), '/account/missing_meal', { merchantName: 'Twin Diner' })
    expect([status, headers.allow, headers['content-type']]).toEqual([405, 'GET, HEAD', 'text/html; charset=utf-8'])
    expect(text).toContain('JavaScript')
    const foreign = await postForm(open(), '/account/missing_meal', {}, { origin: 'https://evil.example' })
    expect([foreign.status, foreign.text.includes('<html')]).toEqual([404, false])
    expect((await postForm(visit(app, 'lantern'), '/account/missing_meal', {})).status).toBe(404)
  })

  test('VAL-012 where the bot check needs a proof, the page says that this needs JavaScript', async () => {
    const browser = visit(app, 'gallonaire')
    const typed = credentials(`unknown-${Date.now()}@example.com`, 'a guess')
    expect((await postForm(browser, '/login', typed)).status).toBe(401)
    const { status, text } = await postForm(browser, '/login', typed)
    expect([status, alertOf(text)]).toEqual([
      422,
      expect.stringMatching(/this check needs JavaScript\..* try again in half an hour, or call us at 1-800/),
    ])
    // Failures count for their own session.
    expect((await postForm(visit(app, 'gallonaire'), '/login', typed)).status).toBe(401)
  })

  test('during maintenance the page says so, and nobody is signed in', async () => {
    const { form } = await newMember(app, 'gallonaire')
    const set = async (value: boolean) => {
      const flag = { kind: 'authFlags', name: 'loginMaintenance', value } as const
      await writeFlag(app.database.pools.forPartner('gallonaire'), flag)
      await vi.waitFor(async () => {
        const { authFlags } = (await visit(app, 'gallonaire').get('/api/feature-flags')).json()
        expect(authFlags.loginMaintenance).toBe(value)
      }, 20_000)
    }
    await set(true)
    const browser = visit(app, 'gallonaire')
    const { status, headers, text } = await postForm(browser, '/login', credentials(form.email))
    expect([status, headers['retry-after'], headers['cache-control'], text.includes('name="password"')]).toEqual([
      503,
      '5',
      'private, no-store',
      false,
    ])
    expect(await isSignedIn(browser)).toBe(false)
    await set(false)
  })
})

test('a failed form has the status of its page where the page fails too, and follows the redirect of its page', async () => {
  const wrongPost = async (result: typeof rendered) => {
    rendered = result
    const { status, headers } = await postForm(open(), '/login', { userName: 'ada' }).finally(() => {
      rendered = null
    })
    return [status, headers.location, headers['cache-control']]
  }
  expect(await wrongPost(null)).toEqual([422, undefined, 'private, no-store'])
  for (const status of [404, 500, 503])
    expect(await wrongPost({ status })).toEqual([status, undefined, 'private, no-store'])
  expect(await wrongPost({ kind: 'redirect', to: '/join', status: 302 })).toEqual([303, '/join', 'no-store'])
})

describe('recovery', () => {
  /** Requests a code, and returns the digits of its email. */
  async function requestDigits(browser: Browser, email: string, before = 0): Promise<string> {
    const { status, headers } = await postForm(browser, '/recover', { userName: email })
    expect([status, headers.location]).toEqual([303, '/recover/confirm'])
    await expect
      .poll(async () => (await listEmails(email, 'recovery.code')).length, { timeout: 20_000 })
      .toBe(before + 1)
    return /\b\d{6}\b/.exec((await listEmails(email, 'recovery.code'))[before]?.body_text ?? '')?.[0] as string
  }

  test('SESS-012 a browser without script keeps the page to return to, in the address of each step', async () => {
    const [browser, returning] = [open(), '?returnTo=%2Fsearch%3Flocation%3D10001']
    const { headers } = await postForm(browser, `/recover${returning}`, { userName: 'nobody@example.com' })
    expect(headers.location).toBe(`/recover/confirm${returning}`)
  })

  test('ENR-013 an email address typed on the home page is on the page of joining and, instead, of signing in', async () => {
    const browser = open()
    const { headers } = await postForm(browser, '/', { email: 'carried@example.com' })
    expect(headers.location).toBe('/join')
    for (const [path, name] of [
      ['/join', 'email'],
      ['/login', 'userName'],
      ['/search', 'email'],
    ] as const) {
      const { text } = await openPage(browser, path)
      expect([path, text.includes('carried@example.com')]).toEqual([path, path !== '/search'])
      if (path !== '/search') expect(controlOf(text, name)).toContain('value="carried@example.com"')
    }
  })

  test('SESS-019 RECV-001 the address of the last try is on the other forms, not that of an earlier one', async () => {
    const browser = open()
    await postForm(browser, '/', { email: 'first@example.com' })
    const failed = await postForm(browser, '/login', { userName: 'second@example.com', password: 'not this one' })
    expect(failed.status).toBe(401)
    for (const [path, name] of [
      ['/recover', 'userName'],
      ['/join', 'email'],
      ['/login', 'userName'],
    ] as const) {
      const { text, headers } = await openPage(browser, path)
      expect([path, controlOf(text, name)]).toEqual([path, expect.stringContaining('value="second@example.com"')])
      expect([headers['cache-control'], text.includes('first@example.com')]).toEqual(['private, no-store', false])
    }
    // What is no address belongs into no other form; an empty field says nothing.
    await postForm(browser, '/login', { userName: '', password: '' })
    expect(controlOf((await openPage(browser, '/recover')).text, 'userName')).toContain('value="second@example.com"')
    await postForm(browser, '/login', { userName: 'SKY12345678', password: 'not this one' })
    expect(controlOf((await openPage(browser, '/recover')).text, 'userName')).not.toContain('value=')
  })

  test('RECV-001 a browser without script sets a new password, and no address or shared page has the token', async () => {
    const { form } = await newMember(app)
    const browser = open()
    const code = await requestDigits(browser, form.email)
    const confirmed = await postForm(browser, '/recover/confirm', { code })
    expect([confirmed.status, confirmed.headers.location]).toEqual([303, '/recover/update'])
    expect(String(confirmed.headers['set-cookie'])).toMatch(
      /passed=[\w-]+; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax/,
    )
    const page = await openPage(browser, '/recover/update')
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(controlOf(page.text, 'password')).toMatch(/ minlength="8"/i)
    // For this browser and this page only.
    for (const [visitor, path, caching] of [
      [open(), '/recover/update', 'public, max-age=0, s-maxage=30'],
      // It has a session: no shared cache may store its pages.
      [browser, '/login', 'private, no-cache'],
    ] as const) {
      const other = await openPage(visitor, path)
      expect([path, other.headers['cache-control']]).toEqual([path, caching])
      expect(other.text).not.toContain('name="passwordConfirm"')
    }
    const differing = { password: 'chanterelles 9 on toast', passwordConfirm: 'chanterelles' }
    const differs = await postForm(browser, '/recover/update', differing)
    expect([differs.status, errorOf(differs.text, 'passwordConfirm')]).toEqual([422, 'Passwords do not match.'])
    expect(differs.text).not.toContain('chanterelles')
    const common = await postForm(browser, '/recover/update', { password: 'password1', passwordConfirm: 'password1' })
    expect([common.status, errorOf(common.text, 'password')]).toEqual([
      422,
      'This password is too common. Please choose another one.',
    ])
    const password = 'chanterelles 9 on toast'
    const done = await postForm(browser, '/recover/update', { password, passwordConfirm: password })
    expect([done.status, done.headers.location]).toEqual([303, '/recover/success'])
    const headingFor = async (visitor: Browser) =>
      /<h1>(.*?)<\/h1>/.exec((await openPage(visitor, '/recover/success')).text)?.[1]
    expect(await headingFor(browser)).toBe('Password changed')
    expect(await headingFor(open())).toBe('No new password')
    expect((await postForm(open(), '/login', credentials(form.email, password))).status).toBe(303)
    expect((await postForm(open(), '/login', credentials(form.email))).status).toBe(401)
  })

  test('an expired code has its message at the field, and an expired token leads to a new code', async () => {
    const { form } = await newMember(app)
    const browser = open()
    const code = await requestDigits(browser, form.email)
    const expire = () =>
      asOwner(
        app,
        `update recoveries set expires_at = created_at from members
        where members.id = member_id and members.email = $1`,
        [form.email],
      )
    await expire()
    const { status, text } = await postForm(browser, '/recover/confirm', { code })
    expect([status, errorOf(text, 'code')]).toEqual([422, expect.stringMatching(/^This code doesn’t work\./)])
    expect(text).not.toContain(code)
    const next = await requestDigits(browser, form.email, 1)
    expect((await postForm(browser, '/recover/confirm', { code: next })).status).toBe(303)
    await expire()
    const password = { password: 'chanterelles 9 on toast', passwordConfirm: 'chanterelles 9 on toast' }
    for (const visitor of [browser, open()]) {
      const over = await postForm(visitor, '/recover/update', password)
      expect([over.status, over.text.includes('This took too long.')]).toEqual([410, true])
      expect(over.text).not.toContain('name="password"')
    }
  })

  test('RECV-002 a wrong name has its message, and keeps what was typed', async () => {
    const { status, text } = await postForm(open(), '/recover', { userName: 'ada' })
    expect([status, errorOf(text, 'userName')]).toEqual([
      422,
      'Please enter a valid email address or Skyharbor number.',
    ])
    expect(controlOf(text, 'userName')).toContain(' value="ada"')
  })

  test('the limits of the calls count posted forms too', async () => {
    const browser = open()
    for (let sent = 0; sent < 10; sent++) {
      expect((await postForm(browser, '/recover/confirm', { code: 'unknown' })).status).toBe(422)
    }
    const { status, headers, text } = await postForm(browser, '/recover/confirm', { code: 'unknown' })
    expect([status, Number(headers['retry-after']) > 0, alertOf(text)]).toEqual([
      429,
      true,
      'ERROR That was a little too fast. Please wait a minute and try again.',
    ])
    expect((await browser.change('POST', '/api/Members/Recover/Confirm', { code: 'unknown' })).status).toBe(429)
  })
})

describe('joining', () => {
  let numbers = 0
  const joinFields = (over: Record<string, string> = {}, prefix = 'ORC') => {
    const { email, password, passwordConfirm, firstName, lastName, zipCode } = joinForm()
    numbers++
    return {
      email,
      password,
      passwordConfirm,
      firstName,
      lastName,
      zipCode,
      partnerNumber: `${prefix}${String(Date.now()).slice(-5)}${String(numbers).padStart(3, '0')}`,
      address1: '1 Main Street',
      city: 'New York',
      state: 'NY',
      emailOptIn: 'on',
      termsAccepted: 'on',
      ...over,
    }
  }

  test('ENR-013 a browser without script joins, with the parameters of its visit, and goes to the card', async () => {
    const browser = open()
    const fields = joinFields({}, 'SKY')
    const path = '/join?returnTo=%2Fsearch&utm_source=letter'
    const { status, headers } = await postForm(browser, path, fields)
    expect([status, headers.location]).toEqual([303, '/add_card?returnTo=%2Fsearch'])
    const member = (await browser.get('/api/Member')).json()
    expect(member).toMatchObject({ email: fields.email, memberType: 'NonCardMember', emailOptIn: true })
    const [row] = await asOwner(app, 'select marketing from members where email = $1', [fields.email])
    expect(row?.marketing).toMatchObject({ utmSource: 'letter' })
    const card = await openPage(browser, '/add_card')
    expect([card.status, card.text.includes('This step needs JavaScript.')]).toEqual([200, true])
  })

  test('ENR-008 errors are at their fields, and everything but passwords is kept', async () => {
    const typed = joinFields({ email: 'not an address', zipCode: '', state: 'CA', passwordConfirm: 'other' })
    const { termsAccepted: _, ...fields } = typed
    const { status, headers, text } = await postForm(visit(app, 'orchard'), '/join', fields)
    expect([status, headers['cache-control']]).toEqual([422, 'private, no-store'])
    expect(alertOf(text)).toContain('Please check the form.')
    const errors = ['email', 'zipCode', 'passwordConfirm', 'termsAccepted', 'firstName'].map((name) =>
      errorOf(text, name),
    )
    expect(errors).toEqual([
      'Please enter a valid email address.',
      'Enter your ZIP code.',
      'Passwords do not match.',
      'Please accept the terms to join.',
      null,
    ])
    // In the order of the page: a browser sends no empty checkbox.
    const listed = [...text.matchAll(/<a href="#join-(\w+)"/g)].map(([, name]) => name)
    expect(listed).toEqual(['email', 'passwordConfirm', 'zipCode', 'termsAccepted'])
    expect(['email', 'passwordConfirm'].map((name) => /autofocus=""/i.test(controlOf(text, name)))).toEqual([
      true,
      false,
    ])
    expect(controlOf(text, 'email')).toContain(' value="not an address"')
    expect(controlOf(text, 'lastName')).toContain(' value="Lovelace"')
    expect(/<option[^>]* selected=""[^>]*>California</.test(text)).toBe(true)
    expect(text).not.toContain(typed.password)
    expect((await openPage(visit(app, 'orchard'), '/join')).text).not.toContain('not an address')
    // What only the server knows.
    const { form } = await newMember(app, 'orchard')
    const taken = await postForm(visit(app, 'orchard'), '/join', joinFields({ email: form.email }))
    expect(controlOf(taken.text, 'termsAccepted')).toMatch(/ checked=""/)
    expect([taken.status, errorOf(taken.text, 'email')]).toEqual([
      422,
      expect.stringContaining('already has an account'),
    ])
  })

  test('ENR-005 the prospect form leads to joining or signing in, with the address filled in for this browser only', async () => {
    const { form } = await newMember(app)
    for (const [email, path] of [
      [`prospect-${Date.now()}@example.com`, '/join'],
      [form.email, '/login'],
    ] as const) {
      const browser = open()
      expect(controlOf((await openPage(browser, '/')).text, 'email')).toContain(' type="email"')
      const { status, headers } = await postForm(browser, '/?utm_source=letter', { email })
      expect([status, headers.location]).toEqual([303, path])
      const page = await openPage(browser, path)
      expect([page.headers['cache-control'], page.text.includes(email)]).toEqual(['private, no-store', true])
      expect((await openPage(open(), path)).text).not.toContain(email)
      const prospects = await asOwner(app, 'select 1 from prospects where email = $1', [email])
      expect(prospects.length).toBe(path === '/join' ? 1 : 0)
    }
    const wrong = await postForm(open(), '/', { email: 'ada' })
    expect([wrong.status, errorOf(wrong.text, 'email')]).toEqual([422, 'Please enter a valid email address.'])
    expect(controlOf(wrong.text, 'email')).toContain(' value="ada"')
  })
})

import { request as httpRequest } from 'node:http'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { needsCsrf } from '../../src/platform/call.ts'
import { asOwner, joinForm, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join } from '../support/members.ts'

const app = setUpTestApp()

const partnerNumber = () => `SKY${Math.random().toString().slice(2, 10)}`
const skyForm = (over = {}) => joinForm({ partnerNumber: partnerNumber(), ...over })

const newMember = (over = {}) => join(app, 'skyharbor', { partnerNumber: partnerNumber(), ...over })

/** Sends a request to the listening server itself, so that host resolution and the HTTP parser are included. */
function raw(options: {
  host: string
  method?: string
  path?: string
  headers?: Record<string, string>
  body?: string
}) {
  return new Promise<{ status: number; body: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const call = httpRequest(
      {
        port: app.port,
        host: '127.0.0.1',
        method: options.method ?? 'GET',
        path: options.path ?? '/',
        headers: { ...options.headers, host: options.host },
      },
      (response) => {
        let body = ''
        response.on('data', (chunk) => {
          body += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body, headers: response.headers }))
      },
    )
    call.on('error', reject)
    call.end(options.body)
  })
}

describe('hosts', () => {
  test('Case 17 an unknown host is rejected, regardless of other headers', async () => {
    for (const host of [`unknown.localhost:${app.port}`, '127.0.0.1', `skyharbor.localhost.evil.example:${app.port}`]) {
      const response = await raw({ host, headers: { 'x-forwarded-host': `skyharbor.localhost:${app.port}` } })
      expect([host, response.status, JSON.parse(response.body).code]).toEqual([host, 421, 'unknownHost'])
    }
  })

  test('Case 17 a session of one program is not valid in another', async () => {
    const { visitor } = await newMember()
    const elsewhere = visit(app, 'orchard')
    for (const [name, value] of visitor.cookies) elsewhere.cookies.set(name, value)
    expect((await elsewhere.get('/api/Member')).status).toBe(401)
    const forwarded = await elsewhere.get('/api/Member', { 'x-forwarded-host': visitor.host })
    expect(forwarded.status).toBe(401)
    expect((await visitor.get('/api/Member')).status).toBe(200)
  })
})

describe('invalid input', () => {
  const visitor = () => visit(app, 'skyharbor')

  test('broken JSON, another content type, an oversized body and a prototype key are rejected with a problem document', async () => {
    const post = (body: string, type = 'application/json') =>
      visitor().change('POST', '/api/SignIn', body, { 'content-type': type })
    const responses = [
      [await post('{'), 400, 'badRequest'],
      [await post('userName=a', 'text/plain'), 415, 'notJson'],
      [await post('a=b', 'application/x-www-form-urlencoded'), 415, 'notJson'],
      [await post(JSON.stringify({ userName: 'x'.repeat(70_000) })), 413, 'tooLarge'],
      [await post('{"__proto__":{"admin":true},"userName":"a","password":"b"}'), 400, 'badRequest'],
      [await post('['.repeat(20_000)), 400, 'badRequest'],
    ] as const
    for (const [response, status, code] of responses) {
      expect([response.status, response.json().code]).toEqual([status, code])
      expect(response.json().reference).toMatch(/^[\w-]{36}$/)
    }
  })

  test('VAL-011 VAL-022 wrong types and unknown fields are rejected with {field, message} and change nothing', async () => {
    const response = await visitor().change('POST', '/api/Members/Prospects', {
      ...skyForm(),
      email: 7,
      address1: 'x'.repeat(31),
      zipCode: '123',
      admin: true,
      termsAccepted: false,
    })
    expect(response.status).toBe(400)
    expect(response.json()).toEqual(
      expect.arrayContaining([
        { field: 'email', message: 'Please check this field.' },
        { field: 'address1', message: 'Address may have at most 30 characters.' },
        { field: 'zipCode', message: 'Enter the five digits of your ZIP code.' },
        { field: 'termsAccepted', message: 'Please accept the terms to join.' },
        { field: 'admin', message: 'Please check this field.' },
      ]),
    )
  })

  test('VAL-001 VAL-023 PROF-002 ENR-017 what is typed at joining is refused when it is one too long, and stored whole when it is not', async () => {
    const local = 'a'.repeat(50 - '@example.com'.length)
    const join = (over: object) => visitor().change('POST', '/api/Members/Prospects', { ...skyForm(), ...over })
    const long = { email: `b${local}@example.com`, firstName: 'F'.repeat(21), lastName: 'L'.repeat(21) }
    expect((await join(long)).json()).toEqual([
      { field: 'email', message: 'Email address may have at most 50 characters.' },
      { field: 'firstName', message: 'First name may have at most 20 characters.' },
      { field: 'lastName', message: 'Last name may have at most 20 characters.' },
    ])
    const full = { email: `${local}@example.com`, firstName: 'F'.repeat(20), lastName: 'L'.repeat(20) }
    const member = visitor()
    expect((await member.change('POST', '/api/Members/Prospects', { ...skyForm(), ...full })).status).toBe(200)
    expect((await member.get('/api/Member')).json()).toMatchObject(full)
    const address = { address1: '1'.repeat(30), address2: '2'.repeat(30), city: 'C'.repeat(20), state: 'NY' }
    const { firstName, lastName } = full
    const profile = { firstName, lastName, zipCode: '10001', ...address }
    expect((await member.change('PUT', '/api/Member', profile)).status).toBe(200)
    expect((await member.get('/api/Member')).json().address).toEqual({ ...address, zipCode: '10001' })
    const { status, text } = await member.change('PUT', '/api/Member', { ...profile, city: 'C'.repeat(21) })
    expect([status, JSON.parse(text)]).toEqual([
      400,
      [{ field: 'city', message: 'City may have at most 20 characters.' }],
    ])
  })

  test('unknown API paths get a JSON 404', async () => {
    const response = await visitor().get('/api/nothing/here')
    expect([response.status, response.json().code]).toEqual([404, 'notFound'])
    expect(response.headers['content-type']).toContain('application/problem+json')
  })

  test('SRCH-012 SRCH-016 a search with an unknown field is rejected', async () => {
    for (const query of [
      'priceRange=9',
      'pageNo=0',
      'pageSize=101',
      'nonsense=1',
      'location=Current Location',
      'mealsServed=tea',
    ]) {
      expect([query, (await visitor().get(`/api/v2/Merchants/Search?${encodeURI(query)}`)).status]).toEqual([
        query,
        400,
      ])
    }
    expect((await visitor().get('/api/v2/Merchants/Search?location=qqqqzzzz')).status).toBe(422)
  })
})

describe('joining and signing in', () => {
  test('ENR-002 ENR-013 API-010 joining signs the member in and stores the consents verbatim and the password as argon2id', async () => {
    const { visitor, form } = await newMember()
    const member = (await visitor.get('/api/Member')).json()
    expect(member).toMatchObject({ email: form.email, memberType: 'NonCardMember', tierLevel: 'OptedIn' })
    const db = app.database.pools.forPartner('skyharbor')
    const { id } = await db
      .selectFrom('members')
      .select('id')
      .where('public_id', '=', member.publicId)
      .executeTakeFirstOrThrow()
    const consents = await db
      .selectFrom('consents')
      .select(['channel', 'consent_text as text', 'granted'])
      .where('member_id', '=', id)
      .execute()
    expect(consents).toContainEqual({
      channel: 'terms',
      granted: true,
      text: 'I accept the terms of Skyharbor Miles Dining.',
    })
    const { password_hash } = await db
      .selectFrom('credentials')
      .select('password_hash')
      .where('member_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  test('ENR-004 the consent to texts is stored as it was given, with the text that was shown', async () => {
    const phoneNumber = '212-555-0100'
    const hint = 'Optional. If you enter it, we may text you offers.'
    const consent =
      'Text me offers from Gallonaire Fuel Dining (42222). Message and data rates may apply. Reply STOP to opt out.'
    for (const [partner, over, stored] of [
      ['skyharbor', { phoneNumber }, [{ granted: true, opted: true, text: hint }]],
      ['gallonaire', { phoneNumber, smsOptInV2: true }, [{ granted: true, opted: true, text: consent }]],
      ['gallonaire', { phoneNumber, smsOptInV2: false }, [{ granted: false, opted: false, text: consent }]],
      ['gallonaire', {}, []],
    ] as const) {
      const { publicId } = await join(app, partner, over)
      const rows = await asOwner(
        app,
        `select granted, m.sms_opt_in as opted, consent_text as text from consents c join members m on m.id = c.member_id
         where m.public_id = $1 and channel = 'sms'`,
        [publicId],
      )
      expect([partner, over, rows]).toEqual([partner, over, stored])
    }
  })

  test('ENR-002 the address and the marketing values of the join form are stored as they were sent', async () => {
    const address = { address1: '1 Main Street', address2: 'Apt 2', city: 'Troy', state: 'NY' }
    const names = ['utmTerm', 'utmMedium', 'utmCampaign', 'utmSource', 'utmContent', 'referrer', 'source']
    const marketing = Object.fromEntries(names.map((name) => [name, `a ${name}`]))
    const { publicId } = await join(app, 'orchard', { ...address, ...marketing })
    const rows = await asOwner(
      app,
      `select address1, address2, city, state, marketing, enrollment_source from members where public_id = $1`,
      [publicId],
    )
    expect(rows).toEqual([{ ...address, marketing, enrollment_source: 'a source' }])
  })

  test('API-011 an email address alone is stored once with its latest marketing values, and the response is always the same', async () => {
    const asker = visit(app, 'gallonaire')
    const body = { email: 'Later@Example.com', utmSource: 'radio' }
    for (const fields of [body, { email: 'later@example.com', utmSource: 'print' }]) {
      const response = await asker.change('POST', '/api/Members/Prospects/Email', fields)
      expect([response.status, response.json()]).toEqual([202, { accepted: true }])
    }
    const stored = await app.database.pools
      .forPartner('gallonaire')
      .selectFrom('prospects')
      .select(['email', 'marketing', sql<boolean>`last_seen_at > first_seen_at`.as('seenAgain')])
      .execute()
    expect(stored).toEqual([{ email: 'Later@Example.com', marketing: { utmSource: 'print' }, seenAgain: true }])
    expect((await asker.change('POST', '/api/Members/Prospects/Email', { email: 'x'.repeat(60) })).status).toBe(400)
  })

  test('ENR-006 ENR-007 VAL-016 VAL-020 each invalid field has its own message', async () => {
    const { form } = await newMember()
    const getErrorFields = async (over: Record<string, unknown>) => {
      const response = await visit(app, 'skyharbor').change('POST', '/api/Members/Prospects', skyForm(over))
      return [
        response.status,
        ...response.json<{ field: string; message: string }[]>().map(({ field, message }) => `${field}: ${message}`),
      ]
    }
    expect(await getErrorFields({ email: form.email.toUpperCase() })).toEqual([
      400,
      'email: This email address already has an account. Sign in, or reset your password if you have none.',
    ])
    expect(await getErrorFields({ partnerNumber: form.partnerNumber })).toEqual([
      400,
      'partnerNumber: This Skyharbor number already has an account.',
    ])
    expect(await getErrorFields({ partnerNumber: form.partnerNumber.toLowerCase() })).toEqual([
      400,
      'partnerNumber: This Skyharbor number already has an account.',
    ])
    expect(await getErrorFields({ partnerNumber: '!' })).toEqual([
      400,
      'partnerNumber: Please check your Skyharbor number.',
    ])
    expect(await getErrorFields({ passwordConfirm: 'another one 1' })).toEqual([
      400,
      'passwordConfirm: Passwords do not match.',
    ])
    expect(await getErrorFields({ zipCode: '00000' })).toEqual([
      400,
      'zipCode: This ZIP code is not located in the U.S.',
    ])
    expect(await getErrorFields({ password: 'password1', passwordConfirm: 'password1' })).toEqual([
      400,
      'password: This password is too common. Please choose another one.',
    ])
    const password = 'lemonmeringue1'
    expect(await getErrorFields({ email: 'LemonMeringue@example.com', password, passwordConfirm: password })).toEqual([
      400,
      'password: This password is easy to guess from your details. Please add a few words.',
    ])
    const number = partnerNumber()
    expect(
      await getErrorFields({ partnerNumber: number, password: `x${number}x`, passwordConfirm: `x${number}x` }),
    ).toEqual([400, 'password: Your password must not contain your Skyharbor member number.'])
  })

  test('ENR-003 VAL-019 VAL-024 Case 129 a password of 57 characters is refused, and one of 56 is compared to its end', async () => {
    const long = [...`${'pässword 4 soup '.repeat(3)}🍜 and 🍜🍜🍜🍜`].slice(0, 57).join('')
    const whole = [...long].slice(0, 56).join('')
    expect([[...long].length, [...whole].length]).toEqual([57, 56])
    const refused = await visit(app, 'skyharbor').change(
      'POST',
      '/api/Members/Prospects',
      joinForm({ partnerNumber: partnerNumber(), password: long, passwordConfirm: long }),
    )
    expect([refused.status, refused.json()]).toEqual([400, [{ field: 'password', message: 'Use 8 to 56 characters.' }]])
    const { form } = await newMember({ password: whole, passwordConfirm: whole })
    const signInWith = async (password: string) =>
      (await visit(app, 'skyharbor').change('POST', '/api/SignIn', { userName: form.email, password })).status
    expect([await signInWith(whole), await signInWith(long), await signInWith(`${whole}anything`)]).toEqual([
      200, 401, 401,
    ])
    // A password from before may have been cut: who types it whole still gets in, there and where it is asked for again.
    await asOwner(
      app,
      `update credentials set may_be_cut = true
       where member_id = (select id from members where email = $1)`,
      [form.email],
    )
    expect([await signInWith(long), await signInWith([...whole].slice(0, 55).join(''))]).toEqual([200, 401])
    const member = visit(app, 'skyharbor')
    await member.change('POST', '/api/SignIn', { userName: form.email, password: long })
    expect((await member.change('POST', '/api/Member/Prove', { password: long })).status).toBe(200)
    // The next password is compared whole.
    const profile = { firstName: 'Ada', lastName: 'Lovelace', zipCode: '10001' }
    const next = `${whole.slice(0, 40)} and some bread`
    expect((await member.change('PUT', '/api/Member', { ...profile, password: next })).status).toBe(200)
    expect([await signInWith(next), await signInWith(`${next} `), await signInWith(long)]).toEqual([200, 401, 401])
  })

  test('ENR-006 SESS-007 a member number is accepted with spaces and hyphens', async () => {
    const digits = String(Date.now()).slice(-8)
    const spaced = `sky ${digits.slice(0, 4)}-${digits.slice(4)}`
    const form = joinForm({ partnerNumber: spaced })
    expect((await visit(app, 'skyharbor').change('POST', '/api/Members/Prospects', form)).status).toBe(200)
    for (const userName of [spaced, `SKY${digits}`, ` SKY ${digits} `]) {
      const response = await visit(app, 'skyharbor').change('POST', '/api/SignIn', {
        userName,
        password: form.password,
      })
      expect([userName, response.status]).toEqual([userName, 200])
    }
    const again = joinForm({ partnerNumber: `SKY-${digits}` })
    const taken = await visit(app, 'skyharbor').change('POST', '/api/Members/Prospects', again)
    expect([taken.status, taken.json()[0].field]).toEqual([400, 'partnerNumber'])
  })

  test('SESS-007 SESS-008 a member signs in by email or partner number, and wrong passwords get the same response', async () => {
    const { form } = await newMember()
    for (const userName of [form.email, form.partnerNumber.toLowerCase()]) {
      expect(
        (await visit(app, 'skyharbor').change('POST', '/api/SignIn', { userName, password: form.password })).status,
      ).toBe(200)
    }
    const known = await visit(app, 'skyharbor').change('POST', '/api/SignIn', {
      userName: form.email,
      password: 'wrong 1 password',
    })
    const unknown = await visit(app, 'skyharbor').change('POST', '/api/SignIn', {
      userName: 'unknown@example.com',
      password: 'wrong 1 password',
    })
    expect(known.status).toBe(401)
    expect({ ...known.json(), reference: '' }).toEqual({ ...unknown.json(), reference: '' })
    expect(known.json().title).toBe('Invalid user name or password')
    // What is hashed for an unknown name is no password of it.
    const guessed = { userName: 'unknown@example.com', password: 'no such member' }
    expect((await visit(app, 'skyharbor').change('POST', '/api/SignIn', guessed)).status).toBe(401)
  })

  test('SESS-009 CONST-007 five failures lock a name for 30 minutes, with the same message whether or not it exists', async () => {
    const { form } = await newMember()
    const bodies: unknown[] = []
    for (const userName of [form.email, 'stranger-to-lock@example.com']) {
      let last = { status: 0, json: (): Record<string, unknown> => ({}) }
      for (let attempt = 0; attempt < 6; attempt++) {
        last = await visit(app, 'skyharbor').change('POST', '/api/SignIn', { userName, password: 'wrong 1 password' })
      }
      bodies.push([last.status, { ...last.json(), reference: '' }])
    }
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject([403, { code: 'locked', title: 'Your account is locked for 30 minutes.' }])
    const right = await visit(app, 'skyharbor').change('POST', '/api/SignIn', {
      userName: form.email,
      password: form.password,
    })
    expect(right.status).toBe(403)
  })

  test('Case 24 signing in creates a new session, and the old one and a signed-out one are not valid', async () => {
    const { form } = await newMember()
    const visitor = visit(app, 'skyharbor')
    await visitor.token()
    const planted = visitor.cookies.get('sid') as string
    await visitor.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
    const own = visitor.cookies.get('sid') as string
    expect(own).not.toBe(planted)
    const attacker = visit(app, 'skyharbor')
    attacker.cookies.set('sid', planted)
    expect((await attacker.get('/api/Member')).status).toBe(401)
    expect((await visitor.get('/api/SignOut')).json()).toEqual({ signedOut: true })
    attacker.cookies.set('sid', own)
    expect((await attacker.get('/api/Member')).status).toBe(401)
  })

  test('Case 51 another site cannot sign a member out', async () => {
    const { visitor } = await newMember()
    for (const path of ['/api/SignOut', '/SignOut']) {
      await visitor.get(path, { 'sec-fetch-site': 'cross-site' })
      await visitor.get(path, { 'sec-fetch-site': 'same-site' })
      // Browsers that do not send the site of a request.
      for (const origin of ['https://evil.example', `http://gallonaire.localhost:${app.port}`, 'null'])
        await visitor.get(path, { origin })
      expect((await visitor.get('/api/Member')).status).toBe(200)
    }
  })

  test('SESS-001 Case 57 the session cookie is HttpOnly and Lax, its id is not in the database, and its expiry is readable', async () => {
    const visitor = visit(app, 'skyharbor')
    const response = await visitor.change('POST', '/api/Members/Prospects', skyForm())
    const cookies = ([] as string[]).concat(response.headers['set-cookie'] as string[])
    expect(cookies.find((cookie) => cookie.startsWith('sid='))).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(cookies.find((cookie) => cookie.startsWith('session_expiry='))).not.toContain('HttpOnly')
    const sessions = await app.database.pools.forPartner('skyharbor').selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(sessions)).not.toContain(visitor.cookies.get('sid'))
  })
})

describe('access', () => {
  test('Case 26 every mutating call requires the token of its own session', async () => {
    const stranger = await visit(app, 'skyharbor').token()
    let checked = 0
    for (const call of app.partnerApp.calls.filter(needsCsrf)) {
      const path = call.path.replace(/:\w+/g, 'x'.repeat(22))
      for (const token of [undefined, '', 'csrf-token-unavailable', stranger]) {
        const { visitor } = checked % 8 === 0 ? await newMember() : { visitor: visit(app, 'skyharbor') }
        if (!visitor.cookies.has('sid')) await visitor.token()
        const headers: Record<string, string> = token === undefined ? {} : { 'x-xsrf-token': token }
        const response = await visitor.send(call.method, path, call.body ? {} : undefined, headers)
        const rejected = response.status === 403 || (call.access === 'member' && response.status === 401)
        expect([call.id, token, rejected]).toEqual([call.id, token, true])
        checked++
      }
    }
    expect(checked).toBeGreaterThan(20)
    // Counterpart: the same call with its own token passes, so the token caused the errors above.
    const visitor = visit(app, 'skyharbor')
    expect((await visitor.change('POST', '/api/SignIn', { userName: 'a', password: 'b' })).status).toBe(401)
  })

  test('ROLE-001 ROLE-016 Case 19 every member call, including reservations, rejects a visitor', async () => {
    const visitor = visit(app, 'skyharbor')
    for (const call of app.partnerApp.calls.filter(({ access }) => access === 'member')) {
      const response = await visitor.change(call.method, call.path, call.body ? {} : undefined)
      expect([call.id, response.status]).toEqual([call.id, 401])
    }
  })

  test('Case 19 Case 20 API-009 a public id shows only the reduced record, and nothing of other members', async () => {
    const { publicId, visitor: owner } = await newMember({ firstName: 'Grace', lastName: 'Hopper' })
    const path = `/api/Member/${publicId}`
    const other = visit(app, 'skyharbor')
    const response = await other.get(path, { 'x-xsrf-token': await other.token() })
    expect(Object.keys(response.json()).sort()).toEqual([
      'active',
      'firstName',
      'hasWebProfile',
      'interfaceType',
      'memberType',
      'publicId',
      'tierLevel',
      'token',
    ])
    expect(response.text).not.toContain('Hopper')
    const { visitor: another } = await newMember()
    const interfaceOf = async (visitor: typeof other) =>
      (await visitor.get(path, { 'x-xsrf-token': await visitor.token() })).json().interfaceType
    expect([await interfaceOf(other), await interfaceOf(another), await interfaceOf(owner)]).toEqual([
      'known',
      'known',
      'direct',
    ])
    const otherProgram = visit(app, 'orchard')
    expect((await otherProgram.get(path, { 'x-xsrf-token': await otherProgram.token() })).status).toBe(404)
  })

  test('API-038 the literal paths below Member are calls, not public ids', async () => {
    const { visitor } = await newMember()
    expect((await visitor.get('/api/Member/Cards')).json()).toEqual([])
    expect((await visitor.get('/api/Member/DineSummary')).json()).toEqual({
      currentYearBenefits: 0,
      currentYearDines: 0,
    })
  })

  test('ROUTE-033 ROUTE-034 calls that a program does not offer get 404', async () => {
    const lantern = visit(app, 'lantern')
    expect((await lantern.change('POST', '/api/Members/Prospects', joinForm())).status).toBe(404)
    const beacon = visit(app, 'beacon')
    expect((await beacon.change('POST', '/api/SignIn', { userName: 'a', password: 'b' })).status).toBe(404)
    expect((await beacon.change('POST', '/api/Members/Prospects', joinForm())).status).toBe(401)
    const email = 'ada@example.com'
    for (const visitor of [lantern, beacon])
      expect((await visitor.change('POST', '/api/Members/Prospects/Email', { email })).status).toBe(404)
    const validate = `/api/Members/Validate/Email?email=${email}`
    expect([(await lantern.get(validate)).status, (await beacon.get(validate)).status]).toEqual([404, 200])
  })

  test('responses to members are not cached', async () => {
    const { visitor } = await newMember()
    expect((await visitor.get('/api/Member')).headers['cache-control']).toBe('no-store')
  })
})

describe('public data', () => {
  test('API-016 API-017 API-018 configuration, flags and content are those of the program, without its secrets', async () => {
    const beacon = visit(app, 'beacon')
    const config = await beacon.get('/api/PartnerConfig')
    expect(config.json()).toMatchObject({ code: 'beacon', currencyType: 'Credit', enrollmentType: 'sso' })
    expect(config.text).not.toMatch(/secret/i)
    expect((await beacon.get('/api/feature-flags')).json()).toMatchObject({ authFlags: { loginMaintenance: false } })
    const content = (await beacon.get('/api/cms/pages/home/?page_size=100')).json()
    expect(content.data[0]).toHaveProperty('slug')
    expect((await beacon.get('/api/cms/pages/nothing/?page_size=100')).status).toBe(404)
    expect((await beacon.get('/api/cms/pages/home/?page_size=101')).status).toBe(400)
  })

  test('PART-033 a feature flag overrides the configuration within a second', async () => {
    const visitor = visit(app, 'orchard')
    const { writeFlag } = await import('../../src/programs/partners/store.ts')
    await writeFlag(app.database.pools.forPartner('orchard'), {
      kind: 'partnerFeatureFlags',
      name: 'hasVIP',
      value: false,
    })
    const seen = async () => (await visitor.get('/api/PartnerConfig')).json().hasVIP
    await expect.poll(seen, { timeout: 10_000 }).toBe(false)
  })

  test('PART-033 a flag that the staging tools set is in force when they respond', async () => {
    const visitor = visit(app, 'gallonaire')
    for (const value of [true, false, true, false]) {
      const body = { kind: 'authFlags', name: 'joinMaintenance', value }
      expect((await visitor.change('PUT', '/api/staging/flags', body)).status).toBe(200)
      expect((await visitor.get('/api/feature-flags')).json()).toMatchObject({ authFlags: { joinMaintenance: value } })
    }
  })

  test('the OpenAPI document has every call once, with its responses', async () => {
    const visitor = visit(app, 'skyharbor')
    const document = (await visitor.get('/api/openapi.json')).json()
    const operations = Object.values(document.paths as Record<string, Record<string, { operationId: string }>>).flatMap(
      (path) => Object.values(path),
    )
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      app.partnerApp.calls.map(({ id }) => id).sort(),
    )
    const page = await visitor.get('/api/docs')
    expect(page.text).toContain('/api/v2/Merchants/Search')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  })
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { purgeRecoveries } from '../../src/identity/recovery/service.ts'
import { maxLoginFailures } from '../../src/identity/session/rules.ts'
import { asOwner, startSecondApp, type TestApp, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join, signIn as sendSignIn } from '../support/members.ts'
import { scaled } from '../support/scale.ts'

const app = setUpTestApp()
let secondApp: TestApp
const newPassword = 'chanterelles 9 on toast'

beforeAll(async () => {
  secondApp = await startSecondApp(app)
  for (const partner of ['gallonaire', 'skyharbor']) await withoutBotCheck(partner, app, secondApp)
})
afterAll(async () => {
  await secondApp?.stop()
})

const newMember = (partner = 'gallonaire') => join(app, partner)

interface RecoveryEmail {
  body_text: string
  recipient: string
  subject: string
}

const listEmails = (email: string, topic: string) =>
  asOwner<RecoveryEmail>(
    app,
    'select body_text, recipient, subject from emails where recipient = $1 and topic = $2 order by id',
    [email, topic],
  )

/** Requests a code and reads it from the email. */
async function codeFor(email: string, before = 0, partner = 'gallonaire', headers: Record<string, string> = {}) {
  const requested = await visit(app, partner).change('POST', '/api/Members/Recover', { userName: email }, headers)
  expect([requested.status, requested.json()]).toEqual([202, { accepted: true }])
  await expect.poll(async () => (await listEmails(email, 'recovery.code')).length, { timeout: 20_000 }).toBe(before + 1)
  const message = (await listEmails(email, 'recovery.code'))[before] as RecoveryEmail
  return { message, code: /#code=([0-9A-Z-]+)/.exec(message.body_text)?.[1] as string }
}

const confirm = (code: string, at = app) =>
  visit(at, 'gallonaire').change('POST', '/api/Members/Recover/Confirm', { code })

const update = (resetToken: string, at = app, over: Record<string, unknown> = {}) =>
  visit(at, 'gallonaire').change('POST', '/api/Members/Recover/Update', {
    resetToken,
    password: newPassword,
    passwordConfirm: newPassword,
    ...over,
  })

const signIn = (userName: string, password: string) => sendSignIn(visit(app, 'gallonaire'), userName, { password })

/** Requests codes in one browser, and reads the digits of each new email. */
async function digitsFor(email: string, browser: ReturnType<typeof visit>, before = 0): Promise<string> {
  await browser.change('POST', '/api/Members/Recover', { userName: email })
  await expect.poll(async () => (await listEmails(email, 'recovery.code')).length, { timeout: 20_000 }).toBe(before + 1)
  return /\b\d{6}\b/.exec((await listEmails(email, 'recovery.code'))[before]?.body_text ?? '')?.[0] as string
}
const type = (browser: ReturnType<typeof visit>, code: string) =>
  browser.change('POST', '/api/Members/Recover/Confirm', { code })
const otherThan = (digits: string, by = 1) => String((Number(digits) + by) % 1_000_000).padStart(6, '0')

describe('the six-digit code', () => {
  test('RECV-001 it works once, in the browser that requested it, however it is typed', async () => {
    const { form } = await newMember()
    const browser = visit(app, 'gallonaire')
    const digits = await digitsFor(form.email, browser)
    expect((await type(visit(app, 'gallonaire'), digits)).status).toBe(410)
    const stranger = visit(secondApp, 'gallonaire')
    await stranger.change('POST', '/api/Members/Recover', { userName: 'unknown-at-all@example.com' })
    expect((await type(stranger, digits)).status).toBe(410)
    const confirmed = await type(browser, ` ${digits.slice(0, 3)} ${digits.slice(3)} `)
    expect(confirmed.status).toBe(200)
    expect((await type(browser, digits)).status).toBe(410)
    expect((await update(confirmed.json().resetToken)).status).toBe(200)
  })

  test('RECV-001 Case 32 each of several codes that one browser requested works, and a stranger’s request invalidates none', async () => {
    const { form } = await newMember()
    const browser = visit(app, 'gallonaire')
    const first = await digitsFor(form.email, browser)
    await digitsFor(form.email, browser, 1)
    await digitsFor(form.email, visit(app, 'gallonaire'), 2)
    expect((await type(browser, first)).status).toBe(200)
  })

  test('RECV-001 Case 25 after five attempts it is invalid, also when several are concurrent, and the link still works', async () => {
    const { form } = await newMember()
    const browser = visit(app, 'gallonaire')
    const digits = await digitsFor(form.email, browser)
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, index) => type(browser, otherThan(digits, index + 1))),
    )
    expect(tries.every(({ status }) => status === 410)).toBe(true)
    const [row] = await asOwner<{ tries: number }>(
      app,
      'select tries from recoveries r join members m on m.id = r.member_id where m.email = $1',
      [form.email],
    )
    expect(row?.tries).toBe(5)
    expect((await type(browser, digits)).status).toBe(410)
    const code = /#code=([0-9A-Z-]+)/.exec((await listEmails(form.email, 'recovery.code'))[0]?.body_text ?? '')?.[1]
    expect((await confirm(code ?? '')).status).toBe(200)
  })

  test('RECV-001 the eleventh email of a day contains the link only', async () => {
    const { form } = await newMember()
    await digitsFor(form.email, visit(app, 'gallonaire'))
    await asOwner(
      app,
      `insert into recoveries (partner_id, member_id, code_hash, created_at, expires_at)
       select m.partner_id, m.id, sha256(convert_to(n::text || m.email, 'UTF8')), now() - interval '2 hours', now() - interval '1 hour'
       from members m, generate_series(1, 9) n where m.email = $1`,
      [form.email],
    )
    expect(await digitsFor(form.email, visit(app, 'gallonaire'), 1)).toBeUndefined()
    const message = (await listEmails(form.email, 'recovery.code'))[1]
    expect(message?.body_text).toContain('#code=')
  })
})

describe('a second period', () => {
  /** Ages everything that is stored about recoveries of a member. */
  const age = (email: string, interval: string) =>
    asOwner(
      app,
      `update recoveries set created_at = created_at - interval '${interval}', expires_at = expires_at - interval '${interval}'
       where member_id = (select id from members where email = $1)`,
      [email],
    )
  const purge = () => purgeRecoveries(app.database.pools.forPartner('gallonaire'))

  test('RECV-001 digits are valid for half an hour, and the five codes of a mailbox start again after it', async () => {
    const { form } = await newMember()
    const browsers = []
    for (let index = 0; index < 5; index++) {
      const browser = visit(app, 'gallonaire')
      browsers.push({ browser, digits: await digitsFor(form.email, browser, index) })
    }
    const [early, late] = [browsers[0], browsers[4]] as [(typeof browsers)[0], (typeof browsers)[0]]
    await age(form.email, '29 minutes 30 seconds')
    expect((await type(early.browser, early.digits)).status).toBe(200)
    // The other codes ended with it; those of the next half hour are new.
    expect((await type(late.browser, late.digits)).status).toBe(410)
    await age(form.email, '31 seconds')
    const browser = visit(app, 'gallonaire')
    const digits = await digitsFor(form.email, browser, 5)
    await age(form.email, '30 minutes')
    expect((await type(browser, digits)).status).toBe(410)
  })

  test('RECV-001 a day after ten codes the emails have digits again, and the cleanup does not shorten the day', async () => {
    const { form } = await newMember()
    await digitsFor(form.email, visit(app, 'gallonaire'))
    await asOwner(
      app,
      `insert into recoveries (partner_id, member_id, code_hash, created_at, expires_at)
       select m.partner_id, m.id, sha256(convert_to('day' || n::text || m.email, 'UTF8')), now() - interval '1 minute', now() - interval '1 minute'
       from members m, generate_series(1, 9) n where m.email = $1`,
      [form.email],
    )
    await age(form.email, '23 hours 58 minutes')
    await purge()
    expect(await digitsFor(form.email, visit(app, 'gallonaire'), 1)).toBeUndefined()
    await age(form.email, '2 minutes')
    expect(await digitsFor(form.email, visit(app, 'gallonaire'), 2)).toMatch(/^\d{6}$/)
  })

  test('RECV-001 the limit of requests for a name counts that name in that program only', async () => {
    const [first, second] = [await newMember(), await newMember()]
    const same = { email: first.form.email }
    await join(app, 'skyharbor', same)
    const stranger = { address: '2001:db8:25:7::1' }
    const requestCode = (userName: string, partner = 'gallonaire') =>
      visit(app, partner, stranger).change('POST', '/api/Members/Recover', { userName })
    const stored = async (topicOf: string) => (await listEmails(topicOf, 'recovery.code')).length
    for (let attempt = 0; attempt < 4; attempt++) await requestCode(first.form.email)
    await requestCode(second.form.email)
    await requestCode(first.form.email, 'skyharbor')
    await expect.poll(() => stored(second.form.email), { timeout: 20_000 }).toBe(1)
    // Three in one program and one in the other.
    await expect.poll(() => stored(first.form.email), { timeout: 20_000 }).toBe(4)
  })

  test('Case 32 a new password takes the privilege of known browsers, and lifts the lock of email and partner number', async () => {
    const { form, visitor } = await newMember('skyharbor')
    await visitor.get('/api/SignOut')
    const names = [form.email, String(form.partnerNumber)]
    const signInAt = (from: ReturnType<typeof visit>, userName: string, password: string) =>
      sendSignIn(from, userName, { password })
    const lock = async (userName: string) => {
      for (let attempt = 0; attempt < maxLoginFailures; attempt++)
        await signInAt(visit(app, 'skyharbor'), userName, 'a guess')
    }
    await lock(form.email)
    for (const name of names)
      expect([name, (await signInAt(visit(app, 'skyharbor'), name, form.password)).status]).toEqual([name, 403])
    const { code } = await codeFor(form.email, 0, 'skyharbor')
    const confirmed = await visit(app, 'skyharbor').change('POST', '/api/Members/Recover/Confirm', { code })
    const { resetToken } = confirmed.json()
    const numbered = `my ${form.partnerNumber} soup`
    const wrong = { resetToken, password: numbered, passwordConfirm: numbered }
    expect((await visit(app, 'skyharbor').change('POST', '/api/Members/Recover/Update', wrong)).json()).toEqual([
      { field: 'password', message: 'Your password must not contain your Skyharbor member number.' },
    ])
    const body = { resetToken, password: newPassword, passwordConfirm: newPassword }
    expect((await visit(app, 'skyharbor').change('POST', '/api/Members/Recover/Update', body)).status).toBe(200)
    for (const name of names)
      expect([name, (await signInAt(visit(app, 'skyharbor'), name, newPassword)).status]).toEqual([name, 200])
    // The browser in which the member joined counts like any other again.
    await lock(form.email)
    expect((await signInAt(visitor, form.email, newPassword)).status).toBe(403)
  })
})

describe('account recovery', () => {
  test('Case 32 a new password also lifts the locks of the browser and of the account in which the old one was mistyped', async () => {
    const { form, visitor } = await newMember()
    const prove = async (password: string) => (await visitor.change('POST', '/api/Member/Prove', { password })).status
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) await prove('a guess')
    expect(await prove(form.password)).toBe(403)
    await visitor.get('/api/SignOut')
    for (let attempt = 0; attempt < maxLoginFailures; attempt++)
      await sendSignIn(visitor, form.email, { password: 'a guess' })
    expect((await sendSignIn(visitor, form.email, { password: form.password })).status).toBe(403)
    const { code } = await codeFor(form.email)
    await update((await confirm(code)).json().resetToken)
    const signInAgain = async () => (await sendSignIn(visitor, form.email, { password: newPassword })).status
    expect(await signInAgain()).toBe(200)
    expect(await prove(newPassword)).toBe(200)
    // From now on, the browser is a known one again.
    await visitor.get('/api/SignOut')
    expect(await signInAgain()).toBe(200)
  })

  test('RECV-001 CONST-007 a code by email sets a new password; every session ends, the lock is lifted, and the member is notified', async () => {
    const { form, visitor } = await newMember()
    for (let attempt = 0; attempt < maxLoginFailures; attempt++) await signIn(form.email, 'a guess')
    expect((await signIn(form.email, form.password)).status).toBe(403)
    const { message, code } = await codeFor(form.email)
    expect(message.subject).toBe('Your code for Gallonaire Fuel Dining')
    // Either of the two processes may have written it.
    const links = [app, secondApp].map(({ port }) => `http://gallonaire.localhost:${port}/recover/confirm#code=${code}`)
    expect(links.filter((link) => message.body_text.includes(link))).toHaveLength(1)
    const { resetToken } = (await confirm(code)).json()
    expect((await update(resetToken)).json()).toEqual({
      updated: true,
      removedPasskeys: 0,
      linkedCards: 0,
      returnTo: '',
    })
    expect((await visitor.get('/api/Member')).status).toBe(401)
    expect((await signIn(form.email, form.password)).status).toBe(401)
    expect((await signIn(form.email, newPassword)).status).toBe(200)
    const notifications = await listEmails(form.email, 'recovery.changed')
    expect(notifications).toHaveLength(1)
    expect(notifications[0]?.body_text).toContain('You are signed out everywhere.')
    expect(notifications[0]?.body_text).toContain(`${app.origin('gallonaire')}/login`)
  })

  test('RECV-004 Case 33 an unknown name gets the same response, and no email is sent', async () => {
    const { form } = await newMember()
    const requestCode = (userName: string) =>
      visit(app, 'gallonaire').change('POST', '/api/Members/Recover', { userName })
    const [known, unknown] = [await requestCode(form.email), await requestCode('unknown-at-all@example.com')]
    expect([unknown.status, unknown.json()]).toEqual([known.status, known.json()])
    // The browser is recognized for as long as a code is valid.
    for (const { headers } of [known, unknown])
      expect(String(headers['set-cookie'])).toMatch(
        /^recovery=[\w-]{43}; Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/,
      )
    const waiting = async () => (await asOwner(app, 'select 1 from recovery_requests')).length
    await expect.poll(waiting, { timeout: 20_000 }).toBe(0)
    expect(await listEmails('unknown-at-all@example.com', 'recovery.code')).toEqual([])
  })

  test('RECV-002 an invalid name is rejected with the program’s message', async () => {
    const wrong = async (partner: string, userName: string) =>
      (await visit(app, partner).change('POST', '/api/Members/Recover', { userName })).json()
    expect(await wrong('skyharbor', 'ada')).toEqual([
      { field: 'userName', message: 'Please enter a valid email address or Skyharbor number.' },
    ])
    expect(await wrong('gallonaire', '12345678')).toEqual([
      { field: 'userName', message: 'Please enter a valid email address.' },
    ])
    const { form } = await newMember('skyharbor')
    const requested = await visit(app, 'skyharbor').change('POST', '/api/Members/Recover', {
      userName: String(form.partnerNumber).toLowerCase(),
    })
    expect(requested.status).toBe(202)
    await expect.poll(async () => (await listEmails(form.email, 'recovery.code')).length, { timeout: 20_000 }).toBe(1)
    // As it is printed on the card.
    const spaced = String(form.partnerNumber).replace(/^SKY(\d{4})/, 'SKY $1-')
    await visit(app, 'skyharbor').change('POST', '/api/Members/Recover', { userName: spaced })
    await expect.poll(async () => (await listEmails(form.email, 'recovery.code')).length, { timeout: 20_000 }).toBe(2)
  })

  test('RECV-003 RECV-007 only programs with direct enrollment have it', async () => {
    for (const partner of ['beacon', 'lantern']) {
      const visitor = visit(app, partner)
      for (const [path, body] of [
        ['/api/Members/Recover', { userName: 'ada@example.com' }],
        ['/api/Members/Recover/Confirm', { code: 'x' }],
        ['/api/Members/Recover/Update', { resetToken: 'x', password: newPassword, passwordConfirm: newPassword }],
      ] as const) {
        expect([partner, path, (await visitor.change('POST', path, body)).status]).toEqual([partner, path, 404])
      }
    }
  })

  test('RECV-005 VAL-016 VAL-020 the new password must follow the rules, and a rejected one can be tried again', async () => {
    const { form } = await newMember()
    const { code } = await codeFor(form.email)
    const { resetToken } = (await confirm(code)).json()
    const errorsOf = async (over: Record<string, unknown>) => (await update(resetToken, app, over)).json()
    expect(await errorsOf({ passwordConfirm: 'another' })).toEqual([
      { field: 'passwordConfirm', message: 'Passwords do not match.' },
    ])
    for (const [password, message] of [
      ['short', 'Use 8 to 56 characters.'],
      ['password1', 'This password is too common. Please choose another one.'],
      ['Lovelace12', 'This password is easy to guess from your details. Please add a few words.'],
      [form.email.split('@')[0], 'This password is easy to guess from your details. Please add a few words.'],
    ]) {
      expect(await errorsOf({ password, passwordConfirm: password })).toEqual([{ field: 'password', message }])
    }
    const long = 'sourdough 4 breakfast, '.repeat(3).slice(0, 57)
    expect(await errorsOf({ password: long, passwordConfirm: long })).toEqual([
      { field: 'password', message: 'Use 8 to 56 characters.' },
    ])
    const longest = long.slice(0, 56)
    expect((await update(resetToken, app, { password: longest, passwordConfirm: longest })).status).toBe(200)
    expect((await signIn(form.email, longest)).status).toBe(200)
  })

  test('Case 25 a code that is used twice or by two concurrent requests works exactly once', async () => {
    const rounds = scaled({ full: 20, short: 2 })
    for (let round = 0; round < rounds; round++) {
      const { form } = await newMember()
      const { code: older } = await codeFor(form.email)
      const { code } = await codeFor(form.email, 1)
      const confirmed = await Promise.all(
        Array.from({ length: 50 }, (_, index) => confirm(index % 4 < 2 ? code : older, index % 2 ? app : secondApp)),
      )
      const won = confirmed.filter(({ status }) => status === 200)
      expect(won).toHaveLength(1)
      for (const used of [code, older]) expect((await confirm(used)).status).toBe(410)
      const resetToken: string = won[0]?.json().resetToken ?? ''
      const updated = await Promise.all(
        Array.from({ length: 4 }, (_, index) => update(resetToken, index % 2 ? app : secondApp)),
      )
      expect(updated.filter(({ status }) => status === 200)).toHaveLength(1)
      expect((await update(resetToken)).status).toBe(410)
      // Also before the rules of passwords.
      expect((await update(resetToken, app, { password: 'short', passwordConfirm: 'short' })).status).toBe(410)
    }
  })

  test('Case 25 the right to set a password ends when a later code is exchanged', async () => {
    const { form } = await newMember()
    const { code: first } = await codeFor(form.email)
    const { resetToken: earlier } = (await confirm(first)).json()
    const { code: second } = await codeFor(form.email, 1)
    const { resetToken } = (await confirm(second)).json()
    expect((await update(earlier)).status).toBe(410)
    expect((await update(resetToken)).status).toBe(200)
  })

  test('Case 25 counterpart: a code that is not marked as used works again', async () => {
    const { form } = await newMember()
    const { code } = await codeFor(form.email)
    expect((await confirm(code)).status).toBe(200)
    await asOwner(app, 'update recoveries set reset_hash = null')
    expect((await confirm(code)).status).toBe(200)
  })

  test('Case 25 a forged host name does not get into the email, and old codes are rejected', async () => {
    const { form } = await newMember()
    const { message, code } = await codeFor(form.email, 0, 'gallonaire', { 'x-forwarded-host': 'evil.example' })
    expect(message.body_text).not.toContain('evil')
    await asOwner(app, "update recoveries set expires_at = now() - interval '1 second'")
    expect((await confirm(code)).status).toBe(410)
    const { code: second } = await codeFor(form.email, 1)
    const { resetToken } = (await confirm(second)).json()
    await asOwner(app, "update recoveries set expires_at = now() - interval '1 second'")
    expect((await update(resetToken)).status).toBe(410)
  })

  test('guessed codes and tokens are rejected, and neither is in the database', async () => {
    const { form } = await newMember()
    const { code } = await codeFor(form.email)
    const { resetToken } = (await confirm(code)).json()
    const stored = JSON.stringify(
      (await asOwner(app, 'select * from recoveries')).concat(await asOwner(app, 'select * from sessions')),
    )
    expect(stored).not.toContain(resetToken)
    expect(stored).not.toContain(code)
    for (let guess = 0; guess < 100; guess++) {
      expect((await confirm(`${code.slice(0, -2)}${String(guess).padStart(2, '0')}`)).status).toBe(410)
      const guessed = `${resetToken.slice(0, -2)}${guess}`
      // The token itself can end in two digits.
      if (guessed !== resetToken) expect((await update(guessed)).status).toBe(410)
    }
  })

  test('at most five codes are sent to a mailbox in half an hour, by any requester, and the last one works', async () => {
    const { form } = await newMember()
    for (let attempt = 0; attempt < 9; attempt++) {
      await visit(app, 'gallonaire').change('POST', '/api/Members/Recover', { userName: form.email })
    }
    await expect
      .poll(async () => (await asOwner(app, 'select 1 from recovery_requests')).length, { timeout: 20_000 })
      .toBe(0)
    const emails = await listEmails(form.email, 'recovery.code')
    expect(emails).toHaveLength(5)
    expect((await confirm(/#code=([0-9A-Z-]+)/.exec(emails[4]?.body_text ?? '')?.[1] ?? '')).status).toBe(200)
  })

  test('Case 32 a stranger who requests codes does not invalidate those that the member got before', async () => {
    const { form } = await newMember()
    const { code } = await codeFor(form.email)
    for (let attempt = 1; attempt < 5; attempt++) await codeFor(form.email, attempt)
    expect((await confirm(code)).status).toBe(200)
  })

  test('one address may make three requests for a name and ten in all, and the fourth gets the same response', async () => {
    const { form } = await newMember()
    const stranger = { address: '2001:db8:25:1::1' }
    const requestCode = (userName: string, from = stranger) =>
      visit(app, 'gallonaire', from).change('POST', '/api/Members/Recover', { userName })
    for (let attempt = 0; attempt < 5; attempt++) {
      // The same name in another spelling.
      const name = attempt % 2 === 0 ? ` ${form.email.toUpperCase()}` : form.email
      const response = await requestCode(name, { address: `2001:db8:25:1::${attempt + 1}` })
      expect([response.status, response.json()]).toEqual([202, { accepted: true }])
    }
    for (let attempt = 0; attempt < 5; attempt++)
      expect((await requestCode(`unknown-${attempt}@example.com`)).status).toBe(202)
    // Another process does not share the limit per minute; the limit tested here is in the database.
    const again = await visit(secondApp, 'gallonaire', { address: '2001:db8:25:1::9' }).change(
      'POST',
      '/api/Members/Recover',
      { userName: form.email },
    )
    expect([again.status, again.json().code]).toEqual([429, 'restFirst'])
    // Another person can still request a code.
    await codeFor(form.email, 3)
    expect(await listEmails(form.email, 'recovery.code')).toHaveLength(4)
  })

  test('the text of such an email is deleted when the code expires', async () => {
    const { redactExpiredSecrets: redactSecrets } = await import('../../src/identity/email/service.ts')
    const { form } = await newMember()
    await codeFor(form.email)
    const [email] = await asOwner(
      app,
      "select (secret_until - created_at)::text as length from emails where recipient = $1 and topic = 'recovery.code'",
      [form.email],
    )
    expect(email).toEqual({ length: '00:30:00' })
    await asOwner(
      app,
      "update emails set secret_until = now() - interval '1 second' where recipient = $1 and topic = 'recovery.code'",
      [form.email],
    )
    await redactSecrets(app.database.pools.forPartner('gallonaire'))
    const left = await asOwner(
      app,
      "select body_text, body_html, recipient from emails where topic = 'recovery.code' and body_text = ''",
    )
    expect(left).toContainEqual({ body_text: '', body_html: '', recipient: '' })
    expect(await listEmails(form.email, 'recovery.code')).toEqual([])
  })

  test('a member whom the partner enrolled gets instructions to open the account', async () => {
    const { form } = await newMember()
    await asOwner(app, 'delete from credentials where member_id = (select id from members where email = $1)', [
      form.email,
    ])
    await asOwner(app, "update members set tier_level = 'NonActivated' where email = $1", [form.email])
    await visit(app, 'gallonaire').change('POST', '/api/Members/Recover', { userName: form.email })
    await expect.poll(async () => (await listEmails(form.email, 'recovery.code')).length, { timeout: 20_000 }).toBe(1)
    const [message] = await listEmails(form.email, 'recovery.code')
    expect(message?.subject).toBe('Your account at Gallonaire Fuel Dining')
    expect(message?.body_text).toContain('/activate?publicId=')
    expect(message?.body_text).not.toContain('#code=')
  })
})

describe('credentials that must be changed', () => {
  test('RECV-006 ROUTE-022 a flagged member gets a message at sign-in and enters an own address', async () => {
    const { form } = await newMember()
    const { form: other } = await newMember()
    await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [form.email])
    const visitor = visit(app, 'gallonaire')
    const response = await visitor.change('POST', '/api/SignIn', { userName: form.email, password: form.password })
    expect(response.json().mustFixCredentials).toBe(true)
    expect((await visitor.get('/api/Member')).json().mustFixCredentials).toBe(true)
    const fix = async (email: string, emailConfirm = email) => {
      const fixed = await visitor.change('POST', '/api/Member/FixCredentials', { email, emailConfirm })
      return [fixed.status, fixed.json()]
    }
    const own = `own-${form.email}`
    expect(await fix(own, 'other@example.com')).toEqual([
      400,
      [{ field: 'emailConfirm', message: 'The email addresses do not match.' }],
    ])
    const problem = (message: string) => [400, [{ field: 'email', message }]]
    for (const taken of [other.email, other.email.toUpperCase()])
      expect(await fix(taken)).toEqual(
        problem('This email address belongs to another account. Please enter another one.'),
      )
    for (const same of [form.email, form.email.toUpperCase()])
      expect(await fix(same)).toEqual(problem('This is the address that doesn’t work. Please enter another one.'))
    expect((await fix('not an address'))[0]).toBe(400)
    expect(await fix(own, own.toUpperCase())).toEqual([200, { email: own }])
    expect((await fix(`again-${own}`))[0]).toBe(409)
    expect((await signIn(own, form.password)).json().mustFixCredentials).toBe(false)
    const emails = await listEmails(own, 'recovery.address')
    expect(emails).toHaveLength(1)
    expect(emails[0]?.body_text).toContain(`: ${own}\n`)
    // Each change is notified, also one back to an earlier address.
    const again = `again-${own}`
    for (const [from, to] of [
      [own, again],
      [again, own],
    ] as const) {
      await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [from])
      expect(await fix(to)).toEqual([200, { email: to }])
    }
    expect(await listEmails(own, 'recovery.address')).toHaveLength(2)
  })
})

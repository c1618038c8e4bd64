import { beforeAll, expect, test } from 'vitest'
import { purgeVerifications } from '../../src/identity/verification/service.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember, recoveryCodeOf, signIn, type Visitor } from '../support/members.ts'
import { addMember } from '../support/rewards-harness.ts'

const app = setUpTestApp()
beforeAll(() => withoutBotCheck('gallonaire', app))

const path = '/api/Member/EmailVerification'
const join = (over: Record<string, unknown> = {}) => newMember(app, 'gallonaire', over)
const stateOf = async (visitor: Visitor) => (await visitor.get(path)).json()

async function confirm(visitor: Visitor, code: string) {
  const response = await visitor.change('POST', `${path}/Confirm`, { code })
  return [response.status, response.status === 200 ? null : response.json().code]
}
async function resend(visitor: Visitor) {
  const response = await visitor.change('POST', path)
  return [response.status, response.status === 202 ? null : response.json().code]
}

const emailsTo = (recipient: string, topic = 'verification.code') =>
  asOwner<{ text: string; hours: number }>(
    app,
    `select body_text as text, round(extract(epoch from secret_until - created_at) / 3600)::int as hours
     from emails where recipient = $1 and topic = $2 order by id`,
    [recipient, topic],
  )
/** Returns the codes that were sent to an address, oldest first. */
const codesTo = async (recipient: string) =>
  (await emailsTo(recipient)).map(({ text }) => /\/account\/verify_email#code=([0-9A-Z-]+)/.exec(text)?.[1] ?? '')

const invalid = [410, 'verificationCodeInvalid']

test('RECV-010 joining sends a code, which verifies the address once, however it is typed, and nothing is closed until then', async () => {
  const { visitor, form } = await join()
  expect(await stateOf(visitor)).toEqual({ email: form.email, verifiedAt: null })
  const [email] = await emailsTo(form.email)
  const [code = ''] = await codesTo(form.email)
  expect(code).toMatch(/^[0-9A-Z]{5}-[0-9A-Z]{5}$/)
  expect([email?.hours, email?.text.includes(`Code: ${code}\n`)]).toEqual([24, true])
  expect((await visitor.get('/api/Member')).status).toBe(200)
  expect((await visitor.change('POST', '/api/Member/Cards/Intent', { attempt: 1 })).status).toBe(200)
  expect(await confirm(visitor, ` ${code.replace('-', ' ').toLowerCase()} `)).toEqual([200, null])
  const { verifiedAt } = await stateOf(visitor)
  expect(Date.parse(verifiedAt)).not.toBeNaN()
  // Again, it changes nothing.
  expect(await confirm(visitor, code)).toEqual([200, null])
  expect(await stateOf(visitor)).toEqual({ email: form.email, verifiedAt })
  expect(await resend(visitor)).toEqual([409, 'alreadyVerified'])
  const actions = await asOwner(
    app,
    "select 1 from audit_entries a join members m on m.id = a.member_id where m.email = $1 and action = 'member.email-verified'",
    [form.email],
  )
  expect(actions).toHaveLength(1)
})

test('RECV-010 Case 87 a code counts only in a session of its member, and only for the address that it was sent to', async () => {
  const [mine, other] = [await join(), await join()]
  const [code = ''] = await codesTo(mine.form.email)
  // Whoever reads the mailbox verifies no account that another person has opened with the address.
  expect((await visit(app, 'gallonaire').change('POST', `${path}/Confirm`, { code })).status).toBe(401)
  expect(await confirm(other.visitor, code)).toEqual(invalid)
  await asOwner(app, 'update members set email = $2 where email = $1', [mine.form.email, `other-${mine.form.email}`])
  expect(await confirm(mine.visitor, code)).toEqual(invalid)
  await asOwner(app, 'update members set email = $1 where email = $2', [mine.form.email, `other-${mine.form.email}`])
  expect(await confirm(mine.visitor, code)).toEqual([200, null])
  expect((await stateOf(other.visitor)).verifiedAt).toBeNull()
})

test('RECV-010 five codes are sent within an hour, each works for a day, and one that is used ends the others', async () => {
  const { visitor, form } = await join()
  const age = (interval: string) =>
    asOwner(
      app,
      `update email_verifications set created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
       where email = $1`,
      [form.email, interval],
    )
  for (let sent = 2; sent <= 5; sent++) expect([sent, await resend(visitor)]).toEqual([sent, [202, null]])
  expect(await resend(visitor)).toEqual([429, 'tooManyVerifications'])
  expect(await emailsTo(form.email)).toHaveLength(5)
  await age('1 hour')
  expect(await resend(visitor)).toEqual([202, null])
  const codes = await codesTo(form.email)
  expect(new Set(codes).size).toBe(6)
  // The first five expire a day after they were sent, the sixth an hour later.
  await age('23 hours')
  expect(await confirm(visitor, codes[0] ?? '')).toEqual(invalid)
  expect(await confirm(visitor, codes[5] ?? '')).toEqual([200, null])
  await asOwner(app, 'update members set email_verified_at = null where email = $1', [form.email])
  expect(await resend(visitor)).toEqual([202, null])
  const [, , , , , sixth = '', seventh = ''] = await codesTo(form.email)
  expect(await confirm(visitor, sixth)).toEqual(invalid)
  expect(await confirm(visitor, seventh)).toEqual([200, null])
})

test('RECV-010 Case 87 after ten wrong codes those sent before do not work, and a new one does', async () => {
  const { visitor, form } = await join()
  const wrong = async (count: number) => {
    for (let tried = 0; tried < count; tried++) expect(await confirm(visitor, 'AAAAA-AAAAA')).toEqual(invalid)
  }
  await asOwner(app, 'update email_verifications set tries = 8 where email = $1', [form.email])
  await wrong(1)
  const [code = ''] = await codesTo(form.email)
  expect(await confirm(visitor, code)).toEqual([200, null])
  await asOwner(app, 'update members set email_verified_at = null where email = $1', [form.email])
  await asOwner(app, 'update email_verifications set tries = 9, used_at = null where email = $1', [form.email])
  await asOwner(app, "update email_verifications set expires_at = now() + interval '1 hour' where email = $1", [
    form.email,
  ])
  await wrong(1)
  expect(await confirm(visitor, code)).toEqual(invalid)
  expect(await resend(visitor)).toEqual([202, null])
  expect(await confirm(visitor, (await codesTo(form.email))[1] ?? '')).toEqual([200, null])
})

test('RECV-010 an address that another account has verified is not verified again', async () => {
  const { visitor, form } = await join()
  const { form: other } = await join()
  await asOwner(app, 'update members set email = $2, email_identifies = false where email = $1', [
    form.email,
    other.email,
  ])
  await resend(visitor)
  const code = (await codesTo(other.email)).at(-1) ?? ''
  await asOwner(app, 'update members set email_verified_at = now() where email = $1 and email_identifies', [
    other.email,
  ])
  expect(await confirm(visitor, code)).toEqual([409, 'addressOfAnother'])
  expect((await stateOf(visitor)).verifiedAt).toBeNull()
  // One that is only used elsewhere goes to who proves it.
  await asOwner(app, 'update members set email_verified_at = null where email = $1', [other.email])
  expect(await confirm(visitor, code)).toEqual([200, null])
  expect(
    await asOwner(app, 'select email_identifies as it from members where email = $1 order by id', [other.email]),
  ).toEqual([{ it: true }, { it: false }])
})

test('RECV-010 the bank verifies the addresses of its customers, who get no code', async () => {
  const visitor = visit(app, 'beacon')
  await visitor.token()
  const memberId = await addMember(app.database.pools.forPartner('beacon'))
  await asOwner(app, 'update sessions set member_id = $1 where id_hash = $2', [
    memberId,
    tokenHash(visitor.cookies.get('sid') ?? ''),
  ])
  expect((await visitor.get(path)).status).toBe(200)
  expect(await resend(visitor)).toEqual([404, 'notOffered'])
  expect(await confirm(visitor, 'AAAAA-AAAAA')).toEqual([404, 'notOffered'])
})

test('codes are deleted a day after they expired, and with the account', async () => {
  const [kept, old, gone] = [await join(), await join(), await join()]
  await asOwner(app, "update email_verifications set expires_at = now() - interval '23 hours' where email = $1", [
    kept.form.email,
  ])
  await asOwner(app, "update email_verifications set expires_at = now() - interval '25 hours' where email = $1", [
    old.form.email,
  ])
  await purgeVerifications(app.database.pools.forPartner('gallonaire'))
  const rest = await asOwner(app, 'select email from email_verifications where email = any($1) order by id', [
    [kept, old, gone].map(({ form }) => form.email),
  ])
  expect(rest).toEqual([{ email: kept.form.email }, { email: gone.form.email }])
  expect((await gone.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  expect(await asOwner(app, 'select 1 from email_verifications where email = $1', [gone.form.email])).toEqual([])
})

test('RECV-010 RECV-011 recovering an account verifies its address', async () => {
  const { form } = await join()
  const browser = visit(app, 'gallonaire')
  await browser.change('POST', '/api/Members/Recover', { userName: form.email })
  const code = await recoveryCodeOf(app, form.email)
  const { resetToken } = (await browser.change('POST', '/api/Members/Recover/Confirm', { code })).json()
  const password = 'chanterelles 9 on toast'
  const update = { resetToken, password, passwordConfirm: password }
  expect((await browser.change('POST', '/api/Members/Recover/Update', update)).status).toBe(200)
  expect((await signIn(browser, form.email, { password })).status).toBe(200)
  expect((await stateOf(browser)).verifiedAt).not.toBeNull()
})

test('RECV-012 a changed address is to be verified again, both mailboxes get an email, and earlier codes end', async () => {
  const { visitor, form } = await join()
  const [first = ''] = await codesTo(form.email)
  expect(await confirm(visitor, first)).toEqual([200, null])
  const stranger = visit(app, 'gallonaire')
  await stranger.change('POST', '/api/Members/Recover', { userName: form.email })
  const recovery = await recoveryCodeOf(app, form.email)
  await asOwner(app, 'update members set must_fix_credentials = true where email = $1', [form.email])
  const email = `new-${form.email}`
  const fixed = await visitor.change('POST', '/api/Member/FixCredentials', { email, emailConfirm: email })
  expect(fixed.status).toBe(200)
  expect(await stateOf(visitor)).toEqual({ email, verifiedAt: null })
  // Whoever reads the former mailbox cannot recover the account any more.
  expect((await stranger.change('POST', '/api/Members/Recover/Confirm', { code: recovery })).status).toBe(410)
  expect(await emailsTo(email, 'recovery.address')).toHaveLength(1)
  const [notice] = await emailsTo(form.email, 'recovery.former-address')
  expect(notice?.text).toContain('was replaced by another one')
  expect(notice?.text).not.toContain(email)
  expect(await confirm(visitor, (await codesTo(email))[0] ?? '')).toEqual([200, null])
})

test('Case 87 the download of a member’s data has no code of an email, and every other text', async () => {
  const { visitor, form } = await join()
  await visit(app, 'gallonaire').change('POST', '/api/Members/Recover', { userName: form.email })
  const codes = [...(await codesTo(form.email)), await recoveryCodeOf(app, form.email)]
  expect(codes).toHaveLength(2)
  const { text, json } = await visitor.get('/api/Member/Export', { 'x-xsrf-token': await visitor.token() })
  for (const code of codes) expect(text).not.toContain(code)
  const emails: { topic: string; body_text?: string; body_html?: string }[] = json().data.emails
  const shown = emails.map(({ topic, body_text, body_html }) => [topic, !!body_text, !!body_html])
  expect(shown.toSorted()).toEqual([
    ['offers.welcome', true, true],
    ['recovery.code', false, false],
    ['verification.code', false, false],
  ])
})

import { beforeAll, expect, test } from 'vitest'
import { maxAddressFailures, maxLoginFailures } from '../../src/identity/session/rules.ts'
import { checkCredentials } from '../../src/identity/session/service.ts'
import { attemptKey, countAttempt, isLocked, purgeAttempts } from '../../src/platform/database/attempts.ts'
import { DAY } from '../../src/platform/time.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember as join, memberPassword, signIn, type Visitor } from '../support/members.ts'

const app = setUpTestApp()
beforeAll(async () => {
  for (const partner of ['gallonaire', 'skyharbor']) await withoutBotCheck(partner, app)
})

const newMember = () => join(app, 'gallonaire')
const newBrowser = () => visit(app, 'gallonaire')
const guess = (userName: string) => signIn(newBrowser(), userName, { password: 'not this one' })
const prove = (visitor: Visitor, password: string) => visitor.change('POST', '/api/Member/Prove', { password })
/** Ages all counters and locks. */
const age = (interval: string) =>
  asOwner(
    app,
    `update attempts set started_at = started_at - interval '${interval}', locked_until = locked_until - interval '${interval}'`,
  )

type Reply = Awaited<ReturnType<typeof guess>>

async function repeat(times: number, work: () => Promise<Reply>): Promise<Reply[]> {
  const results: Reply[] = []
  for (let index = 0; index < times; index++) results.push(await work())
  return results
}

test('Case 31 when a lock has ended, five further failures lock the name again, as long as the first time', async () => {
  const { form } = await newMember()
  for (const period of ['first', 'second', 'third']) {
    const statuses = (await repeat(maxLoginFailures, () => guess(form.email))).map(({ status }) => status)
    expect([period, statuses]).toEqual([period, [401, 401, 401, 401, 403]])
    await age('29 minutes 50 seconds')
    expect([period, (await signIn(newBrowser(), form.email)).status]).toEqual([period, 403])
    await age('11 seconds')
  }
  expect((await signIn(newBrowser(), form.email)).status).toBe(200)
})

test('Case 31 a lock lasts from the last failure, and failures of more than half an hour ago do not count', async () => {
  const { form } = await newMember()
  await repeat(maxLoginFailures - 1, () => guess(form.email))
  await age('29 minutes')
  expect((await guess(form.email)).status).toBe(403)
  await age('29 minutes 50 seconds')
  expect((await signIn(newBrowser(), form.email)).status).toBe(403)
  await age('11 seconds')
  await repeat(maxLoginFailures - 1, () => guess(form.email))
  await age('30 minutes 1 second')
  expect((await guess(form.email)).status).toBe(401)
})

test('Case 30 another spelling of a name has no attempts of its own', async () => {
  const [{ form }, { form: other }] = [await join(app, 'skyharbor'), await join(app, 'skyharbor')]
  const { email } = form
  const number = String(other.partnerNumber)
  const spaced = `${number.slice(0, 3)} ${number.slice(3, 7)}-${number.slice(7)}`
  for (const names of [
    [email, email.toUpperCase(), ` ${email}`, email.replace(/^./, (first) => first.toUpperCase())],
    [number, number.toLowerCase(), ` ${number}`, spaced],
  ]) {
    const statuses: number[] = []
    for (const name of [...names, ...names])
      statuses.push((await signIn(visit(app, 'skyharbor'), name, { password: 'not this one' })).status)
    expect([names, statuses]).toEqual([names, [401, 401, 401, 401, 403, 403, 403, 403]])
  }
})

test('Case 98 the email address and the member number of an account have five attempts together', async () => {
  const { form } = await join(app, 'skyharbor')
  const names = [form.email, String(form.partnerNumber)]
  const guessAt = (userName: string | undefined) =>
    signIn(visit(app, 'skyharbor'), String(userName), { password: 'not this one' })
  const replies: Reply[] = []
  for (let index = 0; index <= maxLoginFailures; index++) replies.push(await guessAt(names[index % 2]))
  expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401, 403, 403])
  for (const name of names) expect([name, (await signIn(visit(app, 'skyharbor'), name)).status]).toEqual([name, 403])
  // A name that no account has looks the same.
  const unknown = await repeat(maxLoginFailures + 1, () => guessAt('nobody-98@example.com'))
  expect(unknown.map(({ status }) => status)).toEqual(replies.map(({ status }) => status))
  const bodyOf = (reply: Reply | undefined) => ({ ...reply?.json(), reference: '' })
  expect(unknown.map(bodyOf)).toEqual(replies.map(bodyOf))
})

test('Case 98 of twenty concurrent guesses at both names five are checked', async () => {
  const { form } = await join(app, 'skyharbor')
  const names = [form.email, String(form.partnerNumber)]
  const guessers = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const visitor = visit(app, 'skyharbor')
      return { visitor, token: await visitor.token() }
    }),
  )
  const replies = await Promise.all(
    guessers.map(({ visitor, token }, index) => {
      const body = { userName: names[index % 2], password: 'not this one' }
      return visitor.send('POST', '/api/SignIn', body, { 'x-xsrf-token': token })
    }),
  )
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(maxLoginFailures - 1)
  expect(replies.filter(({ status }) => status === 403)).toHaveLength(20 - maxLoginFailures + 1)
})

test('signing in clears the failures of the name, and proving the password those of the proof', async () => {
  const { form, visitor } = await newMember()
  for (let round = 0; round < 2; round++) {
    await repeat(maxLoginFailures - 1, () => guess(form.email))
    expect([round, (await signIn(newBrowser(), form.email)).status]).toEqual([round, 200])
    await repeat(maxLoginFailures - 1, () => prove(visitor, 'not this one'))
    expect([round, (await prove(visitor, memberPassword)).status]).toEqual([round, 200])
  }
})

test('wrong proofs of one member lock no other member, and the lock ends after half an hour', async () => {
  const [{ visitor }, { visitor: other }] = [await newMember(), await newMember()]
  await repeat(maxLoginFailures, () => prove(visitor, 'not this one'))
  expect((await prove(visitor, memberPassword)).status).toBe(403)
  expect((await prove(other, memberPassword)).status).toBe(200)
  await age('30 minutes 1 second')
  expect((await prove(visitor, memberPassword)).status).toBe(200)
})

test('Case 30 an address is locked after fifty failures for any names, until half an hour has passed; successes do not count', async () => {
  const { form } = await newMember()
  const db = app.database.pools.forPartner('gallonaire')
  const lockKey = Buffer.alloc(32, 7)
  const check = (address: string, userName: string, password: string) => {
    const ctx = { partnerId: 'gallonaire', db, address, program: app.programs.get('gallonaire') }
    return checkCredentials(ctx as unknown as Parameters<typeof checkCredentials>[0], { userName, password, lockKey })
  }
  const address = '127.97.0.1'
  for (let index = 0; index < maxAddressFailures; index++) {
    // Between the failures the member signs in from the same address.
    if (index % 10 === 0) await check(address, form.email, memberPassword)
    const failure = check(address, `nobody-${index}@example.com`, 'a guess')
    await expect(failure).rejects.toMatchObject({ code: 'invalidLogin' })
  }
  await expect(check(address, form.email, memberPassword)).rejects.toMatchObject({ code: 'restFirst' })
  expect((await check('127.97.1.1', form.email, memberPassword)).memberId).toBeGreaterThan(0)
  await age('29 minutes 50 seconds')
  await expect(check(address, form.email, memberPassword)).rejects.toMatchObject({ code: 'restFirst' })
  await age('11 seconds')
  expect((await check(address, form.email, memberPassword)).memberId).toBeGreaterThan(0)
})

test('Case 97 of seventy concurrent guesses from one address fifty are checked, and as many right passwords as there are', async () => {
  const db = app.database.pools.forPartner('gallonaire')
  const lockKey = Buffer.alloc(32, 9)
  const { form } = await newMember()
  const check = (address: string, userName: string, password: string) => {
    const ctx = { partnerId: 'gallonaire', db, address, program: app.programs.get('gallonaire') }
    return checkCredentials(ctx as unknown as Parameters<typeof checkCredentials>[0], { userName, password, lockKey })
  }
  const results = await Promise.allSettled(
    Array.from({ length: 70 }, (_, index) => check('127.95.0.1', `nobody-${index}@example.org`, 'a guess')),
  )
  const codes = results.map((each) => (each.status === 'rejected' ? each.reason.code : 'signed in'))
  expect(codes.filter((code) => code === 'invalidLogin')).toHaveLength(maxAddressFailures)
  expect(codes.filter((code) => code === 'restFirst')).toHaveLength(70 - maxAddressFailures)
  // Most of an office signs in at the same time.
  const office = Array.from({ length: maxAddressFailures + 10 }, () => check('127.95.0.2', form.email, memberPassword))
  expect(new Set((await Promise.all(office)).map(({ memberId }) => memberId)).size).toBe(1)
  expect((await check('127.95.0.2', form.email, memberPassword)).memberId).toBeGreaterThan(0)
})

test('Case 32 a right password of another member in the same browser does not end the count of failures', async () => {
  const { form } = await newMember()
  const { form: other } = await newMember()
  const shared = newBrowser()
  for (const { email } of [form, other]) expect((await signIn(shared, email)).status).toBe(200)
  const statuses: number[] = []
  for (let index = 0; index < maxLoginFailures; index++) {
    statuses.push((await signIn(shared, form.email, { password: 'not this one' })).status)
    if (index === maxLoginFailures - 2) expect((await signIn(shared, other.email)).status).toBe(200)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 403])
})

test('Case 32 a member who ends all other sessions takes the privilege of known browsers from them', async () => {
  const { form, visitor } = await newMember()
  const phone = newBrowser()
  await signIn(phone, form.email)
  const lockName = () => repeat(maxLoginFailures, () => guess(form.email))
  await lockName()
  expect((await signIn(phone, form.email)).status).toBe(200)
  await visitor.change('DELETE', '/api/Member/Sessions')
  expect((await signIn(phone, form.email)).status).toBe(403)
})

test('the cleanup deletes counters after a day, but none that is still locked', async () => {
  const db = app.database.pools.forPartner('gallonaire')
  const [locked, ended] = ['locked', 'ended'].map((name) => attemptKey(Buffer.alloc(32, 7), name)) as [Buffer, Buffer]
  for (const key of [locked, ended]) await countAttempt(db, { key, maxAttempts: 2, windowMs: DAY })
  // The second attempt comes at the end of the day and locks until the end of the next one.
  await age('23 hours 59 minutes')
  await countAttempt(db, { key: locked, maxAttempts: 2, windowMs: DAY })
  await age('2 minutes')
  const recent = attemptKey(Buffer.alloc(32, 7), 'recent')
  await countAttempt(db, { key: recent, maxAttempts: 2, windowMs: DAY })
  await purgeAttempts(db)
  expect(await isLocked(db, locked)).toBe(true)
  const left = async (key: Buffer) => (await asOwner(app, 'select 1 from attempts where key_hash = $1', [key])).length
  expect([await left(locked), await left(ended), await left(recent)]).toEqual([1, 0, 1])
  await age('1 day')
  await purgeAttempts(db)
  expect(await left(locked)).toBe(0)
})

import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { findMemberRow, lockMember, setCredentials } from '../../src/identity/members/service.ts'
import { processRequestById } from '../../src/identity/recovery/service.ts'
import { deleteSessionsOf } from '../../src/identity/session/store.ts'
import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { cardMovesOf } from '../support/card-moves.ts'
import { openConsole, viewAsMember } from '../support/console.ts'
import { createFakeAuthenticator } from '../support/fake-passkey.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, newMember, signIn, type TestMember, type Visitor } from '../support/members.ts'
import { createTestContext } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const app = setUpTestApp()
const support = { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: null } as const
const supportPassword = 'sourdough 4 breakfast'
const newPassword = 'chanterelles 9 on toast'

beforeAll(async () => {
  await withoutBotCheck('gallonaire', app)
  await addOperator(app.database.consolePools.shared, { ...support, password: supportPassword })
})

type Member = Awaited<ReturnType<typeof newMember>>
type Device = ReturnType<typeof createFakeAuthenticator>
const origin = () => app.origin('gallonaire')

async function addPasskeyTo(visitor: Visitor, name: string): Promise<Device> {
  const device = createFakeAuthenticator(origin())
  const { challenge } = (await visitor.change('POST', '/api/Member/Passkeys/Options', {})).json()
  const credential = JSON.parse(device.create(challenge))
  expect((await visitor.change('POST', '/api/Member/Passkeys', { name, credential })).status).toBe(200)
  return device
}

async function signInByPasskey(visitor: Visitor, device: Device, uses = 1): Promise<number> {
  const { challenge } = (await visitor.change('POST', '/api/SignIn/Passkey/Options', {})).json()
  const credential = JSON.parse(device.get(challenge, uses))
  return (await visitor.change('POST', '/api/SignIn/Passkey', { credential, rememberMe: true })).status
}

const emailsTo = (recipient: string, topic: string) =>
  asOwner<{ text: string; subject: string }>(
    app,
    'select body_text as text, subject from emails where recipient = $1 and topic = $2 order by id',
    [recipient, topic],
  )

/** Requests a recovery code and reads it in the mailbox. */
async function recoveryCode(email: string): Promise<string> {
  const before = (await emailsTo(email, 'recovery.code')).length
  await visit(app, 'gallonaire').change('POST', '/api/Members/Recover', { userName: email })
  await vi.waitFor(async () => expect(await emailsTo(email, 'recovery.code')).toHaveLength(before + 1), 20_000)
  return /#code=([0-9A-Z-]+)/.exec((await emailsTo(email, 'recovery.code')).at(-1)?.text ?? '')?.[1] ?? ''
}
const confirmCode = (code: string) => visit(app, 'gallonaire').change('POST', '/api/Members/Recover/Confirm', { code })
const resetPassword = (resetToken: string) =>
  visit(app, 'gallonaire').change('POST', '/api/Members/Recover/Update', {
    resetToken,
    password: newPassword,
    passwordConfirm: newPassword,
  })

/** Support opens the app as a member. */
async function impersonate({ publicId }: TestMember): Promise<Visitor> {
  const console = await openConsole(app, support.email, supportPassword)
  const reason = 'Question about a transaction'
  const { frame: path } = await viewAsMember(console, `/gallonaire/members/${publicId}`, { reason })
  const frame = visit(app, 'gallonaire')
  await frame.get(path)
  return frame
}
const canRead = async (visitor: Visitor) => (await visitor.get('/api/Member')).status === 200

/** A member with every way into the account: those that `ended` has are the ones that end. */
async function memberWithEverything() {
  const member = await newMember(app, 'gallonaire')
  const { visitor, form } = member
  const device = await addPasskeyTo(visitor, 'Red phone')
  const elsewhere = visit(app, 'gallonaire')
  expect((await signIn(elsewhere, form.email, { rememberMe: true })).status).toBe(200)
  const frame = await impersonate(member)
  expect(await canRead(frame)).toBe(true)
  await asOwner(
    app,
    `insert into push_subscriptions (partner_id, member_id, endpoint, p256dh, auth, time_zone)
     select partner_id, id, 'https://push.example/' || id, 'x', 'x', 'UTC' from members where email = $1`,
    [form.email],
  )
  const { requestMove, getMoveCodes, codeOf, decide, getCards } = cardMovesOf(app)
  const owner = await newMember(app, 'skyharbor')
  const { number } = await linkCard(app, owner)
  expect(codeOf(await requestMove(member, number))).toBe('MOVE_REQUESTED')
  const [moveCode = ''] = await getMoveCodes(owner)
  return {
    ...member,
    device,
    elsewhere,
    frame,
    /** The owner of a card in another program agrees to the request of this member. */
    async isCardMoved(): Promise<boolean> {
      const decided = await decide(moveCode, true)
      if (decided.status !== 200) return false
      await vi.waitFor(async () => expect(await getCards(member)).toHaveLength(1), 20_000)
      return true
    },
  }
}

const rowsOf = (table: string, { form }: Pick<Member, 'form'>) =>
  asOwner(app, `select 1 from ${table} where member_id = (select id from members where email = $1)`, [form.email])

describe('recovering an account', () => {
  test('RECV-011 Case 88 every way in that was there before ends, and the screen and the email say what was removed and what stays', async () => {
    const member = await memberWithEverything()
    const { form, visitor, device, elsewhere, frame } = member
    await linkCard(app, member)
    const rival = await recoveryCode(form.email)
    await asOwner(
      app,
      `insert into identities (partner_id, issuer, subject, member_id)
       select partner_id, 'https://bank.example', email, id from members where email = $1`,
      [form.email],
    )
    const { resetToken } = (await confirmCode(await recoveryCode(form.email))).json()
    const later = await recoveryCode(form.email)
    const reset = await resetPassword(resetToken)
    expect([reset.status, reset.json()]).toEqual([
      200,
      { updated: true, removedPasskeys: 1, linkedCards: 1, returnTo: '' },
    ])
    expect([await canRead(visitor), await canRead(elsewhere), await canRead(frame)]).toEqual([false, false, false])
    expect(await signInByPasskey(visit(app, 'gallonaire'), device)).toBe(401)
    for (const code of [rival, later]) expect((await confirmCode(code)).status).toBe(410)
    const [verification] = await emailsTo(form.email, 'verification.code')
    expect(verification?.text).toContain('#code=')
    expect(
      await asOwner(app, 'select 1 from email_verifications where email = $1 and expires_at > now()', [form.email]),
    ).toEqual([])
    expect(await member.isCardMoved()).toBe(false)
    for (const table of ['identities', 'push_subscriptions', 'known_devices', 'sessions'])
      expect([table, await rowsOf(table, member)]).toEqual([table, []])
    const [email] = await emailsTo(form.email, 'recovery.changed')
    expect(email?.text).toContain('Removed passkey: Red phone\n')
    expect(email?.text).toContain('Linked cards: 1\n')
    // The owner gets in, and no one else.
    const browser = visit(app, 'gallonaire')
    expect((await signIn(browser, form.email, { password: newPassword })).status).toBe(200)
    expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(401)
  })

  test('RECV-011 the email of an account without passkeys and cards names none', async () => {
    const { form } = await newMember(app, 'gallonaire')
    const { resetToken } = (await confirmCode(await recoveryCode(form.email))).json()
    expect((await resetPassword(resetToken)).json()).toEqual({
      updated: true,
      removedPasskeys: 0,
      linkedCards: 0,
      returnTo: '',
    })
    const [email] = await emailsTo(form.email, 'recovery.changed')
    expect(email?.text).not.toMatch(/passkey|Linked cards/i)
  })
})

describe('signing out everywhere else', () => {
  test('SESS-022 Case 88 pending codes, requests and impersonations end, and the passkeys that stay are named', async () => {
    const member = await memberWithEverything()
    const { form, visitor, device, elsewhere, frame } = member
    const code = await recoveryCode(form.email)
    const { resetToken } = (await confirmCode(await recoveryCode(form.email))).json()
    expect((await visitor.change('DELETE', '/api/Member/Sessions')).status).toBe(200)
    expect([await canRead(visitor), await canRead(elsewhere), await canRead(frame)]).toEqual([true, false, false])
    expect((await confirmCode(code)).status).toBe(410)
    expect((await resetPassword(resetToken)).status).toBe(410)
    expect(await member.isCardMoved()).toBe(false)
    const [email] = await emailsTo(form.email, 'session.others-ended')
    expect(email?.text).toContain('Passkey: Red phone\n')
    // It stays until the member removes it.
    expect(await signInByPasskey(visit(app, 'gallonaire'), device)).toBe(200)
    const [own] = (await visitor.get('/api/Member/Passkeys')).json<{ id: string }[]>()
    expect((await visitor.change('DELETE', `/api/Member/Passkeys?id=${own?.id}`)).status).toBe(200)
    expect(await signInByPasskey(visit(app, 'gallonaire'), device, 2)).toBe(401)
  })

  test('SESS-022 ending one session ends nothing else', async () => {
    const member = await memberWithEverything()
    const { visitor, elsewhere, frame } = member
    const sessions = (await visitor.get('/api/Member/Sessions')).json<{ id: string; current: boolean }[]>()
    const other = sessions.find(({ current }) => !current)
    expect((await visitor.change('DELETE', `/api/Member/Sessions?id=${other?.id}`)).status).toBe(200)
    expect([await canRead(elsewhere), await canRead(frame)]).toEqual([false, true])
    expect(await emailsTo(member.form.email, 'session.others-ended')).toEqual([])
    expect(await member.isCardMoved()).toBe(true)
  })
})

describe('a changed password', () => {
  test('SESS-021 pending codes end, and the email names the passkeys that stay', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    await addPasskeyTo(visitor, 'Blue laptop')
    const code = await recoveryCode(form.email)
    const { firstName, lastName, zipCode } = form
    const profile = { firstName, lastName, zipCode, address1: '1 Main Street', city: 'New York', state: 'NY' }
    expect((await visitor.change('PUT', '/api/Member', { ...profile, password: newPassword })).status).toBe(200)
    expect((await confirmCode(code)).status).toBe(410)
    const [email] = await emailsTo(form.email, 'recovery.changed')
    expect(email?.text).toContain('Passkey: Blue laptop\n')
  })
})

describe('emails about passkeys', () => {
  test('SESS-021 adding one, using one in a new browser and removing one send an email each', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    const device = await addPasskeyTo(visitor, 'Red phone')
    const [added] = await emailsTo(form.email, 'session.passkey-added')
    expect([added?.subject, added?.text.includes('Passkey: Red phone\n')]).toEqual([
      'New passkey for Gallonaire Fuel Dining',
      true,
    ])
    const browser = visit(app, 'gallonaire')
    expect(await signInByPasskey(browser, device, 1)).toBe(200)
    expect(await emailsTo(form.email, 'session.new-device')).toHaveLength(1)
    // Where the member has signed in before, and as a re-authentication, it sends none.
    await browser.get('/SignOut')
    expect(await signInByPasskey(browser, device, 2)).toBe(200)
    expect(await signInByPasskey(browser, device, 3)).toBe(200)
    expect(await emailsTo(form.email, 'session.new-device')).toHaveLength(1)
    const [own] = (await visitor.get('/api/Member/Passkeys')).json<{ id: string }[]>()
    const remove = () => visitor.change('DELETE', `/api/Member/Passkeys?id=${own?.id}`)
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404])
    const removed = await emailsTo(form.email, 'session.passkey-removed')
    expect(removed).toHaveLength(1)
    expect(removed[0]?.text).toContain('Passkey: Red phone\n')
  })
})

describe('acts that wait for the end of a session', () => {
  const idOf = async (email: string) => {
    const [row] = await asOwner<{ id: string }>(app, 'select id from members where email = $1', [email])
    return Number(row?.id)
  }
  const db = () => app.database.pools.forPartner('gallonaire')

  test('Case 89 a sign-in with a password that is replaced meanwhile opens no session', async () => {
    const { form } = await newMember(app, 'gallonaire')
    const memberId = await idOf(form.email)
    const browser = visit(app, 'gallonaire')
    await browser.token()
    const [status] = await whileLocked(db(), {
      hold: (tx) => lockMember(tx, memberId),
      acts: [async () => (await signIn(browser, form.email)).status],
      meanwhile: (tx) => setCredentials(tx, memberId, 'replaced'),
    })
    expect([status, await canRead(browser)]).toEqual([401, false])
  })

  test('Case 89 a code that is requested while the address changes does not go to the former mailbox', async () => {
    const { form } = await newMember(app, 'gallonaire')
    const memberId = await idOf(form.email)
    const ctx = { ...createTestContext(app.database, 'gallonaire'), program: app.programs.get('gallonaire') } as never
    const deps = { origin: app.origin, lockKey: Buffer.alloc(32) }
    let requestId = 0
    await whileLocked(db(), {
      // The app's own job finds the request, too: not before the member is locked.
      hold: async (tx) => {
        await lockMember(tx, memberId)
        const [row] = await asOwner<{ id: string }>(
          app,
          `insert into recovery_requests (partner_id, user_name) values ('gallonaire', $1) returning id`,
          [form.email],
        )
        requestId = Number(row?.id)
      },
      acts: [() => processRequestById(ctx, deps, requestId)],
      meanwhile: (tx) =>
        tx
          .updateTable('members')
          .set({ email: `new-${form.email}` })
          .where('id', '=', memberId)
          .execute(),
    })
    expect(
      await asOwner(app, `select 1 from emails where topic = 'recovery.code' and member_id = $1`, [memberId]),
    ).toEqual([])
  })

  test('Case 89 a passkey that is added while the session ends is not stored', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    const memberId = await idOf(form.email)
    const { challenge } = (await visitor.change('POST', '/api/Member/Passkeys/Options', {})).json()
    const credential = JSON.parse(createFakeAuthenticator(origin()).create(challenge))
    const [status] = await whileLocked(db(), {
      hold: (tx) => lockMember(tx, memberId),
      acts: [async () => (await visitor.change('POST', '/api/Member/Passkeys', { name: 'Late', credential })).status],
      meanwhile: (tx) => deleteSessionsOf(tx, memberId),
    })
    expect(status).toBe(401)
    expect(await rowsOf('passkeys', { form })).toEqual([])
  })

  test('Case 89 a passkey that is removed while it signs in opens no session', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    const device = await addPasskeyTo(visitor, 'Red phone')
    const memberId = await idOf(form.email)
    const browser = visit(app, 'gallonaire')
    const [status] = await whileLocked(db(), {
      hold: (tx) => lockMember(tx, memberId),
      acts: [() => signInByPasskey(browser, device)],
      meanwhile: (tx) => tx.deleteFrom('passkeys').where('member_id', '=', memberId).execute(),
    })
    expect([status, await canRead(browser)]).toEqual([401, false])
  })

  test('Case 89 a password, an address and a code that are entered while the session ends change nothing', async () => {
    const { visitor, form } = await newMember(app, 'gallonaire')
    const memberId = await idOf(form.email)
    await asOwner(app, 'update members set must_fix_credentials = true where id = $1', [memberId])
    const code = /#code=([0-9A-Z-]+)/.exec((await emailsTo(form.email, 'verification.code'))[0]?.text ?? '')?.[1]
    const { firstName, lastName, zipCode } = form
    const profile = { firstName, lastName, zipCode, address1: '1 Main Street', city: 'New York', state: 'NY' }
    const email = `late-${form.email}`
    const send = (method: string, path: string, body: unknown) => async () =>
      (await visitor.change(method, path, body)).status
    const statuses = await whileLocked(db(), {
      hold: (tx) => lockMember(tx, memberId),
      acts: [
        send('PUT', '/api/Member', { ...profile, password: newPassword }),
        send('POST', '/api/Member/FixCredentials', { email, emailConfirm: email }),
        send('POST', '/api/Member/EmailVerification/Confirm', { code }),
      ],
      meanwhile: (tx) => deleteSessionsOf(tx, memberId),
    })
    expect(statuses).toEqual([401, 401, 401])
    expect(await findMemberRow(db(), memberId)).toMatchObject({ email: form.email, email_verified_at: null })
    expect((await signIn(visit(app, 'gallonaire'), form.email)).status).toBe(200)
  })
})

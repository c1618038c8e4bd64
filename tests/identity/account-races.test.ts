import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { accessEnds } from '../../src/app/server/end-access.ts'
import { activateMember, loadEnrolledMember } from '../../src/identity/activation/service.ts'
import { joinProgram } from '../../src/identity/enrollment/service.ts'
import { changeMember, eraseMember, findMemberRow, lockMember } from '../../src/identity/members/service.ts'
import { confirmRecovery, fixCredentials, updateRecovery } from '../../src/identity/recovery/service.ts'
import { exchangeCode, insertRecovery } from '../../src/identity/recovery/store.ts'
import { insertSession } from '../../src/identity/session/store.ts'
import { inTransaction, type Tx } from '../../src/platform/database/db.ts'
import type { Ctx, MemberCtx } from '../../src/platform/http/context.ts'
import { tokenHash } from '../../src/platform/security/ids.ts'
import { plainCode } from '../../src/platform/typed-code.ts'
import type { ProgramConfig } from '../../src/programs/partners/schemas.ts'
import { joinForm } from '../support/app.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { plainTheme, resultCode } from '../support/reservation-harness.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'
import { whileLocked } from '../support/while-locked.ts'

const harness = setUpTestHarness()

test('RECV-001 a code that waits while another one of the member is exchanged is over', async () => {
  const ctx = createTestContext(harness, 'gallonaire')
  const { db } = ctx
  const memberId = await addMember(db)
  const [code, other] = ['ABCDE-FGHJK', 'LMNPQ-RSTUV'] as const
  await inTransaction(db, async (tx) => {
    for (const each of [code, other])
      await insertRecovery(tx, {
        memberId,
        email: 'ada@example.com',
        codeHash: tokenHash(plainCode(each)),
        digits: null,
        lengthMs: 60_000,
      })
  })
  const [result] = await whileLocked(db, {
    hold: (tx) => lockMember(tx, memberId),
    acts: [
      () =>
        confirmRecovery(ctx, { lockKey: randomBytes(32) }, { code, browser: undefined }).then(
          () => 'exchanged',
          ({ code }) => code,
        ),
    ],
    meanwhile: (tx) =>
      exchangeCode(tx, { memberId, codeHash: tokenHash(plainCode(other)), resetHash: randomBytes(32) }),
  })
  expect(result).toBe('codeInvalid')
})

/** Exchanges a code of a member. Returns what sets the new password with it. */
async function openReset({ ctx, memberId, getRow }: Awaited<ReturnType<typeof memberOf>>) {
  const [codeHash, resetToken, password] = [randomBytes(32), `reset ${memberId}`, 'chanterelles 9 on toast']
  const { email } = await getRow()
  await inTransaction(ctx.db, async (tx) => {
    await insertRecovery(tx, { memberId, email, codeHash, digits: null, lengthMs: 60_000 })
    await exchangeCode(tx, { memberId, codeHash, resetHash: tokenHash(resetToken) })
  })
  const deps = { origin: () => 'http://localhost', lockKey: randomBytes(32), ...accessEnds }
  return () => updateRecovery(ctx, deps, { resetToken, password, passwordConfirm: password })
}

/** Returns a member and the context of a program; `config` overrides its configuration. */
async function memberOf(config: Partial<ProgramConfig> = {}, tier = 'OptedIn') {
  const base = createTestContext(harness, 'gallonaire')
  const memberId = await addMember(base.db, { tier })
  const program = { ...base.program, config: { ...base.program.config, ...config }, theme: plainTheme }
  const ctx: Ctx = { ...base, program }
  const getRow = async () => {
    const row = await findMemberRow(ctx.db, memberId)
    if (!row) throw new Error('no such member')
    return row
  }
  /** Starts operations behind a transaction that holds the member's lock; returns `done` or their error codes. */
  const behind = (acts: (() => Promise<unknown>)[], meanwhile?: (tx: Tx) => Promise<unknown>) =>
    whileLocked(ctx.db, {
      hold: (tx) => lockMember(tx, memberId),
      acts: acts.map((act) => () => resultCode(act())),
      ...(meanwhile && { meanwhile }),
    })
  return { ctx, memberId, getRow, behind, own: { ...ctx, actor: { ...ctx.actor, memberId } } as MemberCtx }
}

test('of two activations of an account at the same time one succeeds', async () => {
  const { ctx, getRow, behind } = await memberOf({}, 'NonActivated')
  const { public_id: id } = await getRow()
  expect(await behind([() => activateMember(ctx, id), () => activateMember(ctx, id)])).toEqual([
    'done',
    'notToActivate',
  ])
})

test('an account that is activated while its line is loaded again stays as it is', async () => {
  const { ctx, memberId, getRow, behind } = await memberOf({ hasAutoEnroll: true }, 'NonActivated')
  const { email } = await getRow()
  const line = { email, firstName: 'Grace', lastName: 'Hopper', zipCode: '10002', emailOptIn: true }
  await behind([() => loadEnrolledMember(ctx, line)], (tx) => changeMember(tx, memberId, { tier_level: 'OptedIn' }))
  expect(await getRow()).toMatchObject({ first_name: 'Ada', tier_level: 'OptedIn' })
})

test('a member who gets a card while the join form is sent again has joined already', async () => {
  const { own, memberId, behind } = await memberOf({ enrollmentType: 'sso' })
  await inTransaction(own.db, (tx) => changeMember(tx, memberId, { member_type: 'NonCardMember' }))
  const joining = {
    zipIsKnown: () => true,
    device: '',
    origin: 'http://localhost',
    lockKey: randomBytes(32),
    onJoined: async () => {},
  }
  const form = {
    ...joinForm({ partnerNumber: 'GAL12345678' }),
    address1: '1 Main Street',
    city: 'New York',
    state: 'NY',
  } as never
  const [result] = await behind([() => joinProgram(own, form, joining)], (tx) =>
    changeMember(tx, memberId, { member_type: 'EnrolledCardMember' }),
  )
  expect(result).toBe('alreadyJoined')
})

test('a new password that waits for the deletion of the account is not stored', async () => {
  const member = await memberOf()
  const [result] = await member.behind([await openReset(member)], (tx) => eraseMember(tx, member.memberId))
  expect(result).toBe('recoveryOver')
})

test('RECV-013 Case 125 a code that went to another mailbox than the member’s present address sets no password and verifies nothing', async () => {
  const member = await memberOf()
  // Whatever changes the address, with or without ending the codes.
  const [result] = await member.behind([await openReset(member)], (tx) =>
    changeMember(tx, member.memberId, { email: `new-${member.memberId}@example.com`, email_verified_at: null }),
  )
  expect(result).toBe('recoveryOver')
  expect(await member.getRow()).toMatchObject({ email_verified_at: null })
  // Counterpart: the same address in other letters.
  const same = await memberOf()
  const { email } = await same.getRow()
  const [done] = await same.behind([await openReset(same)], (tx) =>
    changeMember(tx, same.memberId, { email: email.toUpperCase() }),
  )
  expect(done).toBe('done')
})

test('of two corrections of an email address at the same time one succeeds', async () => {
  const { own, memberId, behind } = await memberOf()
  await inTransaction(own.db, (tx) => changeMember(tx, memberId, { must_fix_credentials: true }))
  const deps = { origin: () => 'http://localhost', lockKey: randomBytes(32), ...accessEnds }
  const idHash = randomBytes(32)
  const session = { csrfToken: '', remembered: false, beganWith: 'password', device: '' } as const
  await insertSession(own.db, { ...session, idHash, memberId, lengthMs: 60_000 })
  const signedIn = { ...own, actor: { ...own.actor, sessionId: idHash } }
  const results = await behind(
    ['first', 'second'].map((name) => () => {
      const email = `${name}-${memberId}@example.com`
      return fixCredentials(signedIn, deps, { email, emailConfirm: email })
    }),
  )
  expect(results).toEqual(['done', 'nothingToFix'])
})

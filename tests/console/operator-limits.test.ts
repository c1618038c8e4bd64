import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { OperatorCtx } from '../../src/platform/http/operator.ts'
import { publicId } from '../../src/platform/security/ids.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { needsSecondOperator } from '../../src/rewards/awards/operator-limits.ts'
import { storeDecision } from '../../src/rewards/claims/console/store.ts'
import { insertClaim } from '../../src/rewards/claims/store.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim } from '../support/claims.ts'
import { type ConsoleSession, decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'

beforeAll(() => withoutBotCheck('skyharbor', app))

async function newOperator() {
  const [name, email] = [`Ada ${randomUUID()}`, `${randomUUID()}@dineback.example`]
  await addOperator(app.database.consolePools.shared, { email, name, role: 'admin', partners: null, password })
  return { name, email, session: await openConsole(app, email, password) }
}

/** Two operators of one program, and what was done alone there. */
function createWorld() {
  const base = createTestContext(app.database, 'skyharbor')
  const { db } = base
  const [ada, ben] = [randomUUID(), randomUUID()].map((name) => ({ name, email: `${name}@dineback.example` }))
  const as = (who: typeof ada) => ({ ...base, operator: { id: 1, grants: [], ...who } }) as unknown as OperatorCtx
  const claim = async (memberId: number, benefit: number, decided: object = {}) => {
    const { id, public_id } = await inTransaction(db, (tx) =>
      insertClaim(tx, {
        publicId: publicId(),
        memberId,
        date: '2026-03-10',
        merchantId: null,
        merchantName: randomUUID(),
        cents: 48_00,
        cardId: null,
        note: '',
        receipt: null,
        findings: { findings: [] },
        respondBy: new Date(),
      }),
    )
    const decision = { code: 'credited', words: '', benefit, by: ada?.email ?? '', ...decided }
    expect(await inTransaction(db, (tx) => storeDecision(tx, public_id, decision))).toBe(true)
    return id
  }
  const adjust = (memberId: number, amount: number, by = [ada?.name ?? '']) =>
    inTransaction(db, (tx) => postAdjustment(tx, base, { id: randomUUID(), memberId, amount, words: '', by }))
  const asks = (who: typeof ada, memberId: number, amount: number) =>
    needsSecondOperator(app.database.consolePools.forPartner('skyharbor'), as(who), { memberId, amount })
  return { db, ada, ben, claim, adjust, asks }
}

test('CON-115 what operators credit and debit a member alone within a day counts together, with adjustments and for claims', async () => {
  const { db, ada, ben, claim, adjust, asks } = createWorld()
  const memberId = await addMember(db)
  const limits = async () => [await asks(ben, memberId, 5000), await asks(ben, memberId, -5001)]
  expect(await limits()).toEqual([false, true])
  // What two decided, what was refused, and what is older does not count.
  await claim(memberId, 4000, { approvedBy: ben?.email })
  await claim(memberId, 0, { code: 'noEvidence' })
  await adjust(memberId, 3000, ['Ada', 'Ben'])
  const old = await claim(memberId, 2000)
  await asOwner(app, "update claims set decided_at = now() - interval '25 hours' where id = $1", [old])
  expect(await limits()).toEqual([false, true])
  await claim(memberId, 3000)
  await adjust(memberId, -1999)
  expect([await asks(ben, memberId, 1), await asks(ben, memberId, 2), await asks(ada, memberId, -2)]).toEqual([
    false,
    true,
    true,
  ])
  const other = await addMember(db)
  expect([await asks(ben, other, 5000), await asks(ada, other, 5000)]).toEqual([false, false])
})

test('CON-115 what one operator credits and debits alone within a day is limited over all members', async () => {
  const { db, ada, ben, claim, adjust, asks } = createWorld()
  for (let count = 0; count < 9; count++) await claim(await addMember(db), 5000)
  await adjust(await addMember(db), -4000)
  const memberId = await addMember(db)
  expect([await asks(ada, memberId, 1000), await asks(ada, memberId, 1001)]).toEqual([false, true])
  expect(await asks(ben, memberId, 5000)).toBe(false)
  // A program's own limit counts, and none of another program.
  const elsewhere = createTestContext(app.database, 'gallonaire')
  const there = { ...elsewhere, operator: { id: 1, grants: [], ...ada } } as unknown as OperatorCtx
  elsewhere.program.config.adjustmentLimit = 100
  const operators = app.database.consolePools.forPartner('gallonaire')
  const inOther = { memberId: await addMember(elsewhere.db), amount: 100 }
  expect(await needsSecondOperator(operators, there, inOther)).toBe(false)
  expect(await needsSecondOperator(operators, there, { ...inOther, amount: 101 })).toBe(true)
})

const own = '/api/programs/skyharbor/members'
const adjustBy = async ({ call }: Pick<ConsoleSession, 'call'>, id: string, amount: string) => {
  const { balance } = (await call('GET', `${own}/${id}`)).body
  const body = { direction: 'credit', amount, key: randomUUID(), expected: balance, reason: 'A late delivery' }
  return (await call('POST', `${own}/${id}/adjustments`, body)).body.state
}

test('CON-115 Case 157 a member who was credited gets the next credit for a claim only by a second operator, and the dialog says so', async () => {
  const { session } = await newOperator()
  const member = await createCardMember(app)
  expect(await adjustBy(session, member.publicId, '4000')).toBe('posted')
  const [first, second] = [12, 20].map((days) => openClaim(member, { amount: '200.00', date: daysAgo(days) }))
  const decide = async (sent: typeof first, reward: string) => {
    const { id } = (await sent)?.json() ?? {}
    return (await decideClaim(session, 'skyharbor', id, { code: 'credited', reward, confirmedReward: reward })).body
  }
  expect(await decide(first, '900')).toMatchObject({ waits: null, decision: { reward: '900 miles' } })
  expect(await decide(second, '101')).toMatchObject({ decision: null, waits: { approval: expect.any(String) } })
  const preview = async (amount: string) =>
    (await session.call('POST', `${own}/${member.publicId}/adjustment-preview`, { direction: 'debit', amount })).body
  expect(await preview('100')).toMatchObject({ needsApproval: false, limit: '5,000 miles', dayLimit: '50,000 miles' })
  expect(await preview('101')).toMatchObject({ needsApproval: true })
})

test('CON-115 Case 157 two credits of one operator at once, for two members, do not both pass the limit', async () => {
  const { session, email } = await newOperator()
  const { claim } = createWorld()
  await claim(await addMember(app.database.pools.forPartner('skyharbor')), 46_000, { by: email })
  const members = [await createCardMember(app), await createCardMember(app)]
  const states = await Promise.all(members.map((member) => adjustBy(session, member.publicId, '4000')))
  expect(states.toSorted()).toEqual(['asked', 'posted'])
})

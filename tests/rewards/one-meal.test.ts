import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { asOwner } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { cardMovesOf } from '../support/card-moves.ts'
import { claimForm, daysAgo, openClaim, settleClaim } from '../support/claims.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addMerchant, createTestContext, findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const { getMoves, undo, twoPrograms, move } = cardMovesOf(app)
let operator: Awaited<ReturnType<typeof openConsole>>
beforeAll(async () => {
  const sam = { email: 'sam@dineback.example', name: 'Sam Support', password: 'sourdough 4 breakfast' } as const
  await addOperator(app.database.consolePools.shared, { ...sam, role: 'support', partners: ['skyharbor'] })
  operator = await openConsole(app, sam.email, sam.password)
})

const db = () => app.database.pools.forPartner('skyharbor')
const balance = ({ memberId }: CardMember) => getBalance(db(), memberId, 'mile')
const explain = async (member: CardMember, over: Record<string, unknown> = {}) =>
  (await member.visitor.change('POST', '/api/Member/MissingMeals', claimForm(member, over))).json()

/** Moves what is stored about a member's meals and claims of today back by some days. */
const backdate = (member: CardMember, days: number) =>
  asOwner(app, 'update transactions set occurred_at = occurred_at - make_interval(days => $2) where member_id = $1', [
    member.memberId,
    days,
  ])
/** Moves a member's claims to today, because the staging tools create transactions of today. */
const asToday = ({ memberId }: CardMember) =>
  sql`update claims set transaction_date = ${daysAgo(0)} where member_id = ${memberId}`.execute(db())

test('HIST-024 Case 105 a second claim that resembles the first is refused, unless the member says that it was another meal', async () => {
  const member = await createCardMember(app)
  const first = (await openClaim(member)).json()
  for (const over of [{ amount: '49.50' }, { date: daysAgo(13) }, { date: daysAgo(11), amount: '40.00' }]) {
    const refused = await openClaim(member, over)
    expect([over, refused.status, refused.json().code]).toEqual([over, 409, 'mealClaimed'])
    expect(refused.json().detail).toEqual({ claim: first.id })
    const found = await explain(member, over)
    expect([over, found.outcome, found.findings[0].params]).toEqual([
      over,
      'claimed',
      { amount: '$48.00', merchant: 'Corner Bistro', date: expect.any(String) },
    ])
  }
  // Sent again, it is the same claim; another meal is a claim of its own.
  expect((await openClaim(member)).json().id).toBe(first.id)
  const second = await openClaim(member, { amount: '49.50', anotherMeal: true })
  expect([second.status, second.json().id === first.id]).toEqual([200, false])
  // Another bill, day or restaurant is another meal.
  for (const over of [
    { amount: '120.00' },
    { date: daysAgo(20) },
    { merchantName: 'Nowhere Diner', merchantId: undefined },
  ])
    expect([over, (await openClaim(member, over)).status]).toEqual([over, 200])
})

test('HIST-024 Case 105 of claims for one meal that are sent at once from two tabs, one opens', async () => {
  const member = await createCardMember(app)
  const amounts = ['48.00', '48.50', '47.00', '50.00', '46.10']
  const sent = await Promise.all(amounts.map((amount) => openClaim(member, { amount })))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
})

test('HIST-024 Case 105 no claim opens for a meal that is in the history, and the answer leads to its line', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('clearing', '48.00')
  await backdate(member, 12)
  const [line] = await member.listTransactions()
  const refused = await openClaim(member)
  expect([refused.status, refused.json().code]).toEqual([409, 'mealFound'])
  expect(refused.json().detail).toEqual({ transaction: line.sourceTransactionId })
  expect(await explain(member)).toMatchObject({ outcome: 'found', transactionId: line.sourceTransactionId })
  expect((await openClaim(member, { anotherMeal: true })).status).toBe(200)
})

const settled = (id: string) => settleClaim(app, id)

test('HIST-024 Case 106 an operator is warned of a meal that has posted since the claim, and credits only another meal', async () => {
  const member = await createCardMember(app)
  const { id } = (await openClaim(member)).json()
  await asToday(member)
  await member.sendTransaction('clearing', '48.00')
  const decision = { code: 'credited', reward: '144' }
  const { body: shown } = await operator.call('GET', `/api/programs/skyharbor/claims/${id}`)
  expect(shown.similarTransactions.some(({ earning }: { earning: string | null }) => earning !== null)).toBe(true)
  const refused = await decideClaim(operator, 'skyharbor', id, decision)
  expect([refused.status, refused.body.code]).toEqual([409, 'mealEarns'])
  expect(await balance(member)).toBe(144)
  const otherMeals = refused.body.detail.networkIds
  expect((await decideClaim(operator, 'skyharbor', id, { ...decision, otherMeals: ['x'] })).status).toBe(409)
  expect((await decideClaim(operator, 'skyharbor', id, { ...decision, otherMeals })).status).toBe(200)
  expect(await settled(id)).toBe('credited')
  expect(await balance(member)).toBe(288)
  // A later message about the confirmed other meal does not take the credit.
  expect(await findLedgerViolations(db())).toEqual([])
})

test('HIST-024 Case 106 a decision stored without a look at a meal that has earned credits nothing', async () => {
  const member = await createCardMember(app)
  const { id } = (await openClaim(member)).json()
  await asToday(member)
  await member.sendTransaction('clearing', '48.00')
  const credited = '{"code": "credited", "words": "", "benefit": 144}'
  await sql`update claims set decided_at = now(), decided_by = 'sam', decision = ${credited} where public_id = ${id}`.execute(
    db(),
  )
  expect(await settled(id)).toBe('alreadyEarned')
  expect(await balance(member)).toBe(144)
})

test('HIST-024 Case 106 an arriving transaction replaces the credit of the claim that names it exactly, not the oldest', async () => {
  for (const amounts of [
    ['40.00', '48.00'],
    ['48.00', '40.00'],
  ]) {
    const member = await createCardMember(app)
    for (const amount of amounts) {
      const { id } = (await openClaim(member, { amount, anotherMeal: true })).json()
      await asToday(member)
      const decision = { code: 'credited', reward: String(Number(amount) * 3) }
      let sent = await decideClaim(operator, 'skyharbor', id, decision)
      const otherMeals = sent.body.detail?.networkIds
      if (otherMeals) sent = await decideClaim(operator, 'skyharbor', id, { ...decision, otherMeals })
      expect(sent.status).toBe(200)
      expect(await settled(id)).toBe('credited')
    }
    await member.sendTransaction('clearing', '48.00')
    const lines = (await member.listTransactions()).map(({ dineAmount, transactionTypeCode, benefitAmount }) => [
      transactionTypeCode,
      dineAmount,
      benefitAmount,
    ])
    expect([amounts, lines.toSorted()]).toEqual([
      amounts,
      [
        ['M', 40, 120],
        ['M', 48, 0],
        ['S', 48, 144],
      ],
    ])
    await member.sendTransaction('clearing', '41.00')
    expect(await balance(member)).toBe(144 + 123)
    expect(await findLedgerViolations(db())).toEqual([])
  }
})

test('HIST-049 Case 107 a meal that both programs report between a move and its undo is paid once, where the card is in the end', async () => {
  for (const order of ['sky first', 'gal first', 'gal last']) {
    const { sky, gal, number } = await twoPrograms()
    await move(sky, gal, number)
    const merchant = await addMerchant(app.database.pools.shared)
    await sql`update merchants set joined_on = '2020-01-01' where id = ${merchant.id}`.execute(
      app.database.pools.shared,
    )
    const ctxOf = (partner: 'skyharbor' | 'gallonaire') => createTestContext(app.database, partner)
    const cards = await asOwner<{ partner: 'skyharbor' | 'gallonaire'; token: string }>(
      app,
      "select partner_id as partner, token from cards where last_four = $1 and partner_id in ('skyharbor', 'gallonaire')",
      [number.slice(-4)],
    )
    const datetime = new Date().toISOString()
    const report = async (partner: 'skyharbor' | 'gallonaire') => {
      const token = cards.find((each) => each.partner === partner)?.token ?? ''
      const event = feedEvent('transaction.clearing', {
        id: `${partner}-${number}`,
        programId: partner,
        amount: '100.00',
        datetime,
        created: datetime,
        updated: datetime,
        card: { id: token, lastNumbers: number.slice(-4) },
        location: { id: merchant.locationId },
      })
      await receiveEvent(ctxOf(partner), event)
      return token
    }
    if (order === 'gal first') await report('gallonaire')
    const token = await report('skyharbor')
    if (order === 'sky first') await report('gallonaire')
    const [open] = await getMoves(gal)
    expect((await undo(gal, open.id)).json()).toEqual({ undone: true })
    if (order === 'gal last') await report('gallonaire')
    await rematchUnmatched(ctxOf('skyharbor'), { cardToken: token })
    const earned = () =>
      asOwner<{ partner_id: string; benefit: number }>(
        app,
        'select partner_id, benefit::int from transactions where merchant_id = $1 and benefit > 0',
        [merchant.id],
      )
    await vi.waitFor(
      async () => expect([order, await earned()]).toEqual([order, [{ partner_id: 'skyharbor', benefit: 300 }]]),
      10_000,
    )
    const charged = await asOwner<{ partners: number }>(
      app,
      `select count(*)::int as partners from (select partner_id from postings
         where merchant_id = $1 and account in ('restaurant', 'member') group by partner_id having sum(amount) <> 0) c`,
      [merchant.id],
    )
    expect(charged).toEqual([{ partners: 1 }])
    for (const partner of ['skyharbor', 'gallonaire'] as const)
      expect(await findLedgerViolations(app.database.pools.forPartner(partner))).toEqual([])
  }
})

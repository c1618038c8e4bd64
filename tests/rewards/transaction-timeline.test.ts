import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addDays, dayIn } from '../../src/platform/time.ts'
import { dayText } from '../../src/rewards/earning/explain.ts'
import { asOwner, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchant } from '../support/rewards-harness.ts'

const app = setUpTestApp()

interface Line {
  key: string
  params: Record<string, string>
  amount: string
}

async function getTimeline(member: CardMember, id?: string) {
  const transactionId = id ?? (await member.listTransactions())[0].sourceTransactionId
  return (await member.visitor.get(`/api/Member/Transactions/${transactionId}/Story`)).json()
}
const inDays = (days: number, timeZone = 'America/New_York') => dayText(addDays(dayIn(new Date(), timeZone), days))
const kinds = (timeline: { steps: Line[] }) => timeline.steps.map(({ key }) => key.replace('rewards.story.', ''))
const amounts = (timeline: { sum: Line[] }) =>
  Object.fromEntries(timeline.sum.map(({ key, amount }) => [key.replace('rewards.sum.', ''), amount]))

test('a transaction with a tip shows its authorization, its higher charge and its award, and every cent adds up', async () => {
  const member = await createCardMember(app)
  const id = await member.sendTransaction('auth', '40.00')
  const waiting = await getTimeline(member)
  expect(kinds(waiting)).toEqual(['seen'])
  expect(waiting.next).toEqual({ key: 'rewards.story.next_clearing', params: { by: inDays(5) } })
  await member.sendTransaction('clearing', '48.00', id)
  const timeline = await getTimeline(member)
  expect(kinds(timeline)).toEqual(['seen', 'charged_more', 'posted'])
  expect(timeline.steps[1].params).toEqual({ amount: '$48.00', more: '$8.00' })
  expect(amounts(timeline)).toEqual({ bill: '$48.00', rate: '3 miles per dollar', benefit: '144 miles' })
  expect(timeline.next).toBeNull()
  expect((await member.listTransactions())[0].benefitAmount).toBe(144)
})

test('an authorization that is raised shows again, one that is repeated does not, and a charge of its amount is no higher one', async () => {
  const member = await createCardMember(app)
  const id = await member.sendTransaction('auth', '40.00')
  await member.sendTransaction('auth', '40.00', id)
  await member.sendTransaction('auth', '45.00', id)
  await member.sendTransaction('clearing', '45.00', id)
  expect(kinds(await getTimeline(member))).toEqual(['seen', 'seen', 'charged', 'posted'])
})

test('a refund shows with the reversed award', async () => {
  const member = await createCardMember(app)
  const id = await member.sendTransaction('clearing', '50.00')
  await member.sendTransaction('refund', '20.00', id)
  const timeline = await getTimeline(member)
  expect(kinds(timeline)).toEqual(expect.arrayContaining(['charged', 'posted', 'refunded', 'taken_back']))
  expect(amounts(timeline)).toMatchObject({ bill: '$50.00', refunded: '−$20.00', benefit: '90 miles' })
})

test('whole steps are shown where awards count by the step', async () => {
  const member = await createCardMember(app, 'gallonaire')
  await member.sendTransaction('clearing', '137.50')
  expect(amounts(await getTimeline(member))).toEqual({
    bill: '$137.50',
    steps: '$100.00',
    rate: '10¢ per gallon for every $50',
    benefit: '20¢ per gallon',
  })
})

test('a limit and a higher offer rate are separate lines', async () => {
  const member = await createCardMember(app)
  await sql`update merchant_offers set type = 'Limited', max_spend_cents = 3000, rate_percent = 200 where merchant_id = ${member.merchant.id}`.execute(
    app.database.pools.shared,
  )
  await member.sendTransaction('clearing', '50.00')
  expect(amounts(await getTimeline(member))).toEqual({
    bill: '$50.00',
    counted: '$30.00',
    rate: '3 miles per dollar',
    offer: '200%',
    benefit: '180 miles',
  })
})

test('a transaction that earns nothing has no sum, and a pending review shows its deadline', async () => {
  const member = await createCardMember(app, 'orchard')
  await member.sendTransaction('clearing', '60.00')
  const timeline = await getTimeline(member)
  expect(timeline.next).toEqual({ key: 'rewards.story.next_review', params: { by: inDays(35) } })
  await sql`update merchants set left_on = '2026-01-02' where id = ${member.merchant.id}`.execute(
    app.database.pools.shared,
  )
  await member.sendTransaction('clearing', '60.00')
  const nothing = await getTimeline(member)
  expect([nothing.sum, nothing.next]).toEqual([[], null])
})

test('a charge that is raised after its award adds to it', async () => {
  const member = await createCardMember(app)
  const id = await member.sendTransaction('clearing', '40.00')
  await member.sendTransaction('clearing', '50.00', id)
  const raised = await getTimeline(member)
  expect(kinds(raised)).toEqual(expect.arrayContaining(['posted', 'added']))
  expect(raised.steps.find(({ key }: Line) => key === 'rewards.story.added').params).toEqual({ benefit: '30 miles' })
})

test('a move to another restaurant with the same award shows no award of its own, and one with a lower award what it took back', async () => {
  const member = await createCardMember(app)
  const db = app.database.pools.forPartner('skyharbor')
  const merchant = await addMerchant(db)
  const { public_id: slug } = await db
    .selectFrom('merchants')
    .select('public_id')
    .where('id', '=', merchant.id)
    .executeTakeFirstOrThrow()
  const id = await member.sendTransaction('clearing', '40.00')
  member.merchant = { id: merchant.id, slug }
  await member.sendTransaction('clearing', '40.00', id)
  const moved = (await getTimeline(member)).steps.filter(({ key }: Line) => /posted|added|taken/.test(key))
  expect(kinds({ steps: moved })).toEqual(['posted'])
  await member.sendTransaction('clearing', '30.00', id)
  const lowered = (await getTimeline(member)).steps.find(({ key }: Line) => key === 'rewards.story.taken_back')
  expect(lowered.params).toEqual({ benefit: '30 miles' })
})

test('a statement credit names what is missing for it, and a transaction that is not matched the day of its result', async () => {
  const visitor = visit(app, 'beacon')
  const { publicId } = (await visitor.change('POST', '/api/staging/members', { state: 'withCard' })).json()
  expect((await visitor.change('POST', '/api/staging/session', { publicId })).status).toBe(200)
  const { id: merchantId } = await addMerchant(app.database.pools.forPartner('beacon'))
  const [merchant] = await asOwner(app, 'select public_id as slug from merchants where id = $1', [merchantId])
  const [{ id: cardId }] = (await visitor.get('/api/staging/cards')).json().cards
  await asOwner(app, "update cards set linked_at = linked_at - interval '1 day'")
  const send = async (amount: string) => {
    const body = { cardId, merchantId: merchant?.slug, amount, event: 'clearing' }
    expect((await visitor.change('POST', '/api/staging/dine', body)).status).toBe(200)
    const { data } = (await visitor.get('/api/Member/TransactionsStatementCredits')).json()
    const next = async () =>
      (await visitor.get(`/api/Member/Transactions/${data[0].sourceTransactionId}/Story`)).json().next
    return {
      id: data[0].sourceTransactionId,
      timeZone: data[0].timeZone,
      benefit: Math.round(100 * data[0].benefitAmount),
      next,
    }
  }
  const credit = (cents: number) => ({
    key: 'rewards.story.next_credit',
    params: { left: `$${(cents / 100).toFixed(2)}`, full: '$20.00' },
  })
  const first = await send('60.00')
  expect(await first.next()).toEqual(credit(2_000 - first.benefit))
  const second = await send('30.00')
  expect(await second.next()).toEqual(credit(2_000 - first.benefit - second.benefit))
  await asOwner(
    app,
    "update transactions set award_status = 'Deferred', unmatched = 'merchant', occurred_at = now() where public_id = $1",
    [first.id],
  )
  expect(await first.next()).toEqual({ key: 'rewards.story.next_deferred', params: { by: inDays(14, first.timeZone) } })
})

test('a reward that the program holds back is released so many days after the charge was settled', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('clearing', '40.00')
  const [{ sourceTransactionId: id }] = await member.listTransactions()
  await asOwner(
    app,
    `with held as (
       insert into award_terms (partner_id, id, terms)
       select partner_id, gen_random_uuid(), terms || jsonb_build_object('program',
         terms -> 'program' || '{"deferDays": 5, "earnRates": {"OptedIn": 700}}') from award_terms
       where id = (select terms_id from transactions where public_id = $1)
       returning id)
     update transactions set award_status = 'Deferred', terms_id = held.id, occurred_at = now() - interval '9 days',
       cleared_at = now() - interval '2 days'
     from held where public_id = $1`,
    [id],
  )
  const timeline = await getTimeline(member)
  expect(timeline.next).toEqual({ key: 'rewards.story.next_held', params: { by: inDays(3) } })
  // Its rate is the one of its terms, whatever the program gives today.
  expect(amounts(timeline)).toEqual({ bill: '$40.00', rate: '7 miles per dollar', benefit: '280 miles' })
})

test('Case 19 another member’s transaction has no timeline', async () => {
  const [member, other] = [await createCardMember(app), await createCardMember(app)]
  await member.sendTransaction('clearing', '30.00')
  const { sourceTransactionId: id } = (await member.listTransactions())[0]
  expect((await other.visitor.get(`/api/Member/Transactions/${id}/Story`)).status).toBe(404)
  expect((await member.visitor.get(`/api/Member/Transactions/${id}/Story`)).status).toBe(200)
})

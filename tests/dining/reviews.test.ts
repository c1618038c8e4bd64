import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { outboundFetch } from '../../src/platform/http/outbound-fetch.ts'
import { asOwner, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchants, merchantRecord } from '../support/merchants.ts'
import { familyIdOf, reviewCallbackPath, sendReview as send } from '../support/review-callback.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'
import { startTask } from '../support/start-task.ts'

const app = setUpTestApp()

const sendReview = (member: CardMember, ...given: [Record<string, unknown>, Parameters<typeof send>[3]?]) =>
  send(app, member, ...given)
const onlyTransaction = async (member: CardMember) => (await member.listTransactions())[0]
const db = () => app.database.pools.forPartner('orchard')

async function cleared(partner = 'orchard', over = {}): Promise<{ member: CardMember; txnId: string }> {
  const member = await createCardMember(app, partner, over)
  await member.sendTransaction('clearing', '60.00')
  return { member, txnId: (await onlyTransaction(member)).sourceTransactionId }
}

const isReviewed = async ({ visitor }: CardMember, ids: string[]) =>
  (await visitor.get(`/api/reviews/status?${ids.map((id) => `txnId=${id}`).join('&')}`)).json()

test('HIST-012 an award that needs a review is pending until then and posted after; reporting the review again changes nothing', async () => {
  const { member, txnId } = await cleared()
  expect(await onlyTransaction(member)).toMatchObject({
    awardStatus: 'Pending',
    reason: { key: 'rewards.why.awaitsReview' },
  })
  expect((await sendReview(member, { txnId })).json()).toEqual({ outcome: 'stored' })
  expect(await onlyTransaction(member)).toMatchObject({ awardStatus: 'Awarded', reason: { key: 'rewards.why.earned' } })
  expect((await sendReview(member, { txnId })).json()).toEqual({ outcome: 'repeated' })
  expect(await findLedgerViolations(db())).toEqual([])
})

test('API-037 DATA-025 HIST-009 the review status is returned for own transactions, by repeated ids, and not for others', async () => {
  const { member, txnId } = await cleared()
  const { member: other, txnId: theirs } = await cleared()
  await member.sendTransaction('clearing', '20.00')
  const second = (await onlyTransaction(member)).sourceTransactionId
  await sendReview(member, { txnId })
  await sendReview(other, { txnId: theirs })
  expect(await isReviewed(member, [txnId, second, theirs])).toEqual([
    { id: txnId, completed: true },
    { id: second, completed: false },
  ])
  expect(await isReviewed(member, [txnId])).toEqual([{ id: txnId, completed: true }])
  expect((await visit(app, 'orchard').get(`/api/reviews/status?txnId=${txnId}`)).status).toBe(401)
})

test('a review of an unknown transaction, of another family, unsigned, late or for another address is rejected', async () => {
  const { member, txnId } = await cleared()
  expect((await sendReview(member, { txnId: 'nothing' })).status).toBe(404)
  expect((await sendReview(member, { txnId, familyId: 'another-family' })).status).toBe(404)
  expect((await sendReview(member, { txnId }, { key: 'x'.repeat(44) })).json().code).toBe('badSignature')
  expect((await sendReview(member, { txnId }, { at: Date.now() - 600_000 })).json().code).toBe('staleTimestamp')
  expect(
    (await sendReview(member, { txnId }, { url: `http://beacon.localhost:${app.port}${reviewCallbackPath}` })).status,
  ).toBe(401)
  expect((await sendReview(member, { txnId, rating: 6 })).status).toBe(400)
  expect((await sendReview(member, { txnId, completed: false })).json()).toEqual({ outcome: 'ignored' })
  expect((await onlyTransaction(member)).awardStatus).toBe('Pending')
})

test('a review without a rating counts as a review and is not published', async () => {
  const { member, txnId } = await cleared()
  expect((await sendReview(member, { txnId, rating: undefined })).json()).toEqual({ outcome: 'stored' })
  expect(await onlyTransaction(member)).toMatchObject({ awardStatus: 'Awarded' })
  const { rows } = await sql`select rating from merchant_reviews where merchant_id = ${member.merchant.id}`.execute(
    db(),
  )
  expect(rows).toEqual([])
})

test('twenty concurrent reports count once', async () => {
  const { member, txnId } = await cleared()
  const responses = await Promise.all(Array.from({ length: 20 }, () => sendReview(member, { txnId })))
  const outcomes = responses.map((response) => response.json().outcome)
  expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1)
  expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(19)
  const { rows } = await sql<{ count: number }>`
    select rating_count as count from merchants where id = ${member.merchant.id}`.execute(db())
  expect(rows[0]?.count).toBe(1)
})

test('HIST-021 CONST-011 after 35 days the award expires, and a late review is rejected', async () => {
  const [{ member: patient, txnId: waiting }, { member: late, txnId: gone }] = [await cleared(), await cleared()]
  const age = (id: string, days: number) =>
    sql`update transactions set occurred_at = now() - make_interval(days => ${days}) + interval '1 minute'
      where public_id = ${id}`.execute(db())
  await age(waiting, 36)
  await sql`update transactions set occurred_at = now() - interval '36 days 1 minute' where public_id = ${gone}`.execute(
    db(),
  )
  await startTask(app, 'review-expiry', 'orchard')
  await vi.waitFor(
    async () => expect(await onlyTransaction(late)).toMatchObject({ awardStatus: 'Forfeit', benefitAmount: 0 }),
    20_000,
  )
  expect((await onlyTransaction(late)).reason.key).toBe('rewards.why.reviewExpired')
  expect((await onlyTransaction(patient)).awardStatus).toBe('Pending')
  expect((await sendReview(late, { txnId: gone })).json().code).toBe('reviewNotPossible')
  expect((await sendReview(patient, { txnId: waiting })).json()).toEqual({ outcome: 'stored' })
  expect(await findLedgerViolations(db())).toEqual([])
})

test('a transaction that is reviewed before it clears is awarded when it clears', async () => {
  const member = await createCardMember(app, 'orchard')
  const id = await member.sendTransaction('auth', '50.00')
  const { sourceTransactionId: txnId } = await onlyTransaction(member)
  expect((await sendReview(member, { txnId })).json()).toEqual({ outcome: 'stored' })
  expect((await onlyTransaction(member)).awardStatus).toBe('Pending')
  await member.sendTransaction('clearing', '58.00', id)
  expect(await onlyTransaction(member)).toMatchObject({ awardStatus: 'Awarded', dineAmount: 58 })
})

test('the form service stores a review and reports it to the program, which shows it on the restaurant’s page', async () => {
  const { member, txnId } = await cleared('skyharbor')
  const forms = `http://forms.localhost:${app.port}/reviews/skyharbor`
  const fields = {
    date: (await onlyTransaction(member)).date,
    merchantId: member.merchant.slug,
    transactionId: txnId,
    familyId: await familyIdOf(member),
    merchantName: 'Corner Bistro',
    settleType: 'settle',
  }
  const shown = await outboundFetch(`${forms}?${new URLSearchParams(fields)}`)
  const page = await shown.text()
  expect(page).toContain('How was Corner Bistro?')
  expect(shown.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  const responseId = /name="response_id" value="([^"]+)"/.exec(page)?.[1] as string
  const send = (responses: Record<string, string>, headers: Record<string, string> = {}) =>
    outboundFetch(`${forms}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams({ ...fields, response_id: responseId, ...responses }).toString(),
    })
  for (const site of ['cross-site', 'same-site', 'none'])
    expect([site, (await send({ 'q.rating': '4' }, { 'sec-fetch-site': site })).status]).toEqual([site, 403])
  const empty = await send({})
  expect([empty.status, (await empty.text()).includes('Please answer this question.')]).toEqual([400, true])
  expect(page).not.toMatch(/maxlength/i)
  expect((await send({ 'q.rating': '4', 'q.comment': 'x'.repeat(2001) })).status).toBe(400)
  const sent = await send({ 'q.rating': '4', 'q.comment': 'Fine <b>noodles</b>.' })
  expect([sent.status, (await sent.text()).includes('Thank you.')]).toEqual([200, true])
  // Its delivery is retried for a week.
  expect(
    await asOwner(
      app,
      'select notify_until - received_at = $1::interval as "isWeek" from forms.responses where id = $2',
      ['7 days', responseId],
    ),
  ).toEqual([{ isWeek: true }])
  await send({ 'q.rating': '1', 'q.comment': 'Sent twice.' })
  await vi.waitFor(
    async () => expect(await isReviewed(member, [txnId])).toEqual([{ id: txnId, completed: true }]),
    20_000,
  )
  const { rows } =
    await sql`select rating, author, body from merchant_reviews where merchant_id = ${member.merchant.id}`.execute(db())
  expect(rows).toEqual([{ rating: 4, author: 'Ada L.', body: 'Fine <b>noodles</b>.' }])
  const delivered = 'dineback_job_runs_total{job="review-callbacks",outcome="done"} 1'
  await vi.waitFor(async () => expect(await app.admin.metrics.read()).toContain(delivered), 20_000)
  expect((await outboundFetch(`${forms}?date=2026-01-01`)).status).toBe(404)
})

test('HIST-058 a second review of a meal is not thanked for, and the same one sent again, or one of another meal, is', async () => {
  const { member, txnId } = await cleared('skyharbor')
  const familyId = await familyIdOf(member)
  const send = async (responseId: string, over: Record<string, string> = {}) => {
    const meal = { date: '2026-11-20', merchantId: '', transactionId: txnId, familyId, merchantName: 'Corner Bistro' }
    const fields = { ...meal, settleType: 'settle', 'q.rating': '4', response_id: responseId, ...over }
    const sent = await outboundFetch(`http://forms.localhost:${app.port}/reviews/skyharbor/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    })
    const text = await sent.text()
    return text.includes('Thank you.') ? 'thanked' : text.includes('this one adds nothing') ? 'counted before' : text
  }
  const first = randomUUID()
  expect([await send(first), await send(first), await send(randomUUID())]).toEqual([
    'thanked',
    'thanked',
    'counted before',
  ])
  expect([
    await send(randomUUID(), { transactionId: 'other' }),
    await send(randomUUID(), { familyId: 'other' }),
  ]).toEqual(['thanked', 'thanked'])
})

test('a review of a late visit is published with the day on the restaurant’s calendar', async () => {
  const { member, txnId } = await cleared()
  // Half past eleven in the evening in New York, where the restaurant is.
  const { rows: visits } = await sql<{ day: string }>`
    update transactions set occurred_at = (current_date - 3)::timestamp at time zone 'America/New_York' - interval '30 minutes'
    where public_id = ${txnId} returning (current_date - 4)::text as day`.execute(db())
  expect((await sendReview(member, { txnId })).json()).toEqual({ outcome: 'stored' })
  const { rows } = await sql`
    select visited_on::text as day from merchant_reviews where merchant_id = ${member.merchant.id}`.execute(db())
  expect(rows).toEqual(visits)
})

test('a published review has the first name and the whole first character of the last name', async () => {
  const { member, txnId } = await cleared('orchard', { lastName: 'q\u0308uist' })
  await sendReview(member, { txnId })
  const { rows } = await sql`select author from merchant_reviews where merchant_id = ${member.merchant.id}`.execute(
    db(),
  )
  expect(rows).toEqual([{ author: 'Ada q\u0308.' }])
})

test('a deleted account removes name and text of its reviews and leaves the rating, also after an import', async () => {
  const { member, txnId } = await cleared('skyharbor')
  await sendReview(member, { txnId, rating: 2, comment: 'My secret words.' })
  const { sourceId } = await db()
    .selectFrom('merchants')
    .select('source_id as sourceId')
    .where('id', '=', member.merchant.id)
    .executeTakeFirstOrThrow()
  await addMerchants(db(), merchantRecord({ sourceId, description: 'Newly painted.' }))
  const { visitor } = member
  await visitor.change('POST', '/api/Member/Prove', { password: 'sourdough 4 breakfast' })
  const gone = await visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  expect(gone.status).toBe(200)
  const { rows } =
    await sql`select rating, author, body from merchant_reviews where merchant_id = ${member.merchant.id}`.execute(db())
  expect(rows).toEqual([{ rating: 2, author: 'A former member', body: '' }])
})

test('a manual entry can be reviewed too, and its award does not change', async () => {
  const member = await createCardMember(app, 'skyharbor')
  const { inTransaction } = await import('../../src/platform/database/db.ts')
  const { postManualCredit } = await import('../../src/rewards/awards/manual-credit.ts')
  const ctx = {
    partnerId: 'skyharbor',
    program: { config: app.programs.get('skyharbor')?.config },
    now: () => new Date(),
  }
  await inTransaction(app.database.pools.forPartner('skyharbor'), (tx) =>
    postManualCredit(tx, { ...ctx, db: tx } as never, {
      memberId: member.memberId,
      cardId: null,
      cardLastFour: member.lastFour,
      merchantId: member.merchant.id,
      merchantName: 'Corner Bistro',
      claimId: `test-${member.publicId}`,
      cents: 40_00,
      benefit: 120,
      otherMeals: [],
      dinedAt: new Date(),
    }),
  )
  const { sourceTransactionId: txnId } = await onlyTransaction(member)
  expect((await sendReview(member, { txnId })).json()).toEqual({ outcome: 'stored' })
  expect(await onlyTransaction(member)).toMatchObject({
    transactionTypeCode: 'M',
    awardStatus: 'Awarded',
    benefitAmount: 120,
  })
})

test('HIST-012 HIST-048 a review that is overdue earns nothing in the list, also before its award has expired', async () => {
  const { member, txnId } = await cleared()
  const at = (days: number, seconds: number) =>
    sql`update transactions set occurred_at = now() - make_interval(days => ${days}, secs => ${seconds})
      where public_id = ${txnId}`.execute(db())
  const shown = async () => {
    const { status, awardStatus, benefitAmount, reason } = await onlyTransaction(member)
    return [status, awardStatus, benefitAmount > 0, reason.key]
  }
  await at(36, -60)
  expect(await shown()).toEqual(['review', 'Pending', true, 'rewards.why.awaitsReview'])
  await at(36, 0)
  expect(await shown()).toEqual(['reviewExpired', 'Forfeit', false, 'rewards.why.reviewExpired'])
})

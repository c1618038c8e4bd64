import type { Page } from '@playwright/test'
import { asOwner, at, callApi, expect, findMerchant, test } from '../support/journey.ts'
import { joinWithCard, signInBankCustomer } from '../support/journey-members.ts'

// Every amount that a member sees is traced to the ledger, to messages of the card network, or to the configuration of
// the program.

/** Sends a transaction with the staging tools, as the network reports it; returns its id. */
async function sendEvent(
  page: Page,
  event: 'auth' | 'clearing' | 'refund',
  merchantId: string,
  amount: string,
  id?: string,
) {
  const cards = await callApi(page, '/api/staging/cards')
  const [card] = cards.cards ?? cards
  const body = { event, cardId: card.id, merchantId, amount, ...(id && { transactionId: id }) }
  const result = await callApi(page, '/api/staging/dine', { method: 'POST', body })
  expect(result.outcome).toBe('applied')
  return result.transactionId as string
}

const cents = (amount: number) => `$${(Math.abs(amount) / 100).toLocaleString('en-US', { minimumFractionDigits: 2 })}`

/** Returns all valid sources of a member's amounts, as formatted strings. */
async function traceable(
  email: string,
  unit: 'mile' | 'point' | 'cent',
  constants: readonly string[],
): Promise<Set<string>> {
  const write = (amount: number) => (unit === 'cent' ? cents(amount) : `${Math.abs(amount).toLocaleString('en-US')}`)
  const ledger = await asOwner<{ amount: number }>(
    `with own as (
       select p.amount, p.journal_entry_id, j.source_id, j.source from postings p join journal_entries j on j.id = p.journal_entry_id
       where p.member_id = (select id from members where email = $1))
     select amount::float8 as amount from own
     union select sum(amount)::float8 from own
     union select sum(amount)::float8 from own where source = 'transaction'
     union select sum(amount)::float8 from own group by source_id`,
    [email],
  )
  const promised = await asOwner<{ amount: number }>(
    // Pending awards are not in the ledger yet; given ones must be.
    `select benefit::float8 as amount from transactions
     where member_id = (select id from members where email = $1) and award_status in ('Pending', 'Deferred')`,
    [email],
  )
  const reported = await asOwner<{ amount: string }>(
    `select body -> 'transaction' ->> 'amount' as amount from feed_messages
     where card_token in (select token from cards where member_id = (select id from members where email = $1))`,
    [email],
  )
  const left = await asOwner<{ amount: number }>(
    // The remainder of a bill after a refund.
    `select (100 * ((charged.body #>> '{transaction,amount}')::numeric - abs((refund.body #>> '{transaction,amount}')::numeric)))::float8 as amount
     from feed_messages refund join feed_messages charged
       on charged.partner_id = refund.partner_id
       and charged.network_id = refund.body #>> '{transaction,originalTransactionId}'
     where refund.event = 'transaction.refund' and charged.event = 'transaction.clearing'
       and refund.card_token in (select token from cards where member_id = (select id from members where email = $1))`,
    [email],
  )
  const grown = await asOwner<{ amount: number }>(
    `select (100 * ((charged.body #>> '{transaction,amount}')::numeric - (seen.body #>> '{transaction,amount}')::numeric))::float8 as amount
     from feed_messages seen join feed_messages charged using (partner_id, network_id)
     where seen.event = 'transaction.auth' and charged.event = 'transaction.clearing'
       and seen.card_token in (select token from cards where member_id = (select id from members where email = $1))`,
    [email],
  )
  return new Set([
    ...[...grown, ...left].map(({ amount }) => cents(Number(amount))),
    ...[...ledger, ...promised].map(({ amount }) => write(Number(amount))),
    ...reported.map(({ amount }) => cents(Math.round(Number(amount) * 100))),
    ...constants,
  ])
}

/** Returns every amount of money, miles or points on a page, with all timelines opened. */
async function readAmounts(page: Page): Promise<string[]> {
  await expect(page.locator('main:not([aria-busy="true"])')).toBeVisible()
  // A row may appear meanwhile, for example a credit that is paid: each click opens one that is closed at that
  // moment. Its timeline is shown below its reason.
  const closed = page.locator('main details:not([open]) > summary')
  await expect(async () => {
    while ((await closed.count()) > 0) await closed.first().click()
    await expect(page.locator('main details:not(:has(> p ~ div))')).toHaveCount(0, { timeout: 5_000 })
  }).toPass()
  // Nothing is loading or animating.
  await expect(page.locator('main :is([aria-busy="true"], [data-height])')).toHaveCount(0)
  const text = (await page.locator('main').allInnerTexts()).join('\n')
  return [
    // The minimum bill of a restaurant is a term of its offer, not an amount of a member.
    ...(text.match(/(?<!meals of )\$[\d,]+(\.\d\d)?/g) ?? []),
    ...[...text.matchAll(/([\d,]+)\s+(?:miles?|points?)\b(?! per)/gi)].map(([, count]) => count as string),
  ]
}

async function sendManyTransactions(page: Page, merchantId: string): Promise<void> {
  const first = await sendEvent(page, 'auth', merchantId, '42.10')
  await sendEvent(page, 'clearing', merchantId, '50.52', first)
  await sendEvent(page, 'refund', merchantId, '12.10', first)
  await sendEvent(page, 'clearing', merchantId, '31.07')
  await sendEvent(page, 'auth', merchantId, '18.44')
}

test('every amount of a miles program can be traced to ledger entries, network messages, or its terms', async ({
  page,
}) => {
  const email = await joinWithCard(page, 'skyharbor')
  const { id } = await findMerchant(page, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  await sendManyTransactions(page, id)
  // The VIP requirement, and the bonuses.
  const { bonuses } = await callApi(page, '/api/PartnerConfig')
  const constants = ['11', ...bonuses.map(({ amount }: { amount: number }) => String(amount))]
  for (const path of ['/account/overview', '/account/recent_activity']) {
    await page.goto(at('skyharbor', path))
    const found = await readAmounts(page)
    const known = await traceable(email, 'mile', constants)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((amount) => !known.has(amount))).toEqual([])
  }
  // Counterpart: an award that was not posted is detected.
  await asOwner(
    `update transactions set benefit = benefit + 7 where award_status = 'Awarded' and member_id = (select id from members where email = $1)`,
    [email],
  )
  await page.reload()
  const known = await traceable(email, 'mile', constants)
  expect((await readAmounts(page)).filter((amount) => !known.has(amount))).not.toEqual([])
})

for (const [partner, unit] of [
  ['orchard', 'point'],
  ['gallonaire', 'cent'],
] as const) {
  test(`every amount of ${partner} can be traced as well`, async ({ page }) => {
    const email = await joinWithCard(page, partner)
    const { id } = await findMerchant(page, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
    await sendManyTransactions(page, id)
    const { bonuses, earnStepCents } = await callApi(page, '/api/PartnerConfig')
    // The step of the rate, as the timeline of a transaction and the rate itself format it.
    const step = earnStepCents > 1 ? [cents(earnStepCents), `$${earnStepCents / 100}`] : []
    const promised = bonuses.map(({ amount }: { amount: number }) =>
      unit === 'cent' ? cents(amount) : amount.toLocaleString('en-US'),
    )
    for (const path of ['/account/overview', '/account/recent_activity']) {
      await page.goto(at(partner, path))
      const found = await readAmounts(page)
      const known = await traceable(email, unit, [...promised, ...step])
      expect(found.length).toBeGreaterThan(0)
      expect(found.filter((amount) => !known.has(amount))).toEqual([])
    }
  })
}

test('every amount of a program that pays statement credits can be traced as well', async ({ page }) => {
  const email = await signInBankCustomer(page, 'cleo')
  // Transactions that other journeys wrote into her activity came from no network.
  await asOwner('delete from transactions where member_id = (select id from members where email = $1)', [email])
  const { id } = await findMerchant(page, 'location=60601', ({ offers }) => offers[0]?.type === 'Unlimited')
  await sendManyTransactions(page, id)
  const known = await traceable(email, 'cent', ['$20', '$20.00', '$0.00'])
  const [row] = await asOwner<{ balance: number; tier: string; spent: number }>(
    `select coalesce((select sum(amount) from postings where member_id = m.id), 0)::float8 as balance, tier_level as tier,
       coalesce((select sum(greatest(cleared_cents - refunded_cents, 0)) from transactions
         where member_id = m.id and award_status in ('Awarded', 'Paid')), 0)::float8 as spent
     from members m where m.email = $1`,
    [email],
  )
  const { bonuses, earnRates } = await callApi(page, '/api/PartnerConfig')
  for (const { amount } of bonuses) known.add(`$${amount / 100}`)
  // The amount to the next credit is the threshold minus the balance, at the member's rate; to VIP it is $500 minus the
  // bills.
  const missing = 20_00 - Number(row?.balance)
  const rate = earnRates[row?.tier ?? '']
  known.add(cents(missing)).add(cents(Math.ceil((missing * 10_000) / rate)))
  known
    .add(cents(500_00))
    .add(cents(500_00 - Number(row?.spent)))
    .add(cents(Number(row?.spent)))
  for (const [path, least] of [
    ['/account/recent_activity', 3],
    ['/account/overview', 1],
  ] as const) {
    await page.goto(at('beacon', path))
    const found = await readAmounts(page)
    expect(found.length).toBeGreaterThanOrEqual(least)
    expect(found.filter((amount) => !known.has(amount))).toEqual([])
  }
})

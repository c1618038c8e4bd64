import { expect, test, vi } from 'vitest'
import { asOwner } from '../support/app.ts'
import type { Visitor } from '../support/members.ts'
import { openPage, setUpPages } from '../support/page-dom.ts'
import { findMerchant, newMemberWithCard, signInBankCustomer } from '../support/page-members.ts'

// Every amount that a member sees is traced to the ledger, to messages of the card network, or to the configuration of
// the program.

const app = setUpPages()

/** Sends a transaction with the staging tools, as the network reports it; returns its id. */
async function sendEvent(
  visitor: Visitor,
  event: 'auth' | 'clearing' | 'refund',
  merchantId: string,
  amount: string,
  id?: string,
) {
  const cards = (await visitor.get('/api/staging/cards')).json()
  const [card] = cards.cards ?? cards
  const body = { event, cardId: card.id, merchantId, amount, ...(id && { transactionId: id }) }
  const result = (await visitor.change('POST', '/api/staging/dine', body)).json()
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
    app,
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
    app,
    // Pending awards are not in the ledger yet; given ones must be.
    `select benefit::float8 as amount from transactions
     where member_id = (select id from members where email = $1) and award_status in ('Pending', 'Deferred')`,
    [email],
  )
  const reported = await asOwner<{ amount: string }>(
    app,
    `select body -> 'transaction' ->> 'amount' as amount from feed_messages
     where card_token in (select token from cards where member_id = (select id from members where email = $1))`,
    [email],
  )
  const left = await asOwner<{ amount: number }>(
    app,
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
    app,
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

/** Returns the texts of an element's parts, each in its own line. */
function linesOf(element: Element): string[] {
  const lines: string[] = []
  let line = ''
  for (const child of element.childNodes) {
    if (child instanceof Element) {
      lines.push(line, ...linesOf(child))
      line = ''
    } else line += child.textContent ?? ''
  }
  return [...lines, line]
}

/** Returns every amount of money, miles or points on a page, with all timelines opened. */
async function readAmounts({ user }: Awaited<ReturnType<typeof openPage>>): Promise<string[]> {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(`main ${selector}`)]
  // A row may appear meanwhile, for example a credit that is paid. A timeline is shown below its reason.
  await vi.waitFor(async () => {
    expect(document.querySelector('main:not([aria-busy="true"])')).not.toBeNull()
    for (const summary of all('details:not([open]) > summary')) await user.click(summary)
    const unopened = all('details').filter(
      ({ children: [, ...below] }) => !below.some(({ tagName }) => tagName === 'DIV'),
    )
    expect(unopened).toEqual([])
    // Nothing is loading.
    expect(all('[aria-busy="true"]')).toEqual([])
    expect(all('[data-height]')).toEqual([])
  }, 20_000)
  const lines = linesOf(document.querySelector('main') as Element).join('\n')
  return [
    // The minimum bill of a restaurant is a term of its offer, not an amount of a member.
    ...(lines.match(/(?<!meals of )\$[\d,]+(\.\d\d)?/g) ?? []),
    ...[...lines.matchAll(/([\d,]+)\s+(?:miles?|points?)\b(?! per)/gi)].map(([, count]) => count as string),
  ]
}

async function sendManyTransactions(visitor: Visitor, merchantId: string): Promise<void> {
  const first = await sendEvent(visitor, 'auth', merchantId, '42.10')
  await sendEvent(visitor, 'clearing', merchantId, '50.52', first)
  await sendEvent(visitor, 'refund', merchantId, '12.10', first)
  await sendEvent(visitor, 'clearing', merchantId, '31.07')
  await sendEvent(visitor, 'auth', merchantId, '18.44')
}

test('every amount of a miles program can be traced to ledger entries, network messages, or its terms', async () => {
  const { visitor, email } = await newMemberWithCard(app, 'skyharbor')
  const { id } = await findMerchant(visitor, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
  await sendManyTransactions(visitor, id)
  // The VIP requirement, and the bonuses.
  const { bonuses } = (await visitor.get('/api/PartnerConfig')).json()
  const constants = ['11', ...bonuses.map(({ amount }: { amount: number }) => String(amount))]
  for (const path of ['/account/overview', '/account/recent_activity']) {
    const found = await readAmounts(await openPage(app, 'skyharbor', path, { visitor }))
    const known = await traceable(email, 'mile', constants)
    expect(found.length).toBeGreaterThan(0)
    expect(found.filter((amount) => !known.has(amount))).toEqual([])
  }
  // Counterpart: an award that was not posted is detected.
  await asOwner(
    app,
    `update transactions set benefit = benefit + 7 where award_status = 'Awarded' and member_id = (select id from members where email = $1)`,
    [email],
  )
  const page = await openPage(app, 'skyharbor', '/account/recent_activity', { visitor })
  const known = await traceable(email, 'mile', constants)
  expect((await readAmounts(page)).filter((amount) => !known.has(amount))).not.toEqual([])
})

for (const [partner, unit] of [
  ['orchard', 'point'],
  ['gallonaire', 'cent'],
] as const) {
  test(`every amount of ${partner} can be traced as well`, async () => {
    const { visitor, email } = await newMemberWithCard(app, partner)
    const { id } = await findMerchant(visitor, 'location=10001', ({ offers }) => offers[0]?.type === 'Unlimited')
    await sendManyTransactions(visitor, id)
    const { bonuses, earnStepCents } = (await visitor.get('/api/PartnerConfig')).json()
    // The step of the rate, as the timeline of a transaction and the rate itself format it.
    const step = earnStepCents > 1 ? [cents(earnStepCents), `$${earnStepCents / 100}`] : []
    const promised = bonuses.map(({ amount }: { amount: number }) =>
      unit === 'cent' ? cents(amount) : amount.toLocaleString('en-US'),
    )
    for (const path of ['/account/overview', '/account/recent_activity']) {
      const found = await readAmounts(await openPage(app, partner, path, { visitor }))
      const known = await traceable(email, unit, [...promised, ...step])
      expect(found.length).toBeGreaterThan(0)
      expect(found.filter((amount) => !known.has(amount))).toEqual([])
    }
  })
}

test('every amount of a program that pays statement credits can be traced as well', async () => {
  const { visitor, email } = await signInBankCustomer(app, 'cleo')
  const { id } = await findMerchant(visitor, 'location=60601', ({ offers }) => offers[0]?.type === 'Unlimited')
  await sendManyTransactions(visitor, id)
  const known = await traceable(email, 'cent', ['$20', '$20.00', '$0.00'])
  const [row] = await asOwner<{ balance: number; tier: string; spent: number }>(
    app,
    `select coalesce((select sum(amount) from postings where member_id = m.id), 0)::float8 as balance, tier_level as tier,
       coalesce((select sum(greatest(cleared_cents - refunded_cents, 0)) from transactions
         where member_id = m.id and award_status in ('Awarded', 'Paid')), 0)::float8 as spent
     from members m where m.email = $1`,
    [email],
  )
  const { bonuses, earnRates } = (await visitor.get('/api/PartnerConfig')).json()
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
    const found = await readAmounts(await openPage(app, 'beacon', path, { visitor }))
    expect(found.length).toBeGreaterThanOrEqual(least)
    expect(found.filter((amount) => !known.has(amount))).toEqual([])
  }
})

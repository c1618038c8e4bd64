import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { asOwner } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim } from '../support/claims.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
type Console = Awaited<ReturnType<typeof openConsole>>
let admin: Console
let support: Console

beforeAll(async () => {
  const open = async (role: 'admin' | 'support') => {
    const email = `${role}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: role, role, partners: null, password })
    return openConsole(app, email, password)
  }
  admin = await open('admin')
  support = await open('support')
})

test('only administrators are offered to change something for a member, and a rejected form shows the choice again', async () => {
  const { publicId } = await createCardMember(app)
  const path = `/skyharbor/members/${publicId}`
  const offered = async (session: Console) =>
    /<input[^>]*name="change"[^>]*>/.exec((await session.post(`${path}/look`, { reason: '' })).text)
  expect((await offered(admin))?.[0]).not.toContain('checked')
  expect(await offered(support)).toBeNull()
  // 200 characters are stored, also in several lines, and one more is not.
  for (const [reason, status] of [
    ['Ticket 4711\r\nThe meal is missing', 303],
    ['x'.repeat(201), 400],
    ['x'.repeat(200), 303],
  ] as const) {
    const response = await admin.post(`${path}/look`, { reason, change: 'yes' })
    expect([reason.length, response.status]).toEqual([reason.length, status])
    if (status === 400) expect(/<input[^>]*name="change"[^>]*>/.exec(response.text)?.[0]).toContain('checked=""')
  }
})

test('CON-735 a claim names its card and its restaurant with the city, and of the similar transactions those of unlinked cards', async () => {
  const member = await createCardMember(app)
  const [{ id: cardId }] = (await member.visitor.get('/api/Member/Cards')).json()
  const receipt = { name: 'r.png', type: 'image/png', content: 'iVBORw0KGgo=' }
  const { id } = (await openClaim(member, { cardId, receipt })).json()
  await member.sendTransaction('clearing', '48.00')
  await member.sendTransaction('clearing', '49.00')
  await asOwner(
    app,
    `update transactions set occurred_at = $2, unmatched = case ticket_cents when 4900 then 'card' end,
       member_id = case ticket_cents when 4800 then member_id end
     where member_id = $1`,
    [member.memberId, `${daysAgo(12)}T20:00:00Z`],
  )
  const path = `/api/programs/skyharbor/claims/${id}`
  const { body } = await support.call('GET', path)
  expect(body.cardLastFour).toBe(member.lastFour)
  const states = body.similarTransactions.map(({ cents, isUnmatched }: { cents: number; isUnmatched: boolean }) => [
    cents,
    isUnmatched,
  ])
  expect(states).toEqual([
    [4800, false],
    [4900, true],
  ])
  // The restaurant that was chosen, with its city and page; none where the member has typed a name.
  const [known] = await asOwner<{ id: string; city: string }>(
    app,
    "select public_id as id, city || ', ' || state as city from merchants where participating and city <> '' order by id limit 1",
  )
  const chosen = { merchantId: known?.id, merchantName: 'As typed', amount: '51.00', anotherMeal: true }
  for (const [over, restaurant] of [
    [chosen, { ...known, isParticipating: true }],
    [{ ...chosen, merchantId: undefined, merchantName: 'Nowhere Inn', amount: '52.00' }, null],
  ] as const) {
    const opened = (await openClaim(member, over)).json()
    expect((await support.call('GET', `/api/programs/skyharbor/claims/${opened.id}`)).body.restaurant).toEqual(
      restaurant,
    )
  }
  // A receipt is a file of a stranger: it can run nothing.
  const file = await support.get(`${path}/receipt`)
  expect(file.headers['content-security-policy']).toMatch(/default-src 'none'.*\bsandbox\b/)
  // Without a card none is named.
  const { id: other } = (await openClaim(member, { amount: '50.00', anotherMeal: true })).json()
  expect((await support.call('GET', `/api/programs/skyharbor/claims/${other}`)).body.cardLastFour).toBeNull()
})

test('CON-006 Case 158 a claim shows all transactions of its member, the nearest of unlinked cards, and how many more there are', async () => {
  const member = await createCardMember(app)
  const { id } = (await openClaim(member, { date: daysAgo(16) })).json()
  await member.sendTransaction('clearing', '48.00')
  const add = (count: number, from: number, memberId: number | null) =>
    asOwner(
      app,
      `insert into transactions (partner_id, public_id, network_id, member_id, merchant_id, merchant_name,
         network_location_id, card_last_four, type_code, stage, award_status, ticket_cents, cleared_cents, unit, reason,
         occurred_at, cleared_at, unmatched, benefit)
       select 'skyharbor', $5 || n, $5 || n, $2, t.merchant_id, t.merchant_name, '', '0002', 'S', 'cleared',
         case when $2::bigint is null then 'Forfeit' else 'Awarded' end, $3::bigint + n, $3::bigint + n, 'mile',
         t.reason, $4::timestamptz + n * interval '1 second', $4::timestamptz,
         case when $2::bigint is null then 'card' end, case when $2::bigint is null then 0 else 3 end
       from transactions t, generate_series(1, $1::int) n where t.member_id = $6 and t.type_code = 'S' and t.ticket_cents = 4800`,
      [count, memberId, from, `${daysAgo(16)}T18:00:00Z`, randomUUID(), member.memberId],
    )
  const shown = async () => (await support.call('GET', `/api/programs/skyharbor/claims/${id}`)).body
  await add(25, 4700, member.memberId)
  await add(20, 4800, null)
  const count = ({
    similarTransactions,
  }: {
    similarTransactions: { isUnmatched: boolean; earning: string | null }[]
  }) => [
    similarTransactions.filter(({ isUnmatched }) => isUnmatched).length,
    similarTransactions.filter(({ earning }) => earning !== null).length,
  ]
  const full = await shown()
  expect([...count(full), full.moreUnmatched]).toEqual([20, 25, 0])
  await add(3, 5500, null)
  const cut = await shown()
  expect([...count(cut), cut.moreUnmatched]).toEqual([20, 25, 3])
  // Those that are further from the bill are left out, and what is shown is in the order of time.
  const cents = cut.similarTransactions.map((each: { cents: number }) => each.cents)
  expect(Math.max(...cents)).toBe(4820)
  const times = cut.similarTransactions.map((each: { dinedAt: string }) => each.dinedAt)
  expect(times).toEqual(times.toSorted())
  // Each one that earns is to be confirmed.
  const decided = await decideClaim(support, 'skyharbor', id, { code: 'credited', reward: '144' })
  expect(decided.body.detail.networkIds).toHaveLength(25)
})

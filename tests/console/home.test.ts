import { beforeAll, expect, test } from 'vitest'
import { tasks } from '../../src/console/home/tasks.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { addDays, dayIn } from '../../src/platform/time.ts'
import { asOwner } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { openClaim } from '../support/claims.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor'
let admin: ConsoleSession

beforeAll(async () => {
  const { shared } = app.database.consolePools
  for (const [name, role] of [
    ['ana', 'admin'],
    ['sam', 'support'],
    ['eve', 'editor'],
  ] as const)
    await addOperator(shared, { email: `${name}@dineback.example`, name, role, partners: ['skyharbor'], password })
  admin = await openConsole(app, 'ana@dineback.example', password)
})

interface Task {
  kind: string
  count: number
}

const tasksOf = async (session: ConsoleSession) => {
  const { body } = await session.call('GET', `${program}/home`)
  return Object.fromEntries((body.tasks as Task[]).map(({ kind, count }) => [kind, count]))
}

test('CON-011 each number of the home page is that of the list behind it', async () => {
  expect(await tasksOf(admin)).toEqual({})
  const member = await createCardMember(app)
  const { id } = (await openClaim(member)).json()
  await openClaim(member, { amount: '51.00', anotherMeal: true })
  await asOwner(app, "update claims set respond_by = now() - interval '1 hour' where public_id = $1", [id])
  for (const amount of ['20.00', '21.00']) await member.sendTransaction('clearing', amount)
  await asOwner(app, "update transactions set unmatched = 'merchant', merchant_id = null where member_id = $1", [
    member.memberId,
  ])
  const lists = async () => ({
    claims: (await admin.call('GET', `${program}/claims`)).body.total.count,
    unmatched: (await admin.call('GET', `${program}/unmatched`)).body.total.count,
  })
  expect(await lists()).toEqual({ claims: 2, unmatched: 2 })
  expect(await tasksOf(admin)).toEqual({ lateClaims: 1, ...(await lists()) })
  // What was set aside waits for nobody.
  const { body: queue } = await admin.call('GET', `${program}/unmatched`)
  const reason = { reason: 'Of a restaurant that left' }
  expect((await admin.call('POST', `${program}/unmatched/${queue.items[0].id}/ignore`, reason)).status).toBe(200)
  expect(await lists()).toEqual({ claims: 2, unmatched: 1 })
  expect(await tasksOf(admin)).toEqual({ lateClaims: 1, ...(await lists()) })
  // Who may see no list sees no number.
  expect(await tasksOf(await openConsole(app, 'eve@dineback.example', password))).toEqual({})
})

test('CON-011 CON-700 each number leads to a list of as many, also late meals and requests of others', async () => {
  const member = await createCardMember(app)
  for (const amount of ['30.00', '31.00', '32.00']) await member.sendTransaction('clearing', amount)
  // One meal has waited for longer than fourteen days, one as long as that, less an hour.
  for (const [cents, hours] of [
    [3000, 14 * 24 + 1],
    [3100, 14 * 24 - 1],
    [3200, 1],
  ])
    await asOwner(
      app,
      `update transactions set unmatched = 'merchant', merchant_id = null, occurred_at = now() - make_interval(hours => $1)
        where member_id = $2 and amount_cents = $3`,
      [hours, member.memberId, cents],
    )
  await asOwner(
    app,
    `insert into console.approvals (partner_id, public_id, kind, payload, summary, reason, asked_by)
      select 'skyharbor', 'request-of-' || name, 'adjustment', '{}', 'Credit', 'Ticket', id from console.operators
      where name in ('ana', 'sam')`,
  )
  await asOwner(
    app,
    `insert into feed_files (partner_id, content_hash, name, started_at, finished_at) values
      ('skyharbor', 'a', 'stuck.csv', now() - interval '61 minutes', null),
      ('skyharbor', 'b', 'running.csv', now() - interval '59 minutes', null),
      ('skyharbor', 'c', 'read.csv', now() - interval '2 hours', now())`,
  )
  const counted = await tasksOf(admin)
  expect(counted).toMatchObject({ lateUnmatched: 1, approvals: 1, files: 1 })
  for (const [kind, count] of Object.entries(counted)) {
    const { path } = tasks[kind as keyof typeof tasks]
    const { body } = await admin.call('GET', `${program}/${path}`)
    expect([kind, body.total.count]).toEqual([kind, count])
  }
  // The late one is first in the queue.
  const { body: queue } = await admin.call('GET', `${program}/unmatched`)
  expect(queue.items[0].cents).toBe(3000)
  expect(Object.keys(counted).slice(0, 2)).toEqual(['lateClaims', 'lateUnmatched'])
})

test('CON-012 the figures of the week are those of the ledger, by days of the program, and only for who sees reports', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('clearing', '48.00')
  await member.sendTransaction('clearing', '52.00')
  const week = async () => (await admin.call('GET', `${program}/home`)).body.week
  const figures = async () =>
    Object.fromEntries(
      (await week()).figures.map((each: { kind: string; now: number; before: number }) => [each.kind, each]),
    )
  // Today is in no week yet.
  expect((await figures()).dines).toMatchObject({ now: 0, before: 0 })
  const zone = app.programs.get('skyharbor')?.config.timeZone ?? ''
  const today = dayIn(new Date(), zone)
  expect(await week()).toMatchObject({ from: addDays(today, -7), to: addDays(today, -1) })
  const move = async (days: number) => {
    for (const [table, column] of [
      ['transactions', 'occurred_at'],
      ['journal_entries', 'posted_at'],
    ])
      await asOwner(app, `update ${table} set ${column} = ${column} - make_interval(days => $1)`, [days])
  }
  await move(1)
  const [ledger] = await asOwner<{ rewards: string }>(
    app,
    "select sum(amount)::text as rewards from postings where account = 'member' and partner_id = 'skyharbor'",
  )
  const now = await figures()
  expect(now.dines.now).toBe(2)
  expect(now.spendCents.now).toBe(100_00)
  expect(now.rewards.now).toBe(Number(ledger?.rewards))
  expect(now.rewards.now).toBeGreaterThanOrEqual(300)
  // A week later the same figures are those before.
  await move(7)
  const later = await figures()
  for (const kind of ['dines', 'spendCents', 'rewards', 'revenueCents'])
    expect([kind, later[kind].now, later[kind].before]).toEqual([kind, 0, now[kind].now])
  // The figures of one diner are not for who sees reports only; they are hidden there, too.
  const { shared } = app.database.consolePools
  const marketer = { email: 'mel@dineback.example', name: 'mel', role: 'marketer', partners: null } as const
  await addOperator(shared, { ...marketer, password })
  const reader = await openConsole(app, marketer.email, password)
  expect((await reader.call('GET', `${program}/home`)).body.week).toBeNull()
  const support = await openConsole(app, 'sam@dineback.example', password)
  expect((await support.call('GET', `${program}/home`)).body.week).toBeNull()
})

test('CON-011 the home page of all programs has what waits in each of them, under its own name', async () => {
  const { shared } = app.database.consolePools
  await addOperator(shared, { email: 'ulf@dineback.example', name: 'ulf', role: 'admin', partners: null, password })
  const everywhere = await openConsole(app, 'ulf@dineback.example', password)
  const homes = (await everywhere.call('GET', '/api/home')).json<{ program: string; tasks: Task[] }[]>()
  expect(homes.map((home) => home.program).toSorted()).toEqual([...app.programs.keys()].toSorted())
  const { tasks } = homes.find((home) => home.program === 'skyharbor') ?? { tasks: [] }
  // What the other administrator has asked for waits for this one, too.
  const { approvals, ...others } = Object.fromEntries(tasks.map(({ kind, count }) => [kind, count]))
  expect({ ...others, approvals: (approvals ?? 0) - 1 }).toEqual(await tasksOf(admin))
})

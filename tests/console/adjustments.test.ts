import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { readTransactionsAndCredits } from '../../src/rewards/activity/read-activity.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { readDineSummary } from '../../src/rewards/awards/dining-progress.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { createCardMember } from '../support/card-member.ts'
import { openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMember, createTestContext } from '../support/rewards-harness.ts'

const app = setUpTestApp()

test('CON-114 a member sees a credit and a debit in the activity, in its file and in the number of the year', async () => {
  const partner = 'skyharbor'
  await withoutBotCheck(partner, app)
  const [email, password] = [`${randomUUID()}@dineback.example`, 'sourdough 4 breakfast']
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  const { call } = await openConsole(app, email, password)
  const member = await createCardMember(app, partner)
  const own = `/api/programs/${partner}/members/${member.publicId}`
  const adjust = async (direction: 'credit' | 'debit', amount: string) => {
    const { balance } = (await call('GET', own)).body
    const reason = 'An internal note about Olga'
    const body = { direction, amount, key: randomUUID(), expected: balance, reason }
    const { body: done } = await call('POST', `${own}/adjustments`, body)
    expect(done.state).toBe('posted')
  }
  const get = async (address: string) => (await member.visitor.get(address)).json()
  const path = '/api/Member/Transactions?pageNo=1&resultsPerPage=10'
  const ytd = async () => (await get('/api/Member')).diningProgress.ytdMilesOrDollars
  expect([(await get(path)).data, await ytd()]).toEqual([[], 0])
  await adjust('credit', '300')
  await adjust('debit', '120')
  const { data, totalResultSize } = await get(path)
  expect(data.map(({ kind, amount }: { kind: string; amount: number }) => [kind, amount])).toEqual([
    ['adjustment', -120],
    ['adjustment', 300],
  ])
  expect(totalResultSize).toBe(2)
  expect(await ytd()).toBe(180)
  // What the operator wrote for the audit log is not for the member.
  expect(JSON.stringify(data)).not.toContain('Olga')
  const file = (await member.visitor.get('/api/Member/Activity/Export')).text
  expect(file).toContain('Taken back by customer service,,,,,-120,miles')
  expect(file).toContain('Added by customer service,,,,,300,miles')
  // Both are of this month, and both have been posted.
  const of = async (filter: string) => (await get(`${path}&${filter}`)).data.length
  const month = data[0].date.slice(0, 7)
  expect(await Promise.all(['status=earned', `period=${month}`, 'period=2020', 'status=pending'].map(of))).toEqual([
    2, 2, 0, 0,
  ])
})

test('CON-736 a request shows what approving it does now, beside what it was when it was asked for', async () => {
  const open = async (name: string) => {
    const operator = { email: `${randomUUID()}@dineback.example`, password: 'sourdough 4 breakfast' }
    await addOperator(app.database.consolePools.shared, { ...operator, name, role: 'admin', partners: null })
    return openConsole(app, operator.email, operator.password)
  }
  const [asker, second] = [await open('Ada'), await open('Ben')]
  const ctx = createTestContext(app.database, 'skyharbor')
  const { memberId, publicId } = await createCardMember(app, 'skyharbor')
  const program = '/api/programs/skyharbor'
  const balance = async () => (await asker.call('GET', `${program}/members/${publicId}`)).body.balance
  const body = { direction: 'credit', amount: '5001', key: randomUUID(), expected: '0 miles', reason: 'Compensation' }
  const { body: done } = await asker.call('POST', `${program}/members/${publicId}/adjustments`, body)
  const path = `${program}/approvals/${done.approval}`
  const shown = async () => (await second.call('GET', path)).body
  const asked = { before: '0 miles', after: '5,001 miles' }
  expect(await shown()).toMatchObject({ state: 'open', summary: 'Credit of 5,001 miles', asked, effect: asked })
  await inTransaction(ctx.db, (tx) =>
    postAdjustment(tx, ctx, { id: randomUUID(), memberId, amount: 30, words: 'Meanwhile', by: ['Ada'] }),
  )
  const effect = { before: '30 miles', after: '5,031 miles' }
  expect(await shown()).toMatchObject({ asked, effect })
  // Looking has posted nothing, and what was shown before is not approved.
  expect(await balance()).toBe('30 miles')
  const approve = (expected: string) =>
    second.call('POST', `${path}/decision`, { decision: 'approve', reason: '', expected })
  expect((await approve('0 miles')).body.code).toBe('conflict')
  expect([await balance(), (await shown()).state]).toEqual(['30 miles', 'open'])
  expect((await approve('30 miles')).body).toMatchObject({ state: 'approved', asked, effect: null })
  expect(await balance()).toBe('5,031 miles')
})

test('CON-737 an amount that cannot be posted is refused in the words of a credit or debit', async () => {
  const [email, password] = [`${randomUUID()}@dineback.example`, 'sourdough 4 breakfast']
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  const { call } = await openConsole(app, email, password)
  for (const [partner, direction, amount, message] of [
    ['skyharbor', 'debit', '1.5', 'Enter the amount as a whole number from 1 to 1,000,000.'],
    ['skyharbor', 'credit', '0', 'Enter the amount as a whole number from 1 to 1,000,000.'],
    ['gallonaire', 'debit', 'ten', 'Enter the amount in dollars, from $0.01 to $10,000.00, such as 1.25.'],
  ] as const) {
    const [member] = await asOwner<{ id: string }>(
      app,
      'select public_id as id from members where partner_id = $1 and deleted_at is null limit 1',
      [partner],
    )
    const id = member?.id ?? (await createCardMember(app, partner)).publicId
    const path = `/api/programs/${partner}/members/${id}/adjustments`
    const given = { direction, amount, key: randomUUID(), expected: '', reason: 'A correction' }
    for (const [address, body] of [
      [`${path.slice(0, -1)}-preview`, { direction, amount }],
      [path, given],
    ] as const)
      expect([address, (await call('POST', address, body)).body]).toEqual([address, [{ field: 'amount', message }]])
  }
})

test('CON-736 a request that can no longer be carried out says so', async () => {
  const [email, password] = [`${randomUUID()}@dineback.example`, 'sourdough 4 breakfast']
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  const { call } = await openConsole(app, email, password)
  const { memberId, publicId } = await createCardMember(app, 'skyharbor')
  const body = { direction: 'debit', amount: '5001', key: randomUUID(), expected: '0 miles', reason: 'Taken back' }
  const asked = await call('POST', `/api/programs/skyharbor/members/${publicId}/adjustments`, body)
  await asOwner(app, 'update members set deleted_at = now() where id = $1', [memberId])
  const { body: shown } = await call('GET', `/api/programs/skyharbor/approvals/${asked.body.approval}`)
  expect(shown).toMatchObject({ state: 'open', effect: null, asked: { before: '0 miles', after: '−5,001 miles' } })
})

test('CON-770 who was invited, or given access, by the one who asks approves nothing of it for thirty days', async () => {
  const password = 'sourdough 4 breakfast'
  const email = `${randomUUID()}@dineback.example`
  await addOperator(app.database.consolePools.shared, { email, name: 'Ada', role: 'admin', partners: null, password })
  const asker = await openConsole(app, email, password)
  const grants = [{ role: 'administrator', program: null }]
  const puppetEmail = `${randomUUID()}@dineback.example`
  const invited = (await asker.call('POST', '/api/operators', { email: puppetEmail, name: 'Puppet', grants })).body
  const puppet = await openConsole(app, puppetEmail, invited.secrets.password)
  const { publicId } = await createCardMember(app, 'skyharbor')
  const program = '/api/programs/skyharbor'
  const body = { direction: 'credit', amount: '5001', key: randomUUID(), expected: '0 miles', reason: 'Compensation' }
  const { approval } = (await asker.call('POST', `${program}/members/${publicId}/adjustments`, body)).body
  const decide = (decision: string) => puppet.call('POST', `${program}/approvals/${approval}/decision`, { decision })
  const refused = await decide('approve')
  expect([refused.status, refused.body.code]).toEqual([403, 'dependentOperator'])
  expect((await asker.call('GET', `${program}/members/${publicId}`)).body.balance).toBe('0 miles')
  await asOwner(app, "update console.acts set at = at - interval '31 days' where object_id = $1", [
    `${invited.operator.id}`,
  ])
  expect((await decide('approve')).status).toBe(200)
})

test('CON-114 in a program of statement credits it is dollars', async () => {
  const ctx = createTestContext(app.database, 'beacon')
  const memberId = await addMember(ctx.db)
  await inTransaction(ctx.db, (tx) =>
    postAdjustment(tx, ctx, { id: randomUUID(), memberId, amount: 125, words: 'A late reward', by: ['Ada'] }),
  )
  const { data } = await readTransactionsAndCredits(ctx, memberId, { pageNo: 1, resultsPerPage: 10 })
  expect(data).toMatchObject([{ kind: 'adjustment', amount: 1.25 }])
  expect((await readDineSummary(ctx, memberId)).currentYearBenefits).toBe(1.25)
})

test('CON-114 the year of an adjustment is that of the program’s time zone', async () => {
  const ctx = createTestContext(app.database, 'skyharbor', new Date('2026-06-01T12:00:00Z'))
  const memberId = await addMember(ctx.db)
  const id = randomUUID()
  await inTransaction(ctx.db, (tx) => postAdjustment(tx, ctx, { id, memberId, amount: 70, words: 'Late', by: ['Ada'] }))
  const sumAt = async (postedAt: string) => {
    await asOwner(app, 'update journal_entries set posted_at = $2 where source_id = $1', [id, postedAt])
    return (await readDineSummary(ctx, memberId)).currentYearBenefits
  }
  // The year begins at five o’clock UTC in New York.
  expect(ctx.program.config.timeZone).toBe('America/New_York')
  const moments = ['2026-01-01T04:59:59Z', '2026-01-01T05:00:00Z', '2027-01-01T04:59:59Z', '2027-01-01T05:00:00Z']
  const sums = []
  for (const moment of moments) sums.push(await sumAt(moment))
  expect(sums).toEqual([0, 70, 70, 0])
})

test('CON-114 the same request is posted once, alone, by an approval, and for another member', async () => {
  const password = 'sourdough 4 breakfast'
  const openOperator = async () => {
    const email = `${randomUUID()}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name: email, role: 'admin', partners: null, password })
    return (await openConsole(app, email, password)).call
  }
  const [call, approve] = [await openOperator(), await openOperator()]
  const { db } = createTestContext(app.database, 'skyharbor')
  const newMember = async () => {
    const id = await addMember(db)
    const row = await db.selectFrom('members').select('public_id').where('id', '=', id).executeTakeFirstOrThrow()
    return `/api/programs/skyharbor/members/${row.public_id}`
  }
  const [one, other] = [await newMember(), await newMember()]
  const adjust = async (member: string, amount: string, key: string) => {
    const { balance } = (await call('GET', member)).body
    const body = { direction: 'credit', amount, key, expected: balance, reason: 'A late reward' }
    const { status, body: done } = await call('POST', `${member}/adjustments`, body)
    return [status, done.state ?? done.code, done.approval]
  }
  const [posted, asked] = [randomUUID(), randomUUID()]
  expect(await adjust(one, '100', posted)).toEqual([200, 'posted', null])
  for (const member of [one, other]) expect(await adjust(member, '100', posted)).toEqual([409, 'conflict', undefined])
  const [, , first] = await adjust(one, '90,000', asked)
  expect(await adjust(one, '90,000', asked)).toEqual([409, 'conflict', undefined])
  const [, , again] = await adjust(one, '90,000', posted)
  const decide = (id: string) =>
    approve('POST', `/api/programs/skyharbor/approvals/${id}/decision`, { decision: 'approve', reason: '' })
  expect([(await decide(first)).status, (await decide(again)).status]).toEqual([200, 409])
  expect((await call('GET', one)).body.balance).toBe('90,100 miles')
  expect((await call('GET', other)).body.balance).toBe('0 miles')
})

import { sql } from 'kysely'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { purgeReceipts } from '../../src/rewards/claims/service.ts'
import { dayText } from '../../src/rewards/earning/explain.ts'
import { asOwner, visit } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { claimForm, daysAgo, openClaim } from '../support/claims.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard } from '../support/members.ts'
import { findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'

beforeAll(async () => {
  const operators = [
    { email: 'sam@dineback.example', name: 'Sam Support', role: 'support', partners: ['skyharbor'] },
    { email: 'sue@dineback.example', name: 'Sue Support', role: 'support', partners: ['skyharbor'] },
    { email: 'gus@dineback.example', name: 'Gus Support', role: 'support', partners: ['gallonaire'] },
    { email: 'eve@dineback.example', name: 'Eve Editor', role: 'editor', partners: null },
  ] as const
  for (const operator of operators) await addOperator(app.database.consolePools.shared, { ...operator, password })
})

const db = () => app.database.pools.forPartner('skyharbor')
const png = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.from('my secret receipt'),
])

const explain = async (member: CardMember, over: Record<string, unknown> = {}) =>
  (await member.visitor.change('POST', '/api/Member/MissingMeals', claimForm(member, over))).json()
const keys = (explanation: { findings: { key: string }[] }) => explanation.findings.map(({ key }) => key)

test('an existing transaction is found, with or without tip, with the reason for its award', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('clearing', '48.00')
  const found = await explain(member, { date: daysAgo(0), amount: '40.00' })
  expect([found.outcome, keys(found)]).toEqual(['found', ['claims.found', 'rewards.why.earned']])
  // Of several similar ones, the one nearest in its amount is named, then the one nearest to the day.
  for (const amount of ['42.10', '50.00', '44.00']) await member.sendTransaction('clearing', amount)
  const named = async (amount: string, date = daysAgo(0)) =>
    (await explain(member, { date, amount })).findings[0].params
  expect(await named('50.00')).toMatchObject({ amount: '$50.00' })
  expect(await named('41.00')).toMatchObject({ amount: '$42.10' })
  const at = (day: string) =>
    asOwner(app, 'update transactions set occurred_at = $2 where member_id = $1 and ticket_cents = 4400', [
      member.memberId,
      `${day}T20:00:00Z`,
    ])
  await at(daysAgo(20))
  await member.sendTransaction('clearing', '44.00')
  const [{ date }] = (await asOwner<{ date: string }>(
    app,
    `update transactions set occurred_at = $2 where id = (select max(id) from transactions where member_id = $1)
     returning occurred_at::date as date`,
    [member.memberId, `${daysAgo(19)}T20:00:00Z`],
  )) as [{ date: string }]
  expect(await named('44.00', date)).toMatchObject({ amount: '$44.00', date: dayText(daysAgo(19)) })
})

test('a card that was not linked then, is no longer linked, or never was has its own message for each case', async () => {
  const member = await createCardMember(app)
  const { memberId } = member
  await sql`update cards set linked_at = now() - interval '5 days' where member_id = ${memberId}`.execute(db())
  expect(keys(await explain(member))).toEqual(['claims.card_later'])
  await sql`update cards set linked_at = now() - interval '90 days' where member_id = ${memberId}`.execute(db())
  const [card] = (await member.visitor.get('/api/Member/Cards')).json()
  expect((await explain(member, { cardId: card.id })).outcome).toBe('unexplained')
  await sql`update cards set removed_at = now() - interval '60 days' where member_id = ${memberId}`.execute(db())
  expect(keys(await explain(member))).toEqual(['claims.card_gone'])
  expect(keys(await explain(member, { cardId: 'of-another-member' }))).toEqual(['claims.no_card'])
  // Another card was linked then, and the member paid with the first one.
  await linkCard(app, member)
  await sql`update cards set linked_at = now() - interval '90 days' where member_id = ${memberId} and removed_at is null`.execute(
    db(),
  )
  expect((await explain(member)).outcome).toBe('unexplained')
  expect(keys(await explain(member, { cardId: card.id }))).toEqual(['claims.card_gone'])
  // Of two cards that were linked later, the one that was linked first is named.
  await sql`update cards set removed_at = null, linked_at = now() - case public_id when ${card.id} then interval '5 days'
    else interval '3 days' end where member_id = ${memberId}`.execute(db())
  const later = await explain(member)
  expect([keys(later), later.findings[0].params.lastFour]).toEqual([['claims.card_later'], member.lastFour])
})

test('reasons of the restaurant or the offer use the messages of the award engine', async () => {
  const member = await createCardMember(app)
  const { shared } = app.database.pools
  await sql`update merchants set left_on = ${daysAgo(40)} where id = ${member.merchant.id}`.execute(shared)
  expect(await explain(member)).toMatchObject({ outcome: 'explained', findings: [{ key: 'rewards.why.merchantLeft' }] })
  await sql`update merchants set left_on = null where id = ${member.merchant.id}`.execute(shared)
  const weekday = new Date(`${daysAgo(12)}T12:00:00Z`).getUTCDay()
  await sql`update merchant_offers set days = array[${(weekday + 1) % 7}]::smallint[] where merchant_id = ${member.merchant.id}`.execute(
    shared,
  )
  expect(keys(await explain(member))).toEqual(['rewards.why.dayWithoutReward'])
  // Without a time of payment, it is seven in the evening at the restaurant.
  const offer = (from: string, until: string) =>
    sql`update merchant_offers set days = '{0,1,2,3,4,5,6}', from_time = ${from}, until_time = ${until}
      where merchant_id = ${member.merchant.id}`.execute(shared)
  await offer('18:59', '19:01')
  expect((await explain(member)).outcome).toBe('unexplained')
  // The member may have eaten at another time.
  await offer('12:00', '18:00')
  const lunch = await explain(member)
  expect([lunch.outcome, keys(lunch).slice(0, 2)]).toEqual([
    'unexplained',
    ['rewards.why.hourWithoutReward', 'claims.would_earn_in_time'],
  ])
  await offer('18:00', '23:00')
  await sql`update cards set linked_at = ${`${daysAgo(12)}T20:00:00`}::timestamp at time zone 'America/New_York'
    where member_id = ${member.memberId}`.execute(db())
  const linked = await explain(member)
  expect([linked.outcome, keys(linked).slice(0, 2)]).toEqual([
    'unexplained',
    ['rewards.why.cardLinkedTooLate', 'claims.would_earn_in_time'],
  ])
})

test('a meal that was found, and a card that was linked later, have the day at the restaurant', async () => {
  const member = await createCardMember(app)
  const { memberId } = member
  await member.sendTransaction('clearing', '42.10')
  // A quarter past eight in the evening of the day before in New York.
  await asOwner(app, 'update transactions set occurred_at = $2 where member_id = $1', [
    memberId,
    `${daysAgo(11)}T01:15:00Z`,
  ])
  const found = await explain(member, { date: daysAgo(12), amount: '42.10' })
  expect([found.outcome, found.findings[0].params.date]).toEqual(['found', dayText(daysAgo(12))])
  await asOwner(app, 'update cards set linked_at = $2 where member_id = $1', [memberId, `${daysAgo(4)}T01:15:00Z`])
  const later = await explain(member, { date: daysAgo(20) })
  expect(later.findings[0]).toMatchObject({ key: 'claims.card_later', params: { date: dayText(daysAgo(5)) } })
})

test('HIST-024 the member must wait ten days, and on the eleventh a claim can be opened', async () => {
  const member = await createCardMember(app)
  const waiting = await explain(member, { date: daysAgo(10) })
  expect([waiting.outcome, keys(waiting)]).toEqual(['wait', ['claims.would_earn', 'claims.wait']])
  expect(waiting.findings.at(-1).params).toEqual({ until: dayText(daysAgo(0)) })
  expect((await openClaim(member, { date: daysAgo(10) })).json().code).toBe('claimTooEarly')
  expect((await explain(member, { date: daysAgo(11) })).outcome).toBe('unexplained')
  expect((await openClaim(member, { date: daysAgo(11) })).status).toBe(200)
})

test('an unknown restaurant is accepted without an explanation, and a future date or invalid amount is rejected', async () => {
  const member = await createCardMember(app)
  const unknown = await explain(member, { merchantId: undefined, merchantName: 'Nowhere Diner' })
  expect([unknown.outcome, keys(unknown)]).toEqual(['unexplained', ['claims.unknown_place']])
  for (const over of [
    { date: daysAgo(-3) },
    { date: 'soon' },
    { amount: '0.00' },
    { amount: 'ten' },
    { merchantName: 'x' },
  ]) {
    const response = await member.visitor.change('POST', '/api/Member/MissingMeals', claimForm(member, over))
    expect([over, response.status]).toEqual([over, 400])
  }
  expect((await openClaim(member, { date: daysAgo(-3) })).status).toBe(400)
  const large = await member.visitor.change('POST', '/api/Member/MissingMeals', claimForm(member, { amount: '100000' }))
  expect(large.text).toContain('Enter an amount from $0.01 to $99,999.99')
})

test('a restaurant that was only named is found in any case, unless several have this name', async () => {
  const [member, other] = [await createCardMember(app), await createCardMember(app)]
  const named = async (merchantName: string) => keys(await explain(member, { merchantId: undefined, merchantName }))
  expect(await named('corner bistro')).toEqual(['claims.several_places'])
  await asOwner(app, 'update merchants set name = $2 where id = $1', [other.merchant.id, 'Café Olé'])
  // As people write it: without accents, with a full stop, by a part of the name.
  for (const typed of ['CAFÉ OLÉ', 'cafe ole.', '  Café   Olé', 'olé'])
    expect([typed, await named(typed)]).toEqual([typed, ['claims.would_earn', 'claims.may_be_processor']])
  expect(await named('Café Ohlala')).toEqual(['claims.unknown_place'])
  // A meal of the own history is found by a part of its name, also where several restaurants have it.
  await member.sendTransaction('clearing', '61.00')
  const found = await explain(member, {
    merchantId: undefined,
    merchantName: 'Bistro.',
    amount: '61',
    date: daysAgo(0),
  })
  expect(found.outcome).toBe('found')
})

test('a transaction at an unknown restaurant is found by its name in any case, before its final amount arrives', async () => {
  const member = await createCardMember(app)
  await member.sendTransaction('auth', '40.00')
  const change = "update transactions set merchant_id = null, merchant_name = 'Nowhere Diner' where member_id = $1"
  await asOwner(app, change, [member.memberId])
  const outcomeOf = async (amount: string) => {
    const about = { date: daysAgo(0), merchantId: undefined, merchantName: 'NOWHERE diner', amount }
    return (await explain(member, about)).outcome
  }
  // It may be from 70 % to 140 % of the amount that the member names.
  const amounts = ['28.57', '28.58', '57.14', '57.15']
  const outcomes: string[] = []
  for (const amount of amounts) outcomes.push(await outcomeOf(amount))
  expect(outcomes).toEqual(['wait', 'found', 'found', 'wait'])
})

test('a transaction without a restaurant is found by its name when the member chose one, and that of another is not', async () => {
  const [member, other] = [await createCardMember(app), await createCardMember(app)]
  await member.sendTransaction('clearing', '40.00')
  const outcomeOf = async (merchantId: string) => {
    const about = { date: daysAgo(0), merchantId, merchantName: 'Corner Bistro', amount: '40.00' }
    return (await explain(member, about)).outcome
  }
  const chosen = member.merchant.slug
  expect(await outcomeOf(other.merchant.slug)).toBe('wait')
  await asOwner(app, 'update transactions set merchant_id = null where member_id = $1', [member.memberId])
  expect(await outcomeOf(chosen)).toBe('found')
  await asOwner(app, "update transactions set merchant_name = 'Nowhere Diner' where member_id = $1", [member.memberId])
  expect(await outcomeOf(chosen)).toBe('wait')
})

test('ten concurrent requests open one claim, visible to its member only', async () => {
  const [member, other] = [await createCardMember(app), await createCardMember(app)]
  const responses = await Promise.all(Array.from({ length: 10 }, () => openClaim(member, { note: 'By the window.' })))
  expect(new Set(responses.map((response) => response.json().id)).size).toBe(1)
  expect((await member.visitor.get('/api/Member/Claims')).json()).toHaveLength(1)
  // What is sent with another claim would be ignored, so none is offered.
  const again = await explain(member, { merchantName: 'CORNER BISTRO' })
  expect([again.outcome, keys(again)]).toEqual(['claimed', ['claims.already_claimed']])
  expect((await explain(member, { amount: '120' })).outcome).toBe('unexplained')
  expect((await other.visitor.get('/api/Member/Claims')).json()).toEqual([])
})

test('a claim sent again is the same claim in every alphabet', async () => {
  const member = await createCardMember(app)
  for (const merchantName of ['İSTANBUL ΟΔΟΣ', 'CAFÉ OLÉ']) {
    const unnamed = { merchantName, merchantId: undefined }
    const [first, again] = [await openClaim(member, unnamed), await openClaim(member, unnamed)]
    expect([merchantName, first.status, again.status]).toEqual([merchantName, 200, 200])
    expect(again.json().id).toBe(first.json().id)
  }
  // The newest is listed first.
  const listed = (await member.visitor.get('/api/Member/Claims')).json<{ merchantName: string }[]>()
  expect(listed.map(({ merchantName }) => merchantName)).toEqual(['CAFÉ OLÉ', 'İSTANBUL ΟΔΟΣ'])
})

test('a receipt must have its declared type and be small enough', async () => {
  const member = await createCardMember(app)
  const receipt = (bytes: Buffer, type = 'image/png') => ({ name: 'r.png', type, content: bytes.toString('base64') })
  const send = async (sent: unknown) => {
    const response = await openClaim(member, { receipt: sent })
    return [response.status, response.status === 200 ? null : response.json()[0].message]
  }
  expect(await send(receipt(Buffer.from('<script>')))).toEqual([400, 'Choose a photo (JPEG, PNG or WebP) or a PDF.'])
  expect((await send(receipt(png, 'text/html')))[0]).toBe(400)
  const padded = (length: number) => Buffer.concat([png, Buffer.alloc(length - png.length)])
  expect((await send(receipt(padded(2_097_153))))[0]).toBe(400)
  expect(await send(receipt(padded(2_097_152)))).toEqual([200, null])
})

test('a receipt of nobody is rejected before it is parsed', async () => {
  const unread = `{"receipt":"${'a'.repeat(2_000_000)}`
  expect((await visit(app, 'skyharbor').send('POST', '/api/Member/Claims', unread)).status).toBe(401)
})

test('the receipts of a member may have ten megabytes in all', async () => {
  const member = await createCardMember(app)
  const send = async (days: number) => {
    const receipt = { name: 'r.png', type: 'image/png', content: png.toString('base64') }
    const response = await openClaim(member, { date: daysAgo(days), receipt, anotherMeal: true })
    return response.status === 200 ? 200 : response.json()[0].field
  }
  for (const days of [12, 13, 14, 15, 16]) expect([days, await send(days)]).toEqual([days, 200])
  // Five of two megabytes each, one of them smaller by the size of the next.
  await asOwner(
    app,
    `update claims set receipt = convert_to(repeat('x', 2097152 - case transaction_date when $2 then $3 else 0 end), 'UTF8')
     where member_id = $1`,
    [member.memberId, daysAgo(12), png.length],
  )
  expect([await send(17), await send(18)]).toEqual([200, 'receipt'])
})

test('CON-008 support decides once; the award is posted, the member is notified, the ledger balances', async () => {
  const member = await createCardMember(app)
  const receipt = { name: 'r.png', type: 'image/png', content: png.toString('base64') }
  const { id } = (await openClaim(member, { receipt, note: 'Paid at the bar.' })).json()
  const consoleSession = await openConsole(app, 'sam@dineback.example', password)
  const claims = '/api/programs/skyharbor/claims'
  const { body: queue } = await consoleSession.call('GET', claims)
  expect(queue.items.map((claim: { id: string }) => claim.id)).toContain(id)
  const { body: shown } = await consoleSession.call('GET', `${claims}/${id}`)
  expect(shown).toMatchObject({ note: 'Paid at the bar.', suggestedReward: '144', rewardUnit: 'miles' })
  expect(shown.findings).toContain('From what we know, it should have earned 144 miles.')
  // 146.97 miles: fractions are dropped, as in every award.
  const { id: uneven } = (await openClaim(await createCardMember(app), { amount: '48.99' })).json()
  expect((await consoleSession.call('GET', `${claims}/${uneven}`)).body.suggestedReward).toBe('146')
  // The reward at the member's own rate, as the member was told.
  const lower = await createCardMember(app, 'skyharbor', { emailOptIn: false })
  const { id: lowerId } = (await openClaim(lower)).json()
  const { body: atLowerRate } = await consoleSession.call('GET', `${claims}/${lowerId}`)
  expect([atLowerRate.suggestedReward, atLowerRate.findings.join(' ')]).toEqual([
    '48',
    expect.stringContaining('should have earned 48 miles.'),
  ])
  const file = await consoleSession.get(`${claims}/${id}/receipt`)
  expect([file.headers['content-type'], file.headers['content-disposition']]).toEqual([
    'image/png',
    'attachment; filename="receipt"',
  ])
  const send = (decision: Parameters<typeof decideClaim>[3], claim = id) =>
    decideClaim(consoleSession, 'skyharbor', claim, decision)
  for (const reward of ['', '0', '-1', '1.5', 'many', '1,000,001', '1,00']) {
    const { status, body } = await send({ code: 'credited', reward, words: 'Sorry & thanks' })
    const message = 'To credit it, enter the reward as a whole number from 1 to 1,000,000.'
    expect([reward, status, body]).toEqual([reward, 400, [{ field: 'reward', message }]])
  }
  const long = await send({ code: 'noEvidence', words: 'x'.repeat(501) })
  expect([long.status, long.body]).toEqual([
    400,
    [{ field: 'words', message: 'The message may have at most 500 characters.' }],
  ])
  const decide = (reward: string, words = 'The network lost it.', confirmedReward = '') =>
    send({ code: 'credited', reward, words, confirmedReward })
  // More than twice the expected reward needs a confirmation of just this reward.
  for (const [reward, confirmed] of [
    ['289', ''],
    ['1,440', '289'],
  ] as const) {
    const asked = await decide(reward, 'The network lost it.', confirmed)
    expect([asked.status, asked.body.code, asked.body.detail]).toEqual([409, 'largeReward', { usual: '144 miles' }])
  }
  // Exactly twice the expected reward needs none.
  expect((await send({ code: 'credited', reward: '292' }, uneven)).status).toBe(200)
  // Browsers send two characters for the end of a line, and count one.
  const words = `The network lost it.${'\r\n'.repeat(10)}${'x'.repeat(470)}`
  // Sent twice, as by a double click, it is decided once.
  for (const _ of [1, 2]) expect((await decide('1,440', words, '1440')).status).toBe(200)
  const late = await decide('99999')
  for (const each of [late, await decide('many')]) expect([each.status, each.body.code]).toEqual([409, 'claimDecided'])
  // The same decision of a colleague is not the stored one.
  const colleague = await openConsole(app, 'sue@dineback.example', password)
  const same = { code: 'credited', reward: '1,440', words, confirmedReward: '1440' }
  expect((await decideClaim(colleague, 'skyharbor', id, same)).status).toBe(409)
  const { body: decided } = await consoleSession.call('GET', `${claims}/${id}`)
  expect(decided.decision).toMatchObject({ reward: '1,440 miles', by: 'Sam Support' })
  await vi.waitFor(async () => {
    const [entry] = await member.listTransactions()
    // Its time is not known.
    const credited = { transactionTypeCode: 'M', benefitAmount: 1440, timeZone: null, date: daysAgo(12) }
    expect(entry).toMatchObject({ ...credited, merchantName: 'Corner Bistro' })
  }, 15_000)
  const [settled] = (await member.visitor.get('/api/Member/Claims')).json()
  expect(settled.decision).toMatchObject({ code: 'credited', words: expect.stringContaining('The network lost it.') })
  const { mails: emails } = (await member.visitor.get('/api/staging/outbox')).json()
  expect(emails.filter((sentEmail: { text: string }) => sentEmail.text.includes('The network lost it.'))).toHaveLength(
    1,
  )
  expect(await findLedgerViolations(db())).toEqual([])
  const [only, ...others] = await member.listTransactions()
  expect(others).toEqual([])
  // The credit is listed as a transaction: it has a timeline and can be reviewed.
  const timeline = await member.visitor.get(`/api/Member/Transactions/${only.sourceTransactionId}/Story`)
  expect(timeline.json().steps.map(({ key }: { key: string }) => key)).toEqual(['rewards.story.posted'])
})

test('support decides in dollars where rewards are money', async () => {
  const member = await createCardMember(app, 'gallonaire')
  const { id } = (await openClaim(member, { amount: '100.00' })).json()
  const consoleSession = await openConsole(app, 'gus@dineback.example', password)
  const read = async (claim: string) =>
    (await consoleSession.call('GET', `/api/programs/gallonaire/claims/${claim}`)).body
  expect(await read(id)).toMatchObject({ suggestedReward: '0.20', rewardUnit: 'dollars per gallon' })
  const credit = (claim: string, reward: string) =>
    decideClaim(consoleSession, 'gallonaire', claim, { code: 'credited', reward })
  expect((await credit(id, '20.555')).status).toBe(400)
  expect((await credit(id, '$0.20')).status).toBe(200)
  // Without a restaurant, the suggestion is for whole steps of the bill; one that rounds to nothing may be two cents.
  const nowhere = { merchantId: undefined, merchantName: 'Nowhere Diner' }
  const { id: large } = (await openClaim(member, { ...nowhere, amount: '149.00' })).json()
  expect((await read(large)).suggestedReward).toBe('0.20')
  const { id: small } = (await openClaim(member, { ...nowhere, amount: '49.00' })).json()
  const statuses = []
  for (const reward of ['0.03', '0.02']) statuses.push((await credit(small, reward)).status)
  expect(statuses).toEqual([409, 200])
  expect((await read(id)).decision).toMatchObject({ reward: '20¢ per gallon', by: 'Gus Support' })
})

test('open claims are listed by their deadline, and none of a deleted account', async () => {
  const member = await createCardMember(app)
  const ids: string[] = []
  for (const [merchantName, respondBy] of [
    ['Second Place', "now() - interval '1 minute'"],
    ['Third Place', "now() + interval '1 day'"],
    ['First Place', "now() - interval '1 day'"],
  ] as const) {
    const { id } = (await openClaim(member, { merchantId: undefined, merchantName })).json()
    await asOwner(app, `update claims set respond_by = ${respondBy} where public_id = $1`, [id])
    ids.push(id)
  }
  const sam = await openConsole(app, 'sam@dineback.example', password)
  const listed = async () => {
    const { body } = await sam.call('GET', '/api/programs/skyharbor/claims?q=place')
    return body.items.map(({ merchantName, respondBy }: { merchantName: string; respondBy: string }) => [
      merchantName,
      Date.parse(respondBy) < Date.now(),
    ])
  }
  expect(await listed()).toEqual([
    ['First Place', true],
    ['Second Place', true],
    ['Third Place', false],
  ])
  await asOwner(app, 'update members set deleted_at = now() where id = $1', [member.memberId])
  expect(await listed()).toEqual([])
  expect((await sam.call('GET', `/api/programs/skyharbor/claims/${ids[0]}`)).status).toBe(404)
})

test('editors and support of other programs have no access', async () => {
  const member = await createCardMember(app)
  const { id } = (await openClaim(member)).json()
  const editor = await openConsole(app, 'eve@dineback.example', password)
  expect((await editor.call('GET', `/api/programs/skyharbor/claims/${id}`)).status).toBe(403)
  const sam = await openConsole(app, 'sam@dineback.example', password)
  // Somebody else's program looks like one that does not exist.
  for (const other of ['gallonaire', 'nowhere'])
    expect([other, (await sam.call('GET', `/api/programs/${other}/claims`)).status]).toEqual([other, 404])
})

test('Case 62 a deleted account’s claim texts and receipts are deleted, and its open claims are withdrawn', async () => {
  const member = await createCardMember(app)
  const receipt = { name: 'r.png', type: 'image/png', content: png.toString('base64') }
  await openClaim(member, { receipt, note: 'My secret note.' })
  await member.visitor.change('POST', '/api/Member/Prove', { password })
  expect((await member.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })).status).toBe(200)
  const rows = await asOwner(
    app,
    `select note, receipt, receipt_name, decision ->> 'code' as code, decided_at is not null as decided,
       settled_at is not null as settled from claims where member_id = $1`,
    [member.memberId],
  )
  const closed = { code: 'withdrawn', decided: true, settled: true }
  expect(rows).toEqual([{ note: '', receipt: null, receipt_name: null, ...closed }])
})

describe('limits', () => {
  const burst = (member: CardMember, count: number, over: (index: number) => Record<string, unknown>) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => {
        // Each request uses its own address, because the per-minute limit is per address.
        const from = visit(app, 'skyharbor', { cookies: member.visitor.cookies, address: `127.9.1.${index + 1}` })
        return from.change('POST', '/api/Member/Claims', claimForm(member, over(index)))
      }),
    )
  const codes = (responses: readonly { status: number }[]) =>
    Object.fromEntries(
      Object.entries(Object.groupBy(responses, ({ status }) => status)).map(([status, all]) => [status, all?.length]),
    )
  const receipt = (kilobytes: number) => ({
    name: 'r.png',
    type: 'image/png',
    content: Buffer.concat([png, Buffer.alloc(kilobytes * 1024)]).toString('base64'),
  })

  test('Case 72 of forty concurrent claims ten are opened, and the others are rejected with a message', async () => {
    const member = await createCardMember(app)
    const responses = await burst(member, 40, (index) => ({ amount: `${index + 1}.00`, anotherMeal: true }))
    expect(codes(responses)).toEqual({ 200: 10, 409: 30 })
    expect(responses.find(({ status }) => status === 409)?.json()).toMatchObject({
      code: 'tooManyClaims',
      title: 'You have 10 open claims. You can open another one after we answer one of these.',
    })
    const opened = (await member.visitor.get('/api/Member/Claims')).json()
    expect(opened).toHaveLength(10)
    // Repeating an existing claim returns it again, and a decision allows a new one.
    const [{ amount }] = opened
    expect((await openClaim(member, { amount: amount.toFixed(2) })).status).toBe(200)
    expect((await openClaim(member, { amount: '99.00' })).status).toBe(409)
    await sql`update claims set decided_at = now(), settled_at = now() where public_id = ${opened[0].id}`.execute(db())
    expect((await openClaim(member, { amount: '99.00' })).status).toBe(200)
  })

  test('Case 72 receipts of a member take up ten megabytes at most, sent concurrently or later', async () => {
    const member = await createCardMember(app)
    const responses = await burst(member, 8, (index) => ({
      amount: `${index + 1}.00`,
      receipt: receipt(1900),
      anotherMeal: true,
    }))
    expect(codes(responses)).toEqual({ 200: 5, 400: 3 })
    expect(responses.find(({ status }) => status === 400)?.json()).toEqual([
      {
        field: 'receipt',
        message:
          'Your receipts take up 10 MB, the most we store. Send this claim without a receipt, or with a smaller one.',
      },
    ])
    expect((await openClaim(member, { amount: '50.00' })).status).toBe(200)
    // Receipts count until they are deleted, 90 days after their claims were settled.
    const settle = (days: number) =>
      sql`update claims set decided_at = now(), settled_at = now() - make_interval(days => ${days})
        where member_id = ${member.memberId}`.execute(db())
    await settle(89)
    await purgeReceipts(db())
    expect((await openClaim(member, { amount: '51.00', receipt: receipt(1900), anotherMeal: true })).status).toBe(400)
    await settle(91)
    await purgeReceipts(db())
    expect((await openClaim(member, { amount: '51.00', receipt: receipt(1900), anotherMeal: true })).status).toBe(200)
    const claims = (await member.visitor.get('/api/Member/Claims')).json<{ amount: number; hasReceipt: boolean }[]>()
    expect(claims.filter(({ hasReceipt }) => hasReceipt).map(({ amount }) => amount)).toEqual([51])
  })
})

test('a member name with replacement patterns appears unchanged in every email', async () => {
  const member = await createCardMember(app, 'skyharbor', { firstName: "$& $'", lastName: '$`$1' })
  const { id } = (await openClaim(member, { merchantName: "Chez $& $'", merchantId: undefined })).json()
  const consoleSession = await openConsole(app, 'sam@dineback.example', password)
  await decideClaim(consoleSession, 'skyharbor', id, { code: 'noEvidence', words: 'Sorry.' })
  await vi.waitFor(async () => {
    const emails = await asOwner<{ topic: string; subject: string; text: string }>(
      app,
      'select topic, subject, body_text as text from emails where member_id = $1 order by topic',
      [member.memberId],
    )
    expect(emails.map(({ topic }) => topic)).toEqual(['claim.decided', 'offers.welcome', 'verification.code'])
    const [decided, welcome] = emails
    expect(decided?.subject).toBe("About your meal at Chez $& $'")
    expect(decided?.text).toContain("Hello $& $', you asked about $48.00 at Chez $& $' on ")
    expect(welcome?.text).toContain("$& $'")
    expect(welcome?.text).not.toContain('{')
  }, 15_000)
})

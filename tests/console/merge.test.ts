import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { modules } from '../../src/app/modules.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { loadEnrolledMember } from '../../src/identity/activation/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { postAdjustment } from '../../src/rewards/awards/adjustment.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { daysAgo, openClaim, settleClaim } from '../support/claims.ts'
import { type ConsoleSession, decideClaim, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { linkCard, memberPassword, newMember, signIn } from '../support/members.ts'
import { createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const partner = 'skyharbor'
const program = `/api/programs/${partner}`
let ada: ConsoleSession
let ben: ConsoleSession

beforeAll(async () => {
  await withoutBotCheck(partner, app)
  await withoutBotCheck('beacon', app)
  const open = async (name: string) => {
    const email = `${name}@dineback.example`
    const password = 'sourdough 4 breakfast'
    await addOperator(app.database.consolePools.shared, { email, name, role: 'admin', partners: null, password })
    return openConsole(app, email, password)
  }
  ada = await open('ada')
  ben = await open('ben')
})

const detail = async ({ publicId }: { publicId: string }, session = ada) =>
  (await session.call('GET', `${program}/members/${publicId}`)).body
const preview = (from: { publicId: string }, into: string, at = program) =>
  ada.call('POST', `${at}/members/${from.publicId}/merge-preview`, { into })
const decide = (session: ConsoleSession, approval: string, decision = 'approve') =>
  session.call('POST', `${program}/approvals/${approval}/decision`, { decision, reason: '' })

async function ask(from: { publicId: string }, into: { publicId: string }, over: Record<string, unknown> = {}) {
  const { body: shown } = await preview(from, into.publicId)
  const { partnerNumber, referralCode } = await detail(from)
  const body = {
    into: into.publicId,
    memberNumber: partnerNumber ?? referralCode,
    fingerprint: shown.fingerprint,
    reason: 'She called: both are hers.',
  }
  return ada.call('POST', `${program}/members/${from.publicId}/merges`, { ...body, ...over })
}

async function merge(from: { publicId: string }, into: { publicId: string }) {
  const asked = await ask(from, into)
  expect(asked.status, asked.text).toBe(200)
  const done = await decide(ben, asked.body.approval)
  expect(done.status, done.text).toBe(200)
}

async function adjust(memberId: number, amount: number) {
  const ctx = createTestContext({ pools: app.database.pools }, partner)
  await inTransaction(ctx.db, (tx) =>
    postAdjustment(tx, ctx, { id: randomUUID(), memberId, amount, words: 'A late reward', by: ['Ada'] }),
  )
}

const rowsOf = async (table: string, memberId: number) =>
  Number((await asOwner(app, `select count(*) as n from ${table} where member_id = $1`, [memberId]))[0]?.n)

/** Two accounts of one person, each with a card, a meal and a number of miles from customer service. */
async function twoAccounts(): Promise<{ from: CardMember; into: CardMember }> {
  const [from, into] = [await createCardMember(app, partner), await createCardMember(app, partner)]
  await adjust(from.memberId, 300)
  await adjust(into.memberId, 50)
  return { from, into }
}

test('CON-740 CON-741 an operator sees what a merge moves, changes and leaves, and a second one lets it happen', async () => {
  const { from, into } = await twoAccounts()
  await from.sendTransaction('clearing', '100.00')
  await from.sendTransaction('auth', '30.00')
  const { body: shown } = await preview(from, into.publicId)
  const countOf = (what: string) => shown.moves.find((each: { what: string }) => each.what === what)?.count
  expect([countOf('linkedCards'), countOf('transactions'), countOf('pending')]).toEqual([1, 2, 1])
  const earned = (await from.listTransactions()).find(({ awardStatus }) => awardStatus === 'Awarded').benefitAmount
  expect(earned).toBeGreaterThan(0)
  expect(shown.balances).toEqual([{ from: `${300 + earned} miles`, into: '50 miles', after: `${350 + earned} miles` }])
  expect(shown).toMatchObject({
    typed: 'memberNumber',
    changes: [],
    ends: { sessions: 1 },
    year: { from: { dines: 1, spend: '$100.00' }, into: { dines: 0 }, after: { dines: 1, spend: '$100.00' } },
  })
  // Nothing has happened yet.
  expect(await detail(from)).toMatchObject({ isMerged: false, balance: `${300 + earned} miles` })

  const asked = await ask(from, into)
  expect(asked.body.approval).toEqual(expect.any(String))
  expect((await decide(ada, asked.body.approval)).body.code).toBe('ownRequest')
  expect(await detail(from)).toMatchObject({ isMerged: false })
  expect((await decide(ben, asked.body.approval)).body).toMatchObject({ state: 'approved', kind: 'merge' })

  const [own, kept] = [await detail(from), await detail(into)]
  expect(own).toMatchObject({
    isMerged: true,
    memberType: 'ClosedAccountMember',
    balance: '0 miles',
    mergedInto: { id: into.publicId, name: 'Ada Lovelace' },
    hasPassword: false,
  })
  expect(kept).toMatchObject({
    balance: `${350 + earned} miles`,
    mergedInto: null,
    mergedFrom: [{ id: from.publicId }],
  })
  expect(kept.lastFours.toSorted()).toEqual([into.lastFour, from.lastFour].toSorted())
  const titles = async ({ publicId }: CardMember) =>
    (await ada.call('GET', `${program}/members/${publicId}/timeline`)).body.items.map(
      ({ title }: { title: string }) => title,
    )
  const approved = expect.stringContaining('Approved: Merge the account')
  expect((await titles(from)).filter((title: string) => title.includes('Merge'))).toEqual([
    approved,
    expect.stringContaining('Asked for approval: Merge the account'),
  ])
  expect(await titles(into)).toContain('Another account was merged into this one')
})

test('CON-742 the member reads of the merge in the activity, has both histories, and the other address opens nothing', async () => {
  const { from, into } = await twoAccounts()
  await from.sendTransaction('clearing', '100.00')
  const { email, partnerNumber } = await detail(from)
  await merge(from, into)
  const activity = await into.listTransactions()
  expect(activity.filter(({ kind }) => kind === 'transaction')).toHaveLength(1)
  expect(activity).toContainEqual(expect.objectContaining({ kind: 'adjustment', isMerge: true }))
  const file = (await into.visitor.get('/api/Member/Activity/Export')).text
  expect(file).toContain('Joined with your other account: its balance')
  // The credit of the other account counts for the year of the person.
  const { diningProgress } = (await into.visitor.get('/api/Member')).json()
  expect(diningProgress.ytdMilesOrDollars).toBe(350 + activity.find(({ kind }) => kind === 'transaction').benefitAmount)

  expect((await from.visitor.get('/api/Member')).status).toBe(401)
  for (const name of [email, partnerNumber]) {
    expect((await signIn(from.visitor, name)).status).not.toBe(200)
    await from.visitor.change('POST', '/api/Recovery', { userName: name })
  }
  await expect(
    asOwner(app, 'insert into credentials (member_id, partner_id, password_hash) values ($1, $2, $3)', [
      from.memberId,
      partner,
      'x',
    ]),
  ).rejects.toThrow('is merged into another one')
  // Its address is free: the kept account may have it now.
  const { version } = await detail(into)
  const changed = await ada.call('PUT', `${program}/members/${into.publicId}/email`, {
    email,
    version,
    reason: 'She prefers it.',
  })
  expect(changed.status, changed.text).toBe(200)
})

test('CON-743 refunds, late messages and claims about purchases of the merged account arrive at the kept one', async () => {
  const { from, into } = await twoAccounts()
  const meal = await from.sendTransaction('clearing', '100.00')
  const open = await from.sendTransaction('auth', '40.00')
  const claim = (await openClaim(from, { amount: '62.00', date: daysAgo(12) })).json().id
  await merge(from, into)
  const kept = async () => Number((await detail(into)).balance.replace(/\D/g, ''))
  const before = await kept()
  const [{ benefit = 0 } = {}] = await asOwner<{ benefit: number }>(
    app,
    'select benefit::int from transactions where network_id = $1 and member_id = $2',
    [meal, into.memberId],
  )
  expect(benefit).toBeGreaterThan(0)
  // The card is in the kept account now: the staging tools send as its member.
  await into.sendTransaction('refund', '100.00', meal, from.lastFour)
  expect(await kept()).toBe(before - benefit)
  await into.sendTransaction('clearing', '40.00', open, from.lastFour)
  const afterClearing = await kept()
  expect(afterClearing).toBeGreaterThan(before - benefit)
  const decided = await decideClaim(ada, partner, claim, {
    code: 'credited',
    reward: '62',
    confirmedReward: '62',
    words: 'We are sorry.',
  })
  expect(decided.status, decided.text).toBe(200)
  expect(await settleClaim(app, claim)).toBe('credited')
  expect(await kept()).toBe(afterClearing + 62)
  expect((await detail(from)).balance).toBe('0 miles')
  expect(await findLedgerViolations(app.database.pools.forPartner(partner))).toEqual([])
})

test('CON-744 each table does with a merge what the manifest of its module says', async () => {
  const { from, into } = await twoAccounts()
  await from.sendTransaction('clearing', '80.00')
  await openClaim(from, { amount: '51.00', date: daysAgo(14) })
  await ada.call('POST', `${program}/members/${from.publicId}/notes`, { body: 'Likes the window' })
  await ada.call('PUT', `${program}/members/${from.publicId}/tags`, { tags: ['vip-care'], expected: [] })
  await asOwner(
    app,
    `insert into known_devices (partner_id, device_hash, member_id) values ($1, sha256(random()::text::bytea), $2)`,
    [partner, from.memberId],
  )
  await asOwner(app, "insert into identities (partner_id, issuer, subject, member_id) values ($1, 'bank', $2, $3)", [
    partner,
    randomUUID(),
    from.memberId,
  ])
  const tables = modules.flatMap(({ memberTables = [] }) => memberTables).filter(({ table }) => table !== 'members')
  const read = async (id: number) =>
    new Map(await Promise.all(tables.map(async ({ table }) => [table, await rowsOf(table, id)] as const)))
  const [before, keptBefore] = [await read(from.memberId), await read(into.memberId)]
  await merge(from, into)
  const [after, keptAfter] = [await read(from.memberId), await read(into.memberId)]
  const seen = { moved: 0, ended: 0, stays: 0 }
  for (const { table, merging } of tables) {
    const had = before.get(table) ?? 0
    if (had > 0) seen[merging]++
    if (merging !== 'stays') expect([table, after.get(table)]).toEqual([table, 0])
    // A merge itself is an event, an entry and an email.
    else expect(after.get(table), table).toBeGreaterThanOrEqual(had)
    if (merging === 'moved')
      expect(keptAfter.get(table), table).toBeGreaterThanOrEqual((keptBefore.get(table) ?? 0) + had)
  }
  expect(seen.moved).toBeGreaterThan(6)
  expect(seen.ended).toBeGreaterThan(1)
  expect(seen.stays).toBeGreaterThan(4)
})

test('CON-745 accounts that cannot be merged are refused in words, and nothing is done in a merged one', async () => {
  const { from, into } = await twoAccounts()
  const codeOf = async (a: { publicId: string }, b: { publicId: string }) => (await preview(a, b.publicId)).body.code
  expect(await codeOf(from, from)).toBe('mergeSame')
  expect((await preview(from, 'nobody')).status).toBe(404)
  const foreign = await newMember(app, 'gallonaire')
  expect((await preview(from, foreign.publicId)).status).toBe(404)

  const closed = await createCardMember(app, partner)
  const close = { reason: 'He asked for it.' }
  await ada.call('POST', `${program}/members/${closed.publicId}/close`, close)
  expect([await codeOf(closed, into), await codeOf(into, closed)]).toEqual(['mergeClosed', 'mergeClosed'])

  const silent = await newMember(app, partner)
  await asOwner(app, "update members set tier_level = 'NonActivated' where public_id = $1", [silent.publicId])
  expect(await codeOf(from, silent)).toBe('mergeNotActivated')

  const identify = (id: number) =>
    asOwner(app, "insert into identities (partner_id, issuer, subject, member_id) values ($1, 'bank', $2, $3)", [
      partner,
      randomUUID(),
      id,
    ])
  await identify(from.memberId)
  await identify(into.memberId)
  const two = await preview(from, into.publicId)
  expect(two.body).toMatchObject({ code: 'mergeTwoIdentities', title: expect.stringContaining('two customers') })
  await asOwner(app, 'delete from identities where member_id = $1', [into.memberId])

  await asOwner(
    app,
    "insert into debts (partner_id, public_id, member_id, unit) values ($1, gen_random_uuid(), $2, 'mile')",
    [partner, from.memberId],
  )
  expect(await codeOf(from, into)).toBe('mergeDebt')
  await asOwner(app, 'delete from debts where member_id = $1', [from.memberId])

  into.merchant = from.merchant
  for (const member of [from, into]) {
    const opened = await openClaim(member, { amount: '77.00', date: daysAgo(16) })
    expect(opened.status, opened.text).toBe(200)
  }
  expect(await codeOf(from, into)).toBe('mergeClaims')
  await asOwner(app, 'delete from claims where member_id = $1', [from.memberId])

  // Wrong number, outdated outcome, no reason.
  const wrong = await ask(from, into, { memberNumber: 'SKY00000000' })
  expect(wrong.body[0]).toMatchObject({ field: 'memberNumber', message: expect.stringContaining('account that ends') })
  expect((await ask(from, into, { fingerprint: 'another' })).body.code).toBe('conflict')
  expect((await ask(from, into, { reason: '' })).status).toBe(400)

  const { approval } = (await ask(from, into)).body
  expect(await codeOf(from, into)).toBe('mergeRequestOpen')
  expect(await codeOf(into, from)).toBe('mergeRequestOpen')
  await decide(ben, approval)
  expect(await codeOf(from, into)).toBe('mergedAccount')
  const acts: [string, string, object][] = [
    ['PUT', 'tags', { tags: ['x'], expected: [] }],
    ['POST', 'close', { reason: 'Once more' }],
    ['POST', 'reopen', { reason: 'Once more' }],
    ['POST', 'notes', { body: 'A note' }],
    [
      'POST',
      'adjustments',
      { direction: 'credit', amount: '5', key: randomUUID(), expected: '0 miles', reason: 'Sorry' },
    ],
  ]
  for (const [method, path, body] of acts)
    expect([path, (await ada.call(method, `${program}/members/${from.publicId}/${path}`, body)).body.code]).toEqual([
      path,
      'mergedAccount',
    ])
})

test('CON-746 a merge that is approved when it is no longer possible is refused, and stays to be decided', async () => {
  const { from, into } = await twoAccounts()
  const { approval } = (await ask(from, into)).body
  await ada.call('POST', `${program}/members/${into.publicId}/close`, { reason: 'She asked for it.' })
  expect((await decide(ben, approval)).body).toMatchObject({
    code: 'mergeClosed',
    title: expect.stringContaining('closed'),
  })
  expect((await ada.call('GET', `${program}/approvals/${approval}`)).body.state).toBe('open')
  expect((await detail(from)).isMerged).toBe(false)
  expect((await decide(ben, approval, 'refuse')).body.state).toBe('refused')
})

test('CON-747 the kept account’s export has the merged account’s data, and its deletion deletes it too', async () => {
  const { from, into } = await twoAccounts()
  await from.sendTransaction('clearing', '90.00')
  const { email } = await detail(from)
  await merge(from, into)
  const exported = (await into.visitor.change('GET', '/api/Member/Export')).text
  expect(exported).toContain(email)
  const gone = await into.visitor.change('POST', '/api/Member/Delete', { confirmation: 'DELETE' })
  expect(gone.status, gone.text).toBe(200)
  const rows = await asOwner<{ email: string; name: string; deleted: boolean }>(
    app,
    'select email, first_name as name, deleted_at is not null as deleted from members where id = any($1)',
    [[from.memberId, into.memberId]],
  )
  expect(rows.map(({ name, deleted }) => [name, deleted])).toEqual([
    ['', true],
    ['', true],
  ])
  expect(rows.every((row) => row.email.endsWith('@deleted.invalid'))).toBe(true)
  expect(await rowsOf('emails', from.memberId)).toBe(0)
  expect((await preview(from, into.publicId)).status).toBe(404)
})

test('CON-748 an account into which another one was merged is merged itself, with everything', async () => {
  const { from, into } = await twoAccounts()
  const last = await createCardMember(app, partner)
  const meal = await from.sendTransaction('clearing', '60.00')
  await merge(from, into)
  await merge(into, last)
  expect((await detail(last)).mergedFrom.map(({ id }: { id: string }) => id)).toEqual([from.publicId, into.publicId])
  const before = Number((await detail(last)).balance.replace(/\D/g, ''))
  await last.sendTransaction('refund', '60.00', meal, from.lastFour)
  expect(Number((await detail(last)).balance.replace(/\D/g, ''))).toBeLessThan(before)
  expect(await findLedgerViolations(app.database.pools.forPartner(partner))).toEqual([])
})

test('CON-749 a member without a password of the other account signs in to the kept one as before', async () => {
  const { from, into } = await twoAccounts()
  const { email } = await detail(into)
  await merge(from, into)
  expect((await into.visitor.get('/api/Member')).status).toBe(200)
  expect((await signIn(from.visitor, email, { password: memberPassword })).status).toBe(200)
  expect((await linkCard(app, into)).response.status).toBe(200)
})

test('CON-749 a line of the partner’s file about the merged account finds the kept one, and opens none', async () => {
  const ctx = createTestContext({ pools: app.database.pools }, partner)
  const { program } = ctx
  const loading = { ...ctx, program: { ...program, config: { ...program.config, hasAutoEnroll: true } } }
  const line = {
    email: `${randomUUID()}@example.com`,
    firstName: 'Ada',
    lastName: 'King',
    zipCode: '10001',
    emailOptIn: true,
  }
  const enrolled = await loadEnrolledMember(loading, line)
  if (!('publicId' in enrolled)) throw new Error('not loaded')
  const into = await createCardMember(app, partner)
  await merge(enrolled, into)
  expect(await loadEnrolledMember(loading, line)).toEqual({ email: line.email, publicId: into.publicId })
  // Of an address that was only typed, a line opens an account, as it does for everybody.
  const typed = await createCardMember(app, partner)
  const { email } = await detail(typed)
  await merge(typed, into)
  const opened = await loadEnrolledMember(loading, { ...line, email })
  expect(opened).toMatchObject({ email })
  expect(opened).not.toMatchObject({ publicId: into.publicId })
})

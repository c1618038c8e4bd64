import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { asOwner, withoutBotCheck } from '../support/app.ts'
import { type CardMember, createCardMember } from '../support/card-member.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { memberPassword, newMember, signIn } from '../support/members.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
let admin: ConsoleSession
let second: ConsoleSession
let support: ConsoleSession
let editor: ConsoleSession
let elsewhere: ConsoleSession
let member: CardMember
const members = '/api/programs/skyharbor/members'
const own = (rest = '') => `${members}/${member.publicId}${rest}`

beforeAll(async () => {
  await withoutBotCheck('skyharbor', app)
  const open = async (
    name: string,
    role: 'admin' | 'support' | 'editor',
    partners: string[] | null = null,
  ): Promise<ConsoleSession> => {
    const email = `${name}@dineback.example`
    await addOperator(app.database.consolePools.shared, { email, name, role, partners, password })
    return openConsole(app, email, password)
  }
  admin = await open('ada', 'admin')
  second = await open('ben', 'admin')
  support = await open('sue', 'support')
  editor = await open('eve', 'editor')
  elsewhere = await open('olga', 'admin', ['orchard'])
  member = await createCardMember(app, 'skyharbor', { firstName: 'Grace', lastName: 'Hopper' })
  await member.sendTransaction('clearing', '48.00')
})

/** Returns the operators' entries about the member, the latest first. */
const acts = () =>
  asOwner<{ action: string; reason: string; before: object; after: object }>(
    app,
    'select action, reason, before, after from console.acts where member_id = $1 and status < 400 order by id desc',
    [member.memberId],
  )

const identifiers = async () =>
  (
    await asOwner<{ email: string; partnerNumber: string }>(
      app,
      'select email, partner_number as "partnerNumber" from members where id = $1',
      [member.memberId],
    )
  )[0] as { email: string; partnerNumber: string }

const version = async () => (await admin.call('GET', own())).json<{ version: string }>().version

test('CON-100 CON-101 a member is found by every name and number, each filter narrows the list, and another program finds nothing', async () => {
  const { email, partnerNumber } = await identifiers()
  await asOwner(app, "update members set phone_number = '2125550142' where id = $1", [member.memberId])
  const [row] = await asOwner<{ referral: string }>(
    app,
    'select referral_code as referral from members where id = $1',
    [member.memberId],
  )
  const found = async (query: string, session = admin) => {
    const response = await session.call('GET', `${members}?${query}`)
    expect([query, response.status]).toEqual([query, 200])
    return response.json<{ items: { id: string }[] }>().items.some(({ id }) => id === member.publicId)
  }
  const texts = [
    'grace',
    'HOPPER',
    'Grace  Hop',
    email.slice(0, -4).toUpperCase(),
    partnerNumber,
    '(212) 555-0142',
    '+1 212 555 0142',
    member.lastFour,
    member.publicId,
    row?.referral ?? '',
  ]
  for (const text of texts) expect([text, await found(`q=${encodeURIComponent(text)}`)]).toEqual([text, true])
  for (const text of ['opper', 'nobody', 'gr%', 'gr_ce', `${member.lastFour}0`])
    expect([text, await found(`q=${encodeURIComponent(text)}`)]).toEqual([text, false])
  const today = new Date().toISOString().slice(0, 10)
  const filters: [string, boolean][] = [
    ['type=EnrolledCardMember', true],
    ['type=NonCardMember', false],
    ['card=yes', true],
    ['card=no', false],
    ['dined=yes', true],
    ['dined=no', false],
    ['joinedFrom=2020-01-01', true],
    ['joinedTo=2020-01-01', false],
    [`dinedFrom=${today}`, true],
    ['dinedTo=2020-01-01', false],
    ['tier=VIP', false],
  ]
  for (const [filter, isFound] of filters) expect([filter, await found(`q=grace&${filter}`)]).toEqual([filter, isFound])
  const { emailOptIn } = (await admin.call('GET', own())).json<{ emailOptIn: boolean }>()
  expect([await found('q=grace&consent=yes'), await found('q=grace&consent=no')]).toEqual([emailOptIn, !emailOptIn])
  expect((await admin.call('GET', `${members}?tier=Gold`)).status).toBe(400)
  expect((await editor.call('GET', members)).status).toBe(403)
  expect((await elsewhere.call('GET', members)).status).toBe(404)
  const other = await elsewhere.call('GET', `/api/programs/orchard/members?q=${encodeURIComponent(email)}`)
  expect(other.json<{ items: unknown[] }>().items).toEqual([])
})

test('CON-601 a member is found by the last name first, without accents, by each word of a name and by numbers in any form', async () => {
  const found = await newMember(app, 'skyharbor', { firstName: 'Zoë', lastName: 'van der O’Kaur' })
  await asOwner(
    app,
    "update members set partner_number = 'SKY-707-1234', phone_number = '3125550177' where public_id = $1",
    [found.publicId],
  )
  const texts = [
    'Van der O’Kaur, Zoë',
    "van der o'kaur zoe",
    'der',
    "o'kaur",
    'zoe van',
    'ZOË',
    '7071234',
    'sky 707',
    'sky7071234',
    'SKY-707-12',
    '312.555.0177',
    '+1 (312) 555-01',
    '1-312-555-0177',
  ]
  for (const text of texts) {
    const { items } = (await admin.call('GET', `${members}?q=${encodeURIComponent(text)}`)).json<{
      items: { id: string }[]
    }>()
    expect([text, items.map(({ id }) => id)]).toEqual([text, [found.publicId]])
  }
  for (const text of ['kaur zoe van', '071234', ',', '707-12345']) {
    const { items } = (await admin.call('GET', `${members}?q=${encodeURIComponent(text)}`)).json<{ items: unknown[] }>()
    expect([text, items]).toEqual([text, []])
  }
})

test('CON-739 a member is found by a name without its apostrophe, and by each half of a double name', async () => {
  const names = [
    ['Maeve', 'O’Brien'],
    ['Niall', "O'Brien"],
    ['Ana', 'Garcia-Smith'],
    ['Jean-Luc', 'D´Angelo'],
  ] as const
  const ids = new Map<string, string>()
  for (const [firstName, lastName] of names) {
    const { publicId } = await newMember(app, 'skyharbor', { firstName: 'Ada', lastName: 'Lovelace' })
    // As a partner's file may have written it.
    await asOwner(app, 'update members set first_name = $2, last_name = $3 where public_id = $1', [
      publicId,
      firstName,
      lastName,
    ])
    ids.set(publicId, firstName)
  }
  const found = async (text: string) => {
    const { items } = (await admin.call('GET', `${members}?q=${encodeURIComponent(text)}`)).json<{
      items: { id: string }[]
    }>()
    return items.map(({ id }) => ids.get(id)).sort()
  }
  for (const [text, expected] of [
    ['obrien', ['Maeve', 'Niall']],
    ["o'brien", ['Maeve', 'Niall']],
    ['O’BRIEN', ['Maeve', 'Niall']],
    ['niall obr', ['Niall']],
    ['OBrien, Maeve', ['Maeve']],
    ['smith', ['Ana']],
    ['garcia', ['Ana']],
    ['garcia smith', ['Ana']],
    ['Garcia‑Smith, Ana', ['Ana']],
    ['ana garcia-sm', ['Ana']],
    ['luc', ['Jean-Luc']],
    ['jean luc dangelo', ['Jean-Luc']],
    ['brien', []],
    ['mith', []],
  ] as const)
    expect([text, await found(text)]).toEqual([text, expected])
})

test('CON-102 pages follow one another without gaps in both orders, and the file has the same members', async () => {
  for (let count = 0; count < 3; count++) await newMember(app, 'skyharbor', { lastName: 'Pagewise' })
  for (const sort of ['newest', 'oldest']) {
    const ids: string[] = []
    let next: string | null = ''
    while (next !== null) {
      const query: string = `q=pagewise&limit=1&sort=${sort}${next === '' ? '' : `&cursor=${next}`}`
      const page = (await admin.call('GET', `${members}?${query}`)).json<{
        items: { id: string }[]
        next: string | null
        total: unknown
      }>()
      expect(page.total).toEqual({ count: 3, isExact: true })
      ids.push(...page.items.map(({ id }) => id))
      next = page.next
    }
    expect([sort, ids.length, new Set(ids).size]).toEqual([sort, 3, 3])
  }
  const file = await admin.call('GET', `${members}.csv?q=pagewise`)
  expect(file.status).toBe(200)
  expect(file.headers['content-type']).toContain('text/csv')
  expect(file.text.trim().split('\r\n')).toHaveLength(4)
  expect((await support.call('GET', `${members}.csv`)).status).toBe(403)
  // The file is sent while the entry is stored.
  await vi.waitFor(async () => {
    const entries = await asOwner(app, "select from console.acts where action = 'exportMembers' and status = 200")
    if (entries.length !== 1) throw new Error('no entry yet')
  }, 20_000)
})

test('CON-103 a member’s page has the person, the records, the transactions in the member’s words, the journal and the emails', async () => {
  const detail = (await support.call('GET', own())).json<Record<string, unknown>>()
  expect(detail).toMatchObject({
    id: member.publicId,
    lastName: 'Hopper',
    lastFours: [member.lastFour],
    isLocked: false,
  })
  const [read] = await asOwner<{ count: number }>(
    app,
    "select count(*)::int as count from console.acts where action = 'getMember' and object_id = $1",
    [member.publicId],
  )
  expect(read?.count).toBeGreaterThan(0)
  const records = (await support.call('GET', own('/records'))).json<Record<string, unknown[]>>()
  expect(records.cards).toMatchObject([{ lastFour: member.lastFour, removedAt: null }])
  expect(records.sessions).toHaveLength(1)
  expect(records.consents?.length).toBeGreaterThan(0)
  const [shown] = await member.listTransactions()
  const { items } = (await support.call('GET', own('/transactions'))).json<{ items: Record<string, unknown>[] }>()
  expect(items).toMatchObject([{ id: shown.sourceTransactionId, cents: 4800, merchantName: shown.merchantName }])
  expect(items[0]?.reason).not.toContain('rewards.')
  const journal = (await support.call('GET', own('/journal'))).json<{ items: Record<string, unknown>[] }>()
  expect(journal.items).toMatchObject([
    { kind: 'award', transactionId: shown.sourceTransactionId, balance: detail.balance },
  ])
  const emails = (await support.call('GET', own('/emails'))).json<{ items: { id: string; topic: string }[] }>()
  const secret = emails.items.find(({ topic }) => topic === 'verification.code')
  const text = (await support.call('GET', own(`/emails/${secret?.id}`))).json<{ text: string; isSecret: boolean }>()
  expect(text).toMatchObject({ text: '', isSecret: true })
  expect((await support.call('GET', own('/notifications'))).status).toBe(200)
  for (const path of ['', '/records', '/transactions', '/journal', '/emails', '/timeline', '/notes']) {
    const at = (session: ConsoleSession, program = 'skyharbor') =>
      session.call('GET', `/api/programs/${program}/members/${member.publicId}${path}`)
    expect([path, (await at(editor)).status, (await at(elsewhere)).status]).toEqual([path, 403, 404])
    expect([path, (await at(elsewhere, 'orchard')).status]).toEqual([path, 404])
  }
})

test('CON-104 CON-105 notes, tags and what happened are one timeline, and only the author removes a note', async () => {
  const note = await support.call('POST', own('/notes'), { body: 'Called about\na missing meal.' })
  const [written] = note.json<{ id: string; isMine: boolean }[]>()
  expect(written).toMatchObject({ by: 'sue', isMine: true, body: 'Called about\na missing meal.' })
  expect((await admin.call('DELETE', own(`/notes/${written?.id}`))).status).toBe(404)
  expect((await support.call('POST', own('/notes'), { body: ' ' })).status).toBe(400)
  expect((await support.call('PUT', own('/tags'), { tags: ['vip-care'], expected: [] })).json()).toEqual(['vip-care'])
  expect((await support.call('PUT', own('/tags'), { tags: [], expected: [] })).status).toBe(409)
  expect((await support.call('PUT', own('/tags'), { tags: ['No Tag'], expected: ['vip-care'] })).status).toBe(400)
  expect((await admin.call('GET', '/api/programs/skyharbor/member-tags')).json()).toEqual(['vip-care'])
  const tagged = (await admin.call('GET', `${members}?tag=vip-care`)).json<{ items: { id: string }[] }>()
  expect(tagged.items.map(({ id }) => id)).toEqual([member.publicId])
  const entries: { kind: string; title: string; at: string }[] = []
  let next: string | null = ''
  while (next !== null) {
    const path: string = own(`/timeline?limit=3${next === '' ? '' : `&cursor=${next}`}`)
    const page = (await support.call('GET', path)).json<{ items: typeof entries; next: string | null }>()
    entries.push(...page.items)
    next = page.next
  }
  expect(new Set(entries.map(({ kind }) => kind))).toEqual(new Set(['event', 'note', 'email', 'act', 'transaction']))
  expect(entries.map(({ at }) => at)).toEqual(
    entries
      .map(({ at }) => at)
      .toSorted()
      .toReversed(),
  )
  expect(entries.map(({ title }) => title)).toEqual(expect.arrayContaining(['Card linked', 'Joined', 'Tags changed']))
  // The audit log, which is never deleted, does not have the text.
  expect(JSON.stringify(await acts())).not.toContain('missing meal')
  expect((await support.call('DELETE', own(`/notes/${written?.id}`))).json()).toEqual([])
})

test('CON-106 a name and address are corrected by the rules of the member’s form, and not over another change', async () => {
  const form = {
    firstName: 'Grace',
    lastName: 'Murray Hopper',
    address1: '2 Main Street',
    address2: '',
    city: 'New York',
    state: 'NY',
    zipCode: '10001',
    phoneNumber: '',
    reason: 'Ticket 4711',
  }
  const seen = await version()
  expect((await support.call('PUT', own('/profile'), { ...form, zipCode: '00000', version: seen })).status).toBe(400)
  expect((await support.call('PUT', own('/profile'), { ...form, reason: '', version: seen })).status).toBe(400)
  const stored = await support.call('PUT', own('/profile'), { ...form, version: seen })
  expect(stored.json()).toMatchObject({ lastName: 'Murray Hopper', address: { address1: '2 Main Street' } })
  expect((await support.call('PUT', own('/profile'), { ...form, version: seen })).status).toBe(409)
  expect((await acts())[0]).toMatchObject({ action: 'correctMember', reason: 'Ticket 4711' })
  expect(JSON.stringify((await acts())[0])).not.toContain('Murray')
  expect((await editor.call('PUT', own('/profile'), { ...form, version: seen })).status).toBe(403)
})

test('CON-602 a state is given by its name or its letters, and a refused field says what is expected', async () => {
  const form = {
    firstName: 'Grace',
    lastName: 'Murray Hopper',
    address1: '2 Main Street',
    address2: '',
    city: 'New York',
  }
  const correct = async (fields: object) =>
    support.call('PUT', own('/profile'), {
      ...form,
      zipCode: '10001',
      phoneNumber: '',
      ...fields,
      reason: 'Ticket 4712',
      version: await version(),
    })
  for (const [state, stored] of [
    ['New York', 'NY'],
    ['nj', 'NJ'],
    [' ny ', 'NY'],
    ['', ''],
  ])
    expect([state, (await correct({ state })).json()]).toMatchObject([state, { address: { state: stored } }])
  const problems = async (fields: object) => {
    const response = await correct({ state: 'NY', ...fields })
    expect([fields, response.status]).toEqual([fields, 400])
    return response.json()
  }
  expect(await problems({ state: 'Ontario' })).toEqual([
    { field: 'state', message: 'Enter a state of the U.S. by its name or its two letters, such as New York or NY.' },
  ])
  expect(await problems({ zipCode: '123' })).toEqual([
    { field: 'zipCode', message: 'Enter the five digits of the ZIP code.' },
  ])
  expect(await problems({ address1: 'x'.repeat(31) })).toMatchObject([{ field: 'address1' }])
})

test('CON-107 a credit is posted once, an outdated balance posts nothing, and a debit takes it back', async () => {
  const balance = async () => (await admin.call('GET', own())).json<{ balance: string }>().balance
  const before = await balance()
  const dry = (await admin.call('POST', own('/adjustment-preview'), { direction: 'credit', amount: '250' })).json()
  expect(dry).toMatchObject({ amount: '250 miles', before, needsApproval: false })
  const body = { direction: 'credit', amount: '250', key: randomUUID(), expected: before, reason: 'A late delivery' }
  expect((await admin.call('POST', own('/adjustments'), body)).json()).toEqual({ state: 'posted', approval: null })
  const after = await balance()
  expect(after).not.toBe(before)
  expect((await admin.call('POST', own('/adjustments'), body)).status).toBe(409)
  expect(await balance()).toBe(after)
  expect((await admin.call('POST', own('/adjustments'), { ...body, amount: '-1', expected: after })).status).toBe(400)
  expect((await support.call('POST', own('/adjustments'), { ...body, expected: after })).status).toBe(403)
  const debit = { ...body, direction: 'debit', key: randomUUID(), expected: after }
  expect((await admin.call('POST', own('/adjustments'), debit)).status).toBe(200)
  expect(await balance()).toBe(before)
  expect((await acts())[0]).toMatchObject({
    action: 'adjustBalance',
    before: { balance: after },
    after: { debit: '250 miles', balance: before },
  })
  const [unbalanced] = await asOwner<{ count: number }>(
    app,
    `select count(*)::int as count from (select journal_entry_id from postings group by journal_entry_id, unit having sum(amount) <> 0) x`,
  )
  expect(unbalanced?.count).toBe(0)
})

test('CON-108 a large credit waits for a second operator; nobody decides their own request, and one decision is final', async () => {
  const balance = async () => (await admin.call('GET', own())).json<{ balance: string }>().balance
  const ask = async (reason: string) => {
    const body = { direction: 'credit', amount: '5001', key: randomUUID(), expected: await balance(), reason }
    return (await admin.call('POST', own('/adjustments'), body)).json<{ state: string; approval: string }>()
  }
  const before = await balance()
  const asked = await ask('Compensation')
  expect(asked.state).toBe('asked')
  expect(await balance()).toBe(before)
  const decide = (session: ConsoleSession, id: string, decision: string) =>
    session.call('POST', `/api/programs/skyharbor/approvals/${id}/decision`, { decision, reason: 'Agreed' })
  const open = (await second.call('GET', '/api/programs/skyharbor/approvals')).json<{ items: unknown[] }>()
  // The one who decides sees whom it is about, and the balance, also without permission to open the member's page.
  expect(open.items).toMatchObject([
    { id: asked.approval, askedBy: 'ada', isMine: false, memberId: member.publicId, memberName: 'Grace Murray Hopper' },
  ])
  const after = `${(Number.parseInt(before.replaceAll(',', ''), 10) + 5001).toLocaleString('en-US')} miles`
  expect(open.items[0]).toMatchObject({ summary: 'Credit of 5,001 miles', asked: { before, after } })
  expect((await decide(admin, asked.approval, 'approve')).status).toBe(403)
  expect((await decide(support, asked.approval, 'approve')).status).toBe(403)
  expect((await decide(elsewhere, asked.approval, 'approve')).status).toBe(404)
  const foreign = `/api/programs/orchard/approvals/${asked.approval}/decision`
  expect((await elsewhere.call('POST', foreign, { decision: 'approve' })).status).toBe(404)
  const answers = await Promise.all([
    decide(second, asked.approval, 'approve'),
    decide(second, asked.approval, 'refuse'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const { state } = (await second.call('GET', `/api/programs/skyharbor/approvals/${asked.approval}`)).json<{
    state: string
  }>()
  expect((await balance()) === before).toBe(state === 'refused')
  const refused = await ask('Once more')
  const still = await balance()
  expect((await decide(second, refused.approval, 'refuse')).json()).toMatchObject({
    state: 'refused',
    decidedBy: 'ben',
  })
  expect(await balance()).toBe(still)
  expect((await acts())[0]).toMatchObject({ action: 'decideApproval', after: { state: 'refused' } })
})

test('CON-109 a session is ended, a failed email is sent again, and a lock after wrong passwords ends', async () => {
  const { sessions } = (await support.call('GET', own('/records'))).json<{ sessions: { id: string }[] }>()
  const path = own(`/sessions/${sessions[0]?.id}`)
  expect((await support.call('DELETE', path)).json<{ sessions: unknown[] }>().sessions).toEqual([])
  expect((await support.call('DELETE', path)).status).toBe(404)
  expect((await member.visitor.get('/api/Member')).status).toBe(401)
  const [email] = await asOwner<{ id: number }>(
    app,
    "update emails set status = 'failed', recipient = 'x@example.com' where id = (select min(id) from emails where member_id = $1) returning id",
    [member.memberId],
  )
  const resend = () => support.call('POST', own(`/emails/${email?.id}/resend`))
  expect((await resend()).status).toBe(200)
  expect((await resend()).status).toBe(409)
  const { email: address } = await identifiers()
  for (let tried = 0; tried < 5; tried++) await signIn(member.visitor, address, { password: 'wrong password 1' })
  expect((await support.call('GET', own())).json()).toMatchObject({ isLocked: true })
  expect((await support.call('POST', own('/unlock'))).json()).toMatchObject({ isLocked: false })
  expect((await signIn(member.visitor, address, { password: memberPassword })).status).toBe(200)
  expect((await acts()).slice(0, 3).map(({ action }) => action)).toEqual([
    'unlockMember',
    'resendMemberEmail',
    'endMemberSession',
  ])
})

test('CON-110 CON-111 the email address is changed with emails to both, and an account is closed and opened again', async () => {
  const seen = await version()
  const email = `grace-${randomUUID().slice(0, 8)}@example.com`
  const change = (to: string, from = seen) =>
    support.call('PUT', own('/email'), { email: to, version: from, reason: 'Moved' })
  expect((await change('not an address')).status).toBe(400)
  const other = await newMember(app)
  expect((await change(other.form.email as string)).status).toBe(400)
  expect((await change(email)).json()).toMatchObject({ email, emailVerifiedAt: null })
  expect((await change(`x${email}`)).status).toBe(409)
  const topics = await asOwner<{ topic: string }>(
    app,
    "select topic from emails where member_id = $1 and topic like 'recovery.%address' order by topic",
    [member.memberId],
  )
  expect(topics.map(({ topic }) => topic)).toEqual(['recovery.address', 'recovery.former-address'])
  expect((await support.call('POST', own('/close'), { reason: 'Asked by phone' })).status).toBe(403)
  const closed = await admin.call('POST', own('/close'), { reason: 'Asked by phone' })
  expect(closed.json()).toMatchObject({ memberType: 'ClosedAccountMember', lastFours: [] })
  expect((await admin.call('POST', own('/close'), { reason: 'Asked by phone' })).status).toBe(409)
  const opened = await admin.call('POST', own('/reopen'), { reason: 'Changed their mind' })
  expect(opened.json()).toMatchObject({ memberType: 'NonCardMember', active: true })
  expect((await admin.call('POST', own('/reopen'), { reason: 'Changed their mind' })).status).toBe(409)
})

test('CON-771 changing an address that its owner has verified is asked of a second operator, who sees both', async () => {
  const owner = await newMember(app)
  const [row] = await asOwner<{ id: string; publicId: string; email: string }>(
    app,
    `update members set email_verified_at = now() where public_id = $1
     returning id, public_id as "publicId", email`,
    [owner.publicId],
  )
  const address = `/api/programs/skyharbor/members/${owner.publicId}`
  const read = async () => (await support.call('GET', address)).json<{ email: string; version: string }>()
  const { version: seen, email: before } = await read()
  const after = `new-${randomUUID().slice(0, 8)}@example.com`
  const change = (to: string, from = seen) =>
    support.call('PUT', `${address}/email`, { email: to, version: from, reason: 'Asked by phone' })
  // What could not be carried out is refused at once.
  expect((await change(owner.form.email as string)).status).toBe(400)
  const other = await newMember(app)
  expect((await change(other.form.email as string)).status).toBe(400)
  expect((await change(after)).json()).toMatchObject({ email: before })
  expect((await change(after)).status).toBe(409)
  const open = await asOwner<{ id: string }>(
    app,
    "select public_id as id from console.approvals where member_id = $1 and state = 'open'",
    [row?.id],
  )
  expect(open).toHaveLength(1)
  const path = `/api/programs/skyharbor/approvals/${open[0]?.id}`
  expect((await admin.call('GET', path)).json()).toMatchObject({ effect: { before, after }, asked: { before, after } })
  expect((await support.call('POST', `${path}/decision`, { decision: 'approve' })).status).toBe(403)
  expect((await read()).email).toBe(before)
  const decided = await admin.call('POST', `${path}/decision`, { decision: 'approve', expected: before })
  expect(decided.status, decided.text).toBe(200)
  expect((await read()).email).toBe(after)
  // The addresses are not kept with the request.
  const kept = await asOwner(app, 'select payload from console.approvals where public_id = $1', [open[0]?.id])
  expect(kept).toEqual([{ payload: { memberId: Number(row?.id) } }])
  const topics = await asOwner<{ topic: string }>(
    app,
    "select topic from emails where member_id = $1 and topic like 'recovery.%address' order by topic",
    [row?.id],
  )
  expect(topics.map(({ topic }) => topic)).toEqual(['recovery.address', 'recovery.former-address'])
})

test('CON-113 the data of a member is exported as the member’s own export does, by those who may', async () => {
  const { data } = (await admin.call('GET', own('/export'))).json<{ data: Record<string, unknown[]> }>()
  expect(data.members).toHaveLength(1)
  expect(Object.keys(data)).toEqual(expect.arrayContaining(['transactions', 'consents', 'member_notes', 'member_tags']))
  expect((await support.call('GET', own('/export'))).status).toBe(403)
  expect((await elsewhere.call('GET', own('/export'))).status).toBe(404)
})

test('CON-112 CON-737 a running bonus is granted once, and is activated from then on', async () => {
  const { grantable } = (await admin.call('GET', own('/records'))).json<{ grantable: { code: string }[] }>()
  const [bonus] = grantable
  expect(bonus).toBeDefined()
  const grant = (code: string, session = admin) => session.call('POST', own('/bonuses'), { code, reason: 'A goodwill' })
  expect((await grant('no-such-bonus')).status).toBe(404)
  expect((await grant(bonus?.code ?? '', support)).status).toBe(403)
  const before = Date.now()
  type Records = { bonuses: { code: string; state: string; at: string }[] }
  const ofGranted = ({ bonuses }: Records) => bonuses.find(({ code }) => code === bonus?.code)
  const granted = ofGranted((await grant(bonus?.code ?? '')).json<Records>())
  expect(granted?.state).toBe('Enrolled')
  expect(Date.parse(granted?.at ?? '')).toBeGreaterThanOrEqual(before)
  // One that was earned has been so since then.
  const earned = '2026-11-01T12:00:00.000Z'
  const setState = (state: string, at: string | null) =>
    asOwner(app, 'update member_bonuses set status = $2, qualified_at = $3 where member_id = $1 and code = $4', [
      member.memberId,
      state,
      at,
      bonus?.code,
    ])
  await setState('Qualified', earned)
  const records = (await admin.call('GET', own('/records'))).json<Records>()
  expect(ofGranted(records)).toMatchObject({ state: 'Qualified', at: earned })
  await setState('Enrolled', null)
  expect((await grant(bonus?.code ?? '')).status).toBe(409)
})

test('CON-604 the timeline has each act once, in words and with its outcome', async () => {
  const entries: { title: string; detail: string; by: string; kind: string }[] = []
  for (let next: string | null = ''; next !== null; ) {
    const path: string = own(`/timeline?limit=50${next === '' ? '' : `&cursor=${next}`}`)
    const page = (await support.call('GET', path)).json<{ items: typeof entries; next: string | null }>()
    entries.push(...page.items)
    next = page.next
  }
  const titles = entries.map(({ title }) => title)
  const countOf = (title: string) => titles.filter((each) => each === title).length
  expect([countOf('Credit of 250 miles'), countOf('Debit of 250 miles')]).toEqual([1, 1])
  expect(titles.filter((title) => title.startsWith('Asked for approval: Credit of 5,001 miles'))).toHaveLength(2)
  expect(titles.filter((title) => /^(Approved|Refused): Credit of 5,001 miles$/.test(title))).toHaveLength(2)
  expect(['Account closed', 'Account reopened', 'Email address changed', 'Sign-in unlocked'].map(countOf)).toEqual([
    1, 1, 1, 1,
  ])
  const { bonuses } = (await admin.call('GET', own('/records'))).json<{
    bonuses: { code: string; description: string; state: string }[]
  }>()
  const bonus = bonuses.find(({ state }) => state === 'Enrolled')
  expect(countOf(`Bonus granted: ${bonus?.description}`)).toBe(1)
  const correction = entries.find(({ detail }) => detail.startsWith('Changed: ') && detail.includes('Ticket 4711'))
  expect(correction).toMatchObject({ kind: 'act', title: 'Name, address or phone number corrected' })
  // What the member does alone stays an event, and what an operator does has no second entry.
  expect(entries).toContainEqual(expect.objectContaining({ kind: 'event', title: 'Card linked' }))
  for (const title of ['Balance adjusted', 'Profile changed', 'Session ended by an operator'])
    expect([title, countOf(title)]).toEqual([title, 0])
  expect(JSON.stringify(entries)).not.toContain(bonus?.code)
  expect(titles.filter((title) => title.includes('undefined'))).toEqual([])
})

test('CON-605 a program’s tiers have the names that its members read', async () => {
  const { programs } = (await admin.call('GET', '/api/session')).json<{
    programs: { code: string; tierNames: Record<string, string> }[]
  }>()
  const names = (code: string) => programs.find((each) => each.code === code)?.tierNames
  expect(names('skyharbor')).toEqual({
    OptedOut: 'Member',
    NonActivated: 'Not yet activated',
    OptedIn: 'Select member',
    VIP: 'VIP member',
  })
  const { items } = (await admin.call('GET', own('/transactions'))).json<{ items: { id: string }[] }>()
  const path = `/api/programs/skyharbor/transactions/${items[0]?.id}`
  const { inputs } = (await admin.call('GET', path)).json<{ inputs: { name: string; value: string }[] }>()
  expect(JSON.stringify(inputs)).toMatch(/"Tier".*"(Select member|Member|VIP member)"/)
})

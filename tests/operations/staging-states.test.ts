import { beforeAll, expect, test } from 'vitest'
import { memberStates } from '../../src/staging/rules.ts'
import { hasSampleCards } from '../../src/staging/sample-cards.ts'
import { asOwner, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { newMember, signIn } from '../support/members.ts'
import { addMerchants, merchantRecord } from '../support/merchants.ts'

const app = setUpTestApp()

beforeAll(async () => {
  await addMerchants(app.database.pools.shared, merchantRecord())
})

const make = async (partner: string, state: string) =>
  (await visit(app, partner).change('POST', '/api/staging/members', { state })).json()

const known = async (partner: string, publicId: string) => {
  const visitor = visit(app, partner)
  const { csrfToken } = (await visitor.get('/api/CSRF')).json()
  return (await visitor.get(`/api/Member/${publicId}`, { 'x-xsrf-token': csrfToken })).json()
}

test('ROUTE-023 the staging tools create a member in every state and sign a browser in as one', async () => {
  for (const state of memberStates) {
    const made = await make('skyharbor', state)
    expect([state, made.publicId]).toEqual([state, expect.any(String)])
    const visitor = visit(app, 'skyharbor')
    const become = await visitor.change('POST', '/api/staging/session', { publicId: made.publicId })
    expect([state, become.status]).toEqual([state, 200])
    expect((await visitor.get('/api/Member')).json()).toMatchObject({
      publicId: made.publicId,
      memberType: made.memberType,
      tierLevel: made.tierLevel,
      mustFixCredentials: state === 'mustFixEmail',
    })
    const cards = state === 'maximumCards' ? 12 : made.memberType === 'EnrolledCardMember' ? 1 : 0
    expect([state, (await visitor.get('/api/Member/Cards')).json()]).toEqual([
      state,
      expect.objectContaining({ length: cards }),
    ])
  }
  expect(await known('skyharbor', (await make('skyharbor', 'inactive')).publicId)).toMatchObject({
    active: false,
    hasWebProfile: true,
  })
  const { email, password } = await make('skyharbor', 'withCard')
  expect((await signIn(visit(app, 'skyharbor'), email, { password })).status).toBe(200)
  const newest = (await visit(app, 'skyharbor').get('/api/staging/members')).json().members
  expect(newest[0]).toMatchObject({ email })
  // A member who was deleted is no longer listed, and no browser is signed in as one.
  const [deleted] = await asOwner<{ id: string }>(
    app,
    'update members set deleted_at = now() where email = $1 returning public_id as id',
    [email],
  )
  const others = (await visit(app, 'skyharbor').get('/api/staging/members')).json().members
  expect(others.map((member: { email: string }) => member.email)).toEqual(
    newest.slice(1).map((member: { email: string }) => member.email),
  )
  const become = await visit(app, 'skyharbor').change('POST', '/api/staging/session', { publicId: deleted?.id })
  expect([become.status, become.json().code]).toEqual([404, 'memberNotFound'])
  // Each program has its own members, and a program without enrollment has none.
  expect((await visit(app, 'gallonaire').get('/api/staging/members')).json().members).toEqual([])
  expect((await visit(app, 'lantern').change('POST', '/api/staging/members', { state: 'vip' })).status).toBe(404)
})

test('PART-010 ACT-012 a partner’s file opens accounts, which their owners activate and give a password', async () => {
  const line = {
    email: 'grace@example.com',
    firstName: 'Grace',
    lastName: 'Hopper',
    zipCode: '10001',
    emailOptIn: true,
  }
  const load = (partner: string, ...lines: unknown[]) =>
    visit(app, partner).change('POST', '/api/staging/activations', {
      lines: lines.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n'),
    })
  const first = await load('skyharbor', line, ' ', 'no json', { ...line, email: 'x' }, { ...line, partnerNumber: '!' })
  expect(first.json()).toEqual({
    members: [{ email: line.email, publicId: expect.any(String) }],
    problems: [
      { line: 3, problem: 'The line is not JSON.' },
      { line: 4, problem: expect.stringMatching(/^email: /) },
      { line: 5, problem: expect.stringMatching(/^partnerNumber: “!”/) },
    ],
  })
  const { publicId } = first.json().members[0]
  expect(await known('skyharbor', publicId)).toMatchObject({
    tierLevel: 'NonActivated',
    firstName: 'Grace',
    active: false,
  })
  // Loading the same file again updates the account.
  expect((await load('skyharbor', { ...line, firstName: 'Amazing' })).json().members).toEqual([
    { email: line.email, publicId },
  ])
  const { token, firstName } = await known('skyharbor', publicId)
  expect(firstName).toBe('Amazing')
  const visitor = visit(app, 'skyharbor')
  const activated = await visitor.change(
    'POST',
    '/api/Member/Activate',
    { publicId },
    { authorization: `Bearer ${token}` },
  )
  expect(activated.json()).toEqual({ publicId, tierLevel: 'OptedIn' })
  // Now the account is activated: no file changes it any more.
  await load('skyharbor', { ...line, firstName: 'Someone' })
  expect(await known('skyharbor', publicId)).toMatchObject({ firstName: 'Amazing', active: true })
  expect((await load('gallonaire', line)).status).toBe(404)
  // A member without a password sets one with a code.
  await visitor.change('POST', '/api/Members/Recover', { userName: line.email, gRecaptchaResponse: '' })
  await expect
    .poll(async () => (await asOwner(app, "select body_text from emails where topic = 'recovery.code'"))[0]?.body_text)
    .toMatch(/recover\/confirm#code=/)
})

test('ROUTE-023 the staging tools set the clock, and awards, offers and reservations follow', async () => {
  const visitor = visit(app, 'skyharbor')
  const clock = async () => (await visitor.get('/api/staging/clock')).json()
  expect(await clock()).toMatchObject({ isSet: false })
  const set = await visitor.change('PUT', '/api/staging/clock', { at: '2031-05-06T07:08:09Z' })
  expect(set.json()).toMatchObject({ now: expect.stringMatching(/^2031-05-06T07:08:/), isSet: true })
  const { publicId } = await make('skyharbor', 'withCard')
  await visitor.change('POST', '/api/staging/session', { publicId })
  // The card that was linked last is the first one, and a card that was removed is none.
  const { publicId: otherId } = await make('skyharbor', 'maximumCards')
  await asOwner(
    app,
    'update cards set removed_at = now() where member_id = (select id from members where public_id = $1)',
    [otherId],
  )
  const [card] = (await visitor.get('/api/staging/cards')).json().cards
  const [merchant] = await asOwner<{ id: string }>(app, 'select public_id as id from merchants')
  const dine = { cardId: card.id, merchantId: merchant?.id, amount: ' 40.00 ', event: 'auth' }
  const sent = await visitor.change('POST', '/api/staging/dine', dine)
  expect(sent.status).toBe(200)
  const { data } = (await visitor.get('/api/Member/Transactions')).json()
  expect(data).toEqual([expect.objectContaining({ date: '2031-05-06', benefitAmount: 120 })])
  // A refund has an id of its own, and the next one belongs to the same transaction.
  const { transactionId } = sent.json()
  const refund = { ...dine, event: 'refund', amount: '1.00', transactionId }
  expect((await visitor.change('POST', '/api/staging/dine', refund)).json().transactionId).toBe(transactionId)
  expect((await visitor.change('PUT', '/api/staging/clock', { at: 'tomorrow' })).status).toBe(400)
  // A clock near the end of the range would soon show a year of five digits, which no date of the API supports.
  for (const at of ['9999-12-31T23:59:59Z', '1200-01-01T00:00:00Z'])
    expect([at, (await visitor.change('PUT', '/api/staging/clock', { at })).status]).toEqual([at, 400])
  const past = await visitor.change('PUT', '/api/staging/clock', { at: '2020-02-29T23:00:00Z' })
  expect(past.json()).toMatchObject({ now: expect.stringMatching(/^2020-02-29T23:00:/), isSet: true })
  expect((await visitor.change('PUT', '/api/staging/clock', { at: null })).json()).toMatchObject({ isSet: false })
})

test('ROUTE-023 the staging tools load three cards, valid for more than a year, where the partner may load cards', async () => {
  const { visitor, publicId } = await newMember(app, 'gallonaire')
  const has = () => hasSampleCards(app.database.pools.forPartner('gallonaire'), publicId)
  expect(await has()).toBe(false)
  expect((await visitor.change('POST', '/api/staging/partner-cards', {})).json()).toEqual({ loaded: true })
  expect(await has()).toBe(true)
  const offered = (await visitor.get('/api/Cards/AllPartnerCards')).json()
  expect(offered).toHaveLength(3)
  // Those of another member are others.
  const other = await newMember(app, 'gallonaire')
  await other.visitor.change('POST', '/api/staging/partner-cards', {})
  expect((await visitor.get('/api/Cards/AllPartnerCards')).json()).toEqual(offered)
  const elsewhere = await newMember(app, 'orchard')
  expect((await elsewhere.visitor.change('POST', '/api/staging/partner-cards', {})).status).toBe(404)
})

test('ROUTE-023 the staging tools list and set every feature flag', async () => {
  const visitor = visit(app, 'orchard')
  const flags = async () => (await visitor.get('/api/staging/flags')).json().flags
  expect(await flags()).toEqual(
    expect.arrayContaining([
      { kind: 'authFlags', name: 'siteMaintenance', value: false },
      { kind: 'filters', name: 'acclaimed', value: true },
      { kind: 'partnerFeatureFlags', name: 'hasVIP', value: true },
    ]),
  )
  await visitor.change('PUT', '/api/staging/flags', { kind: 'partnerFeatureFlags', name: 'hasVIP', value: false })
  expect(await flags()).toContainEqual({ kind: 'partnerFeatureFlags', name: 'hasVIP', value: false })
  expect((await visitor.get('/api/PartnerConfig')).json().hasVIP).toBe(false)
  await visitor.change('PUT', '/api/staging/flags', { kind: 'partnerFeatureFlags', name: 'hasVIP', value: true })
})

test('GEN-003 outside production ?partner=code opens the same address of that program', async () => {
  const moved = await visit(app, 'skyharbor').get('/search?location=10001&partner=lantern')
  expect([moved.status, moved.headers.location]).toEqual([
    302,
    expect.stringMatching(/^http:\/\/lantern\.localhost(:\d+)?\/search\?location=10001$/),
  ])
  expect(moved.headers['cache-control']).toBe('no-store')
  const unmovedPaths = ['/search?partner=unknown', '/search?partner=skyharbor', '/api/PartnerConfig?partner=lantern']
  for (const unmoved of unmovedPaths) expect((await visit(app, 'skyharbor').get(unmoved)).status).not.toBe(302)
  const evil = await visit(app, 'skyharbor').get('//evil.example/?partner=lantern')
  expect(evil.headers.location ?? 'http://lantern.localhost/').toMatch(/^http:\/\/lantern\.localhost/)
})

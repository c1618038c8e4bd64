import { asOwner, visit, withoutBotCheck } from '../support/app.ts'
import { decideClaim, openConsole } from '../support/console.ts'
import { linkCard, newMember, type TestMember } from '../support/members.ts'
import { addressesOf } from '../support/program-pages.ts'
import { sendReview } from '../support/review-callback.ts'
import { recordPages } from './record-pages.ts'
import { createScenario, type Scenario } from './scenario.ts'
import { administrator, type Stage, start } from './stage.ts'

const html = { accept: 'text/html' }
const bonuses: Record<string, string> = {
  skyharbor: 'SKY-REDEYE',
  beacon: 'BEA-WEEKDAY',
  gallonaire: 'GAL-ROADTRIP',
  orchard: 'ORC-PLUS',
}
const [firstNumber, secondNumber] = ['4111111111111111', '4242424242424242']

/** Returns what a program's pages say to a visitor. */
export async function recordVisitor({ app, slugOf }: Stage, partner: string): Promise<string> {
  const visitor = visit(app, partner)
  const scenario = await createScenario(app)
  return recordPages(scenario, await addresses(app, partner, await slugOf('kumo')), (page) => visitor.get(page, html))
}

/**
 * Lets a member join, link cards, book, dine, review, claim, change settings and leave, while months pass. Returns what
 * each act writes, and what the pages of the member and of the console say before the member leaves.
 */
export async function recordMember(stage: Stage, partner: string) {
  const { app, slugOf } = stage
  await withoutBotCheck(partner, app)
  // Waiting has moved the clock.
  await stage.moveTo(start)
  const scenario = await createScenario(app)
  const { step } = scenario
  const member = await join(stage, scenario, partner)
  const { visitor, publicId } = member
  const [kumo, sole, oak] = await Promise.all(['kumo', 'sole', 'oak'].map(slugOf))

  const call = (title: string, method: string, path: string, body?: unknown) =>
    step(title, () => visitor.change(method, path, body))
  const moveTo = async (moment: string) => {
    await stage.moveTo(moment)
    scenario.note(`\n# ${moment}`)
  }
  // Sessions end while the clock moves.
  const returnAt = async (moment: string) => {
    await moveTo(moment)
    await call('The member signs in', 'POST', '/api/staging/session', { publicId })
  }
  // Given ids of transactions, because some orders depend on them.
  const pay = async (event: string, transactionId: string, merchantId: string | undefined, amount: string) => {
    const { cards } = (await visitor.get('/api/staging/cards')).json()
    const card = cards.find(({ lastFour }: { lastFour: string }) => lastFour === firstNumber.slice(-4))
    const body = { event, merchantId, amount, cardId: card.id, transactionId }
    await call(`The network reports: ${event} of ${transactionId}, ${amount}`, 'POST', '/api/staging/dine', body)
  }
  const runTasks = async (...tasks: string[]) => {
    for (const task of tasks) {
      const data = JSON.stringify({ task, partnerId: partner })
      await step(`The task ${task} runs`, async () => {
        await asOwner(app, startTask, [data])
      })
    }
  }

  await step('A card is linked', async () => (await linkCard(app, member, firstNumber)).response)
  await call('A bonus is activated', 'POST', `/api/Member/Bonus/${bonuses[partner]}`)
  const table = { merchantId: kumo, date: '2027-03-03', time: '19:00', partySize: 2 }
  const held = await call('A table is held', 'POST', '/api/Member/Reservations/Holds', table)
  const holdToken = held.json().token
  const booked = await call('It is booked', 'POST', '/api/Member/Reservations', { ...table, holdToken })
  const changed = { date: '2027-03-03', time: '19:30', partySize: 4 }
  await call('The booking is changed', 'PUT', `/api/Member/Reservations/${booked.json().id}`, changed)

  await returnAt('2027-03-04T01:50:00.000Z')
  await pay('auth', 'dinner', kumo, '80.00')
  await returnAt('2027-03-05T17:20:00.000Z')
  await pay('clearing', 'dinner', kumo, '96.40')
  await pay('clearing', 'lunch', sole, '152.00')
  await pay('clearing', 'drinks', oak, '33.00')
  await returnAt('2027-03-09T03:30:00.000Z')
  await pay('clearing', 'pasta', sole, '112.00')
  await pay('clearing', 'sushi', kumo, '61.25')
  await pay('refund', 'sushi', kumo, '11.25')
  const list = partner === 'beacon' ? 'TransactionsStatementCredits' : 'Transactions'
  const { data } = (await visitor.get(`/api/Member/${list}`)).json()
  const eaten = data.find(({ merchantName }: { merchantName?: string }) => merchantName === 'Kumo')
  await step('A dinner is reviewed', () =>
    sendReview(app, member, { txnId: eaten.sourceTransactionId, rating: 3, comment: 'Quick & friendly.' }),
  )
  const other = { ...table, date: '2027-03-12', time: '20:00' }
  const second = await call('Another table is booked', 'POST', '/api/Member/Reservations', other)
  await call('It is canceled', 'DELETE', `/api/Member/Reservations/${second.json().id}`)
  await call('A third table is booked', 'POST', '/api/Member/Reservations', { ...other, date: '2027-03-30' })
  await step('A second card is linked', async () => (await linkCard(app, member, secondNumber)).response)
  const consent = { channel: 'email', topic: 'offers', granted: false }
  await call('The member opts out of offers', 'PUT', '/api/Member/Consents', consent)
  const preference = { topic: 'rewardPosted', channel: 'email', wanted: false }
  await call('The member turns off a notification', 'PUT', '/api/Member/Notices', preference)
  await call('The profile is saved', 'PUT', '/api/Member', {
    firstName: 'Ada',
    lastName: 'King',
    address1: '2 Side Street',
    address2: 'Apt 3',
    city: 'Boston',
    state: 'MA',
    zipCode: '02108',
    phoneNumber: '(617) 555-0123',
    smsOptIn: false,
    emailOptIn: true,
  })
  await returnAt('2027-03-20T14:00:00.000Z')
  const missing = { date: '2027-03-06', merchantId: kumo, merchantName: 'Kumo', amount: '70.00' }
  await call('The member asks why a meal is missing', 'POST', '/api/Member/MissingMeals', missing)
  const claim = await call('It is claimed', 'POST', '/api/Member/Claims', { ...missing, note: 'At the counter.' })
  await runTasks('vip', 'review-requests', 'review-expiry', 'pending-transactions', 'card-expiry', 'rematch')

  const filtered = '/account/recent_activity?period=2027-03&status=earned'
  const memberPages = await recordPages(scenario, [...(await addresses(app, partner, kumo ?? '')), filtered], (page) =>
    visitor.get(page, html),
  )
  const operator = await openConsole(app, administrator.email, administrator.password)
  const responses = await recordResponses(
    scenario,
    [
      ...memberReads(data.map(({ sourceTransactionId }: { sourceTransactionId: string }) => sourceTransactionId)),
      ...merchantReads([kumo, sole, oak]),
      `/api/Member/Reservations/${booked.json().id}/Calendar`,
    ],
    async (path) => visitor.get(path, { 'x-xsrf-token': await visitor.token() }),
  )
  const statements = await recordResponses(
    scenario,
    [
      `/api/programs/${partner}/settlement/days/2027-03-05`,
      ...[kumo, sole].map((id) => `/api/programs/${partner}/settlement/statements/${id}/file?month=2027-03&format=csv`),
    ],
    operator.get,
  )
  const claims = `/api/programs/${partner}/claims`
  const consolePages = await recordPages(
    scenario,
    [
      '/programs',
      `/${partner}/content`,
      claims,
      `${claims}/${claim.json().id}`,
      `/api/programs/${partner}/members?q=king`,
    ],
    operator.get,
  )
  await step('The claim is credited', () =>
    decideClaim(operator, partner, claim.json().id, {
      code: 'credited',
      words: 'We found your meal.',
      reward: rewardTexts[partner] ?? '',
    }),
  )
  await returnAt('2027-03-21T14:00:00.000Z')
  const cards = (await visitor.get('/api/Member/Cards')).json()
  const removed = cards.find(({ lastFour }: { lastFour: string }) => lastFour === secondNumber.slice(-4))
  await call('The second card is removed', 'DELETE', `/api/Member/Cards?id=${removed?.id}`)
  await returnAt('2027-05-20T12:00:00.000Z')
  await runTasks('vip', 'review-requests', 'review-expiry', 'pending-transactions', 'card-expiry', 'rematch')
  await runTasks(...cleanups)
  await call('The member signs in', 'POST', '/api/staging/session', { publicId })
  await call('The account is deleted', 'POST', '/api/Member/Delete', { confirmation: 'delete' })
  await moveTo('2029-06-20T12:00:00.000Z')
  await runTasks(...cleanups, 'former-members')
  return { writes: scenario.text(), memberPages, consolePages, responses: responses + statements }
}

/** What the app reads for a member besides the data in its pages. */
const memberReads = (transactionIds: readonly string[]) => [
  '/api/Member',
  ...transactionIds.map((id) => `/api/Member/Transactions/${id}/Story`),
  '/api/Member/Activity/Export',
  '/api/Member/Activity/Export?period=2027-03&status=notEarned',
  '/api/Member/StatementCreditBalance',
  '/api/Member/DineSummary',
  '/api/Member/Goals',
  '/api/Member/FlexOffers',
  '/api/Member/Notices',
  '/api/Member/Consents',
  '/api/Member/Cards',
  '/api/Member/Reservations',
  '/api/Member/Export',
]

const merchantReads = (ids: readonly (string | undefined)[]) => [
  ...ids.flatMap((id) => [`/api/v2/Merchants/${id}`, `/api/v2/Merchants/${id}/Earn?amount=60`]),
  ...['date=2027-03-22', 'date=2027-03-30&time=20:30', 'date=2027-03-31&time=01:00'].map(
    (when) => `/api/v2/Merchants/${ids[0]}/Earn?amount=1%2C240.50&${when}`,
  ),
  ...['date=2027-03-30&time=20:00&partySize=2', 'date=2027-03-29&time=20:00&partySize=2'].map(
    (when) => `/api/v2/Merchants/${ids[0]}/Reservations/Availability?${when}`,
  ),
  '/api/v2/Merchants/Search?location=10001',
  '/api/v2/Merchants/Search?location=10001&restaurantOrCuisine=sushi',
  '/api/v2/Merchants/Facets?location=10001',
  '/api/v2/Merchants/Suggest?query=tratt',
  '/api/v2/Merchants/Pins?location=10001',
  '/api/Locations/Suggest?query=new%20york',
]

/** Returns what requests read: data for the app, and files to download. */
async function recordResponses(
  scenario: Pick<Scenario, 'describe' | 'named'>,
  paths: readonly string[],
  get: (path: string) => Promise<Parameters<Scenario['describe']>[0]>,
): Promise<string> {
  const lines: string[] = []
  for (const path of paths) {
    const response = scenario.describe(await get(path))
    lines.push(`## ${scenario.named(path)}: ${response}`, '')
  }
  return lines.join('\n')
}

/** Adds a job of the task queue and wakes its worker. */
const startTask = `with job as (insert into jobs.job (name, data) values ('tasks', $1) returning name)
  select pg_notify('pgboss_' || left(encode(sha224('jobs'::bytea), 'hex'), 24), name) from job`

const cleanups = ['sessions', 'recoveries', 'email-secrets', 'old-moves', 'old-notifications', 'receipts']

/** What an operator types as the reward of the claim. */
const rewardTexts: Record<string, string> = { skyharbor: '210', beacon: '2.10', gallonaire: '0.10', orchard: '210' }

/** Every address of the program except the one that signs out. */
async function addresses(app: Stage['app'], partner: string, slug: string): Promise<string[]> {
  const program = app.programs.get(partner)
  if (!program) throw new Error(`no program ${partner}`)
  return addressesOf(program.config, slug).filter((address) => address !== '/SignOut')
}

async function join({ app }: Stage, scenario: Scenario, partner: string): Promise<TestMember> {
  if (partner === 'beacon') {
    const visitor = visit(app, partner)
    const made = await scenario.step('The bank has a customer', () =>
      visitor.change('POST', '/api/staging/members', { state: 'withoutCard' }),
    )
    const { publicId } = made.json()
    await scenario.step('The customer signs in', () => visitor.change('POST', '/api/staging/session', { publicId }))
    return { visitor, publicId }
  }
  const partnerNumber = partner === 'gallonaire' ? '' : `${partner.slice(0, 3).toUpperCase()}12345678`
  let member: TestMember | undefined
  await scenario.step('The member joins', async () => {
    member = await newMember(app, partner, { email: `ada@${partner}.example`, partnerNumber })
  })
  return member as TestMember
}

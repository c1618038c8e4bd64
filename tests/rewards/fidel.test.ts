import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { signMessage } from '../../src/platform/security/webhook-signature.ts'
import { DAY, MINUTE } from '../../src/platform/time.ts'
import { createActivityHub } from '../../src/rewards/activity/activity-stream.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { addCard, addMember, addMerchant, createTestContext } from '../support/rewards-harness.ts'
import { createRewardsServer, origin } from '../support/rewards-server.ts'

const fidel = { programId: 'b9c55eb6-8d61-4cba-a1a7-2d1d7a5a0a6f', secretKeys: ['fb5bb7a4-auth', 'c6cf5a6e-clearing'] }
const harness = setUpTestHarness()
let dbListener: DatabaseListener
let app: FastifyInstance
let fixture: { token: string; locationId: string; memberId: number }

function context(): Ctx {
  const ctx = createTestContext(harness, 'skyharbor')
  ctx.program.config.fidel = fidel
  return ctx
}

beforeAll(async () => {
  dbListener = createDatabaseListener({ url: harness.url, log: console })
  app = await createRewardsServer(context, {
    hub: createActivityHub({ listener: dbListener, liveSessions: async (_partnerId, ids) => ids, log: console }),
  })
})
afterAll(async () => {
  await app?.close()
  await dbListener?.close()
})
beforeEach(async () => {
  const { db } = context()
  const memberId = await addMember(db)
  fixture = { memberId, token: (await addCard(db, memberId)).token, locationId: (await addMerchant(db)).locationId }
})

/** The transaction object as Fidel documents it, with every property it names. */
const transaction = (over: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  accountId: '36081095-2782-4669-8a07-857bbaaeb89b',
  programId: fidel.programId,
  amount: 42.1,
  currency: 'USD',
  // The restaurant's local time, without an offset: 19:30 in New York.
  datetime: '2026-03-10T19:30:00',
  created: '2026-03-10T23:30:02.271Z',
  updated: '2026-03-10T23:30:02.271Z',
  auth: true,
  cleared: false,
  authCode: 'A73H890',
  approvalCode: null,
  cardPresent: true,
  merchantCategoryCode: '5812',
  refundTransactionId: null,
  originalTransactionId: null,
  wallet: null,
  card: { id: fixture.token, firstNumbers: '444400', lastNumbers: '0002', scheme: 'visa', metadata: null },
  brand: { id: randomUUID(), name: 'Corner Bistro', logoURL: 'https://example.com/logo.png', metadata: null },
  location: {
    id: fixture.locationId,
    address: '1 Main Street',
    city: 'New York',
    postcode: '10001',
    countryCode: 'USA',
    timezone: 'America/New_York',
    geolocation: { latitude: 40.75, longitude: -73.98 },
    metadata: null,
  },
  identifiers: {
    MID: '011529360007639',
    visaAuthCode: 'A73H890',
    mastercardAuthCode: null,
    mastercardRefNumber: null,
    mastercardTransactionSequenceNumber: null,
    amexApprovalCode: null,
  },
  offer: null,
  ...over,
})

async function webhook(event: string, body: unknown, { key = fidel.secretKeys[1] as string, at = Date.now() } = {}) {
  const path = `/api/feed/fidel/${event}`
  const text = JSON.stringify(body)
  const url = origin('skyharbor') + path
  const response = await app.inject({
    method: 'POST',
    url: path,
    headers: {
      'content-type': 'application/json',
      'x-fidel-timestamp': String(at),
      'x-fidel-signature': signMessage(key, { body: text, url, timestamp: String(at) }),
    },
    payload: text,
  })
  return { status: response.statusCode, json: response.json() }
}

const applied = { status: 200, json: { outcome: 'applied' } }
const balance = () => getBalance(context().db, fixture.memberId, 'mile')
const getTransaction = (id: string) =>
  context().db.selectFrom('transactions').selectAll().where('network_id', '=', id).executeTakeFirstOrThrow()

describe('Fidel’s webhooks', () => {
  test('authorization, clearing and refund of a transaction arrive at their own paths with their own keys', async () => {
    const auth = transaction()
    expect(await webhook('transaction.auth', auth, { key: fidel.secretKeys[0] })).toEqual(applied)
    const stored = await getTransaction(auth.id)
    expect(stored).toMatchObject({ award_status: 'Pending', benefit: 126, ticket_cents: 42_10 })
    expect(stored.occurred_at.toISOString()).toBe('2026-03-10T23:30:00.000Z')
    // The acquirer may have renumbered the restaurant by then.
    const cleared = {
      ...auth,
      amount: 50.52,
      auth: true,
      cleared: true,
      updated: '2026-03-12T04:00:00.000Z',
      identifiers: { ...auth.identifiers, MID: '0029384756' },
    }
    expect(await webhook('transaction.clearing', cleared)).toEqual(applied)
    expect(await balance()).toBe(151)
    const refund = transaction({
      amount: -50.52,
      originalTransactionId: auth.id,
      auth: false,
      cleared: true,
      updated: '2026-03-20T04:00:00.000Z',
    })
    // It is sent twice: as a refund and as a clearing.
    await webhook('transaction.clearing', refund)
    expect(await webhook('transaction.refund', refund)).toEqual(applied)
    expect(await balance()).toBe(0)
    expect(await getTransaction(auth.id)).toMatchObject({ stage: 'refunded', award_status: 'Forfeit' })
  })

  test.each([
    ['names no purchase', {}],
    ['is named by its purchase', { byPurchase: true }],
  ])('a refund that %s is matched', async (_, { byPurchase = false }: { byPurchase?: boolean }) => {
    const refundId = randomUUID()
    const cleared = transaction({ cleared: true, ...(byPurchase && { refundTransactionId: refundId }) })
    const refund = transaction({
      id: refundId,
      amount: -42.1,
      datetime: '2026-03-15T12:00:00',
      updated: '2026-03-16T04:00:00.000Z',
    })
    await webhook('transaction.clearing', cleared)
    expect(await balance()).toBe(126)
    expect(await webhook('transaction.refund', refund)).toEqual(applied)
    expect(await balance()).toBe(0)
  })

  test('a property that is null is as good as absent', async () => {
    const absent = {
      accountId: null,
      auth: null,
      cleared: null,
      brand: null,
      identifiers: null,
      merchantCategoryCode: null,
    }
    const cleared = transaction({ ...absent, card: { ...transaction().card, funding: null } })
    expect(await webhook('transaction.clearing', cleared)).toEqual(applied)
    expect(await balance()).toBe(126)
  })

  test('a message that arrives three times, as after a lost response, counts once', async () => {
    const cleared = transaction({ cleared: true })
    const responses = []
    for (let attempt = 0; attempt < 3; attempt++) responses.push((await webhook('transaction.clearing', cleared)).json)
    expect(responses).toEqual([{ outcome: 'applied' }, { outcome: 'repeated' }, { outcome: 'repeated' }])
    expect(await balance()).toBe(126)
  })

  test.each(['transaction.auth.qualified', 'transaction.clearing.qualified', 'transaction.refund.qualified'])(
    '%s about the network’s own offers changes nothing',
    async (event) => {
      const offer = { id: randomUUID(), qualified: true, message: [], cashback: 2.5, performanceFee: 0.3 }
      expect(await webhook(event, transaction({ offer }))).toEqual({ status: 200, json: { outcome: 'ignored' } })
      expect(await balance()).toBe(0)
    },
  )

  test.each(['card.linked', 'card.failed', 'program.status', 'location.status', 'brand.consent'])(
    '%s gets a 200, so that it is not sent again',
    async (event) => {
      const body = { id: randomUUID(), programId: fidel.programId, active: true }
      expect(await webhook(event, body)).toEqual({ status: 200, json: { outcome: 'ignored' } })
    },
  )

  test('Case 29 a forged or late message, one of another program, and one that is not an event are rejected', async () => {
    const body = transaction({ cleared: true })
    expect(await webhook('transaction.clearing', body, { key: 'someone else' })).toMatchObject({ status: 401 })
    const late = { at: Date.now() - 6 * 60_000 }
    expect(await webhook('transaction.clearing', body, late)).toMatchObject({ json: { code: 'staleTimestamp' } })
    const other = transaction({ programId: randomUUID() })
    expect(await webhook('transaction.clearing', other)).toMatchObject({ status: 422, json: { code: 'otherProgram' } })
    const early = transaction({ created: new Date(Date.now() + 2 * DAY + MINUTE).toISOString() })
    expect(await webhook('transaction.clearing', early)).toMatchObject({ status: 422, json: { code: 'futureDate' } })
    const strange = transaction({ amount: '12.345' })
    expect(await webhook('transaction.clearing', strange)).toMatchObject({ json: { code: 'malformedEvent' } })
    expect(await webhook('transaction.party', body)).toMatchObject({ status: 400 })
    const pan = transaction({ card: { ...body.card, number: '4111111111111111' } })
    expect(await webhook('transaction.clearing', pan)).toMatchObject({ status: 400 })
    expect(await balance()).toBe(0)
  })
})

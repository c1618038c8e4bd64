import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import { checkSignature, signMessage } from '../../src/platform/security/webhook-signature.ts'
import { DAY, MINUTE } from '../../src/platform/time.ts'
import { createActivityHub } from '../../src/rewards/activity/activity-stream.ts'
import { type FeedEvent, feedPaths, type NetworkTransaction } from '../../src/rewards/feed/contract.ts'
import { feedKey } from '../../src/rewards/feed/feed-key.ts'
import { createIntake } from '../../src/rewards/feed/intake.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { addCard, addMember, addMerchant, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'
import { createRewardsServer, feedSecret, origin } from '../support/rewards-server.ts'
import { scaled } from '../support/scale.ts'

const partnerId = 'skyharbor'
const key = feedKey(feedSecret, partnerId)
const minutes = (count: number) => count * 60_000

const harness = setUpTestHarness()
let dbListener: DatabaseListener
let app: FastifyInstance
let memberId: number
let cardsAndLocations: Pick<NetworkTransaction, 'card' | 'location'>[]

beforeAll(async () => {
  dbListener = createDatabaseListener({ url: harness.url, log: console })
  const { db } = createTestContext(harness, partnerId)
  memberId = await addMember(db)
  const card = await addCard(db, memberId)
  const merchants = await Promise.all(Array.from({ length: 40 }, () => addMerchant(db)))
  cardsAndLocations = merchants.map(({ locationId }) => ({
    card: { id: card.token, lastNumbers: card.lastFour },
    location: { id: locationId },
  }))
  app = await createRewardsServer(() => createTestContext(harness, partnerId), {
    hub: createActivityHub({ listener: dbListener, liveSessions: async (_partnerId, ids) => ids, log: console }),
  })
})
afterAll(async () => {
  await app?.close()
  await dbListener?.close()
})

let eventCount = 0

/** Another transaction of the member, each at another location. */
const clearing = (over: Partial<NetworkTransaction> = {}): FeedEvent =>
  feedEvent('transaction.clearing', {
    id: randomUUID(),
    ...cardsAndLocations[eventCount++ % cardsAndLocations.length],
    ...over,
  })

interface Delivery {
  body: string
  path?: string
  type?: string
  url?: string
  timestamp?: string
  signature?: string
  names?: 'x-dineback' | 'x-fidel'
}

async function deliver(to: FastifyInstance, delivery: Delivery) {
  const response = await post(to, delivery)
  return { status: response.statusCode, json: response.json() }
}

function post(to: FastifyInstance, delivery: Delivery) {
  const { body, path = feedPaths.event, type = 'application/json', names = 'x-dineback' } = delivery
  const timestamp = delivery.timestamp ?? String(Date.now())
  const url = delivery.url ?? origin(partnerId) + path
  const signature = delivery.signature ?? signMessage(key, { body, url, timestamp })
  return to.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': type, [`${names}-timestamp`]: timestamp, [`${names}-signature`]: signature },
    payload: body,
  })
}

const send = (event: unknown, over: Partial<Delivery> = {}) => deliver(app, { body: JSON.stringify(event), ...over })
const balance = () => getBalance(createTestContext(harness, partnerId).db, memberId, 'mile')

describe('accepted messages', () => {
  test('a signed event is applied, and the result is repeated when it comes again', async () => {
    const event = clearing()
    expect(await send(event)).toEqual({ status: 200, json: { outcome: 'applied' } })
    expect(await send(event)).toEqual({ status: 200, json: { outcome: 'repeated' } })
  })

  test('the header names of Fidel are accepted as well', async () => {
    expect(await send(clearing(), { names: 'x-fidel' })).toMatchObject({ status: 200 })
  })

  test('events about the network’s own offers are stored and ignored', async () => {
    const event = feedEvent('transaction.clearing.qualified', { id: randomUUID(), ...cardsAndLocations[0] })
    expect(await send(event)).toEqual({ status: 200, json: { outcome: 'ignored' } })
  })

  test('unknown fields are stored with the message', async () => {
    const event = clearing({ wallet: 'a field of next year' } as never)
    await send(event)
    const stored = await createTestContext(harness, partnerId)
      .db.selectFrom('feed_messages')
      .select('body')
      .where('network_id', '=', event.transaction.id)
      .executeTakeFirstOrThrow()
    expect(stored.body).toMatchObject({ transaction: { wallet: 'a field of next year' } })
  })
})

describe('rejected messages', () => {
  test('a message of another program', async () => {
    expect(await send(clearing({ programId: 'beacon' }))).toMatchObject({ status: 422, json: { code: 'otherProgram' } })
  })

  test('a message that is dated or was written more than two days ahead, alone and in a batch', async () => {
    const ahead = (ms: number) => new Date(Date.now() + 2 * DAY + ms).toISOString()
    for (const name of ['datetime', 'created', 'updated'] as const) {
      const early = clearing({ [name]: ahead(MINUTE) })
      expect([name, await send(early)]).toMatchObject([name, { status: 422, json: { code: 'futureDate' } }])
      expect([name, (await send(clearing({ [name]: ahead(-MINUTE) }))).status]).toEqual([name, 200])
      const batch = await deliver(app, {
        path: feedPaths.batch,
        type: 'application/x-ndjson',
        body: JSON.stringify(early),
      })
      expect([name, batch.json]).toEqual([name, { results: [{ line: 1, status: 422, code: 'futureDate' }] }])
    }
  })

  test('a message that is not JSON, or not an event', async () => {
    expect(await deliver(app, { body: '{"event":' })).toMatchObject({ status: 400, json: { code: 'notJson' } })
    expect(await deliver(app, { body: '' })).toMatchObject({ status: 400 })
    expect(await send({ event: 'transaction.clearing' })).toMatchObject({
      status: 400,
      json: [{ field: 'transaction' }],
    })
    expect(await send(clearing({ amount: 42.105 }))).toMatchObject({ status: 400 })
    // Times that no date column can store: they would be retried forever.
    for (const moment of ['0000-01-01T00:00:00Z', '9999-12-31T23:59:59-14:00']) {
      for (const field of ['updated', 'datetime', 'created']) {
        expect((await send(clearing({ [field]: moment }))).status, `${field} ${moment}`).toBe(400)
      }
    }
  })

  test('a message with a character that cannot be stored, alone and in a batch', async () => {
    const event = clearing({ brand: { name: 'Corner\u0000Bistro' } })
    expect(await send(event)).toMatchObject({ status: 400, json: { code: 'notJson' } })
    const batch = await deliver(app, {
      path: feedPaths.batch,
      type: 'application/x-ndjson',
      body: JSON.stringify(event),
    })
    expect(batch.json).toEqual({ results: [{ line: 1, status: 400, code: 'malformed' }] })
  })

  test('a message that is nested too deeply', async () => {
    const body = JSON.stringify(clearing({ deep: 'HERE' } as never)).replace(
      '"HERE"',
      '['.repeat(20_000) + ']'.repeat(20_000),
    )
    expect((await deliver(app, { body })).status).toBe(400)
  })

  test('a message with a prototype key', async () => {
    const body = JSON.stringify(clearing()).replace('{', '{"__proto__":{"admin":true},')
    expect(await deliver(app, { body })).toMatchObject({ status: 400, json: { code: 'notJson' } })
  })

  test('a body whose content type is not JSON', async () => {
    expect(await send(clearing(), { type: 'text/plain' })).toMatchObject({ status: 415 })
  })

  test('Case 13 a whole card number anywhere, before anything is stored', async () => {
    const pan = '4111111111111111'
    const hidings = [
      { note: `card ${pan}` },
      { deep: [{ list: [Number(pan)] }] },
      { [pan]: 1 },
      { n: '4111 1111 1111 1111' },
    ]
    for (const hidden of hidings) {
      expect(await send(clearing(hidden as never))).toMatchObject({ status: 400, json: { code: 'cardNumber' } })
    }
    const stored = await createTestContext(harness, partnerId).db.selectFrom('feed_messages').select('body').execute()
    expect(JSON.stringify(stored)).not.toMatch(/4111[ ]?1111/)
  })
})

describe('a batch', () => {
  const batch = (lines: unknown[]) =>
    deliver(app, {
      path: feedPaths.batch,
      type: 'application/x-ndjson',
      body: lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
    })

  test('each line is its own transaction and gets its own result', async () => {
    const event = clearing()
    const lines = [event, 'no json', '', clearing({ programId: 'beacon' }), event, { event: 'party' }]
    expect(await batch(lines)).toEqual({
      status: 207,
      json: {
        results: [
          { line: 1, status: 200, outcome: 'applied' },
          { line: 2, status: 400, code: 'notJson' },
          { line: 4, status: 422, code: 'otherProgram' },
          { line: 5, status: 200, outcome: 'repeated' },
          { line: 6, status: 400, code: 'malformed' },
        ],
      },
    })
  })

  test('500 lines are accepted, 501 are not', async () => {
    const lines = Array.from({ length: 500 }, () => clearing())
    const { status, json } = await batch(lines)
    expect([status, json.results.length]).toEqual([207, 500])
    expect(json.results.every((result: { outcome: string }) => result.outcome === 'applied')).toBe(true)
    // Empty lines do not count.
    const repeated = await batch([...lines, '\r', ''])
    expect([repeated.status, repeated.json.results.length]).toEqual([207, 500])
    expect(await batch([...lines, clearing()])).toMatchObject({ status: 413, json: { code: 'tooManyLines' } })
  })

  test('an unsigned batch is rejected', async () => {
    const forged = await deliver(app, {
      path: feedPaths.batch,
      type: 'application/x-ndjson',
      body: JSON.stringify(clearing()),
      signature: 'forged',
    })
    expect(forged).toMatchObject({ status: 401, json: { code: 'badSignature' } })
  })
})

describe('when too many messages wait', () => {
  test('an event gets 503 with Retry-After, and so does each line of a batch', async () => {
    const gate = Promise.withResolvers<void>()
    const intake = createIntake({
      maxWaiting: 1,
      receiveAll: async (_, events) => {
        await gate.promise
        return events.map(() => 'applied' as const)
      },
    })
    const hub = createActivityHub({ listener: dbListener, liveSessions: async (_partnerId, ids) => ids, log: console })
    const full = await createRewardsServer(() => createTestContext(harness, partnerId), { hub, intake })
    try {
      const ctx = createTestContext(harness, partnerId)
      const first = intake.receive(ctx, clearing())
      await new Promise(setImmediate)
      const second = intake.receive(ctx, clearing())
      const single = await post(full, { body: JSON.stringify(clearing()) })
      expect([single.statusCode, single.json().code]).toEqual([503, 'tooManyWaiting'])
      expect(single.headers['retry-after']).toBe('5')
      const body = [clearing(), { event: 'party' }].map((line) => JSON.stringify(line)).join('\n')
      const batch = await post(full, { path: feedPaths.batch, type: 'application/x-ndjson', body })
      expect([batch.statusCode, batch.headers['retry-after']]).toEqual([207, '5'])
      expect(batch.json().results).toEqual([
        { line: 1, status: 503, code: 'tooManyWaiting' },
        { line: 2, status: 400, code: 'malformed' },
      ])
      gate.resolve()
      expect(await Promise.all([first, second])).toEqual(['applied', 'applied'])
      expect((await post(full, { body: JSON.stringify(clearing()) })).statusCode).toBe(200)
    } finally {
      gate.resolve()
      await full.close()
    }
  })
})

const attempts = scaled({ full: 500, short: 105 })

/** Sends seven kinds of forged requests to a host; returns those that it accepted. */
async function attack(target: FastifyInstance): Promise<string[]> {
  const accepted: string[] = []
  const otherKey = feedKey(feedSecret, 'beacon')
  const url = origin(partnerId) + feedPaths.event
  for (let round = 0; round < attempts; round++) {
    const event = clearing()
    const body = JSON.stringify(event)
    const now = Date.now()
    const signedAt = (moment: number, over: Partial<Delivery> = {}): Delivery => {
      const timestamp = String(moment)
      return { body, timestamp, signature: signMessage(key, { body, url, timestamp }), ...over }
    }
    const kinds: Record<string, () => Delivery> = {
      'without a signature': () => signedAt(now, { signature: '' }),
      'signed by another program': () =>
        signedAt(now, { signature: signMessage(otherKey, { body, url, timestamp: `${now}` }) }),
      'with another amount': () => signedAt(now, { body: body.replace('42.10', '4200.10') }),
      'with a fresh time': () => ({ ...signedAt(now - minutes(60)), timestamp: String(now) }),
      'an hour late': () => signedAt(now - minutes(60)),
      'from the future': () => signedAt(now + minutes(6)),
      'signed for another address': () =>
        signedAt(now, {
          signature: signMessage(key, { body, url: `${origin('beacon')}${feedPaths.event}`, timestamp: `${now}` }),
        }),
    }
    const names = Object.keys(kinds)
    const name = names[round % names.length] as string
    const { status } = await deliver(target, (kinds[name] as () => Delivery)())
    if (status === 200) accepted.push(name)
    else expect(status).toBe(401)
  }
  return accepted
}

describe('forged, replayed and late messages', () => {
  test('Case 29 no forged or late message is accepted', async () => {
    const before = await balance()
    expect(await attack(app)).toEqual([])
    expect(await balance()).toBe(before)
  })

  test('Case 29 a valid message replayed many times, unchanged or signed again, is applied once', async () => {
    const before = await balance()
    const event = clearing()
    const first = { body: JSON.stringify(event), timestamp: String(Date.now()) }
    const responses = []
    for (let round = 0; round < attempts; round++)
      responses.push(await deliver(app, round % 2 ? first : { body: first.body }))
    expect(responses.filter(({ json }) => json.outcome === 'applied')).toHaveLength(1)
    expect(await balance()).toBe(before + 126)
    expect(await findLedgerViolations(createTestContext(harness, partnerId).db)).toEqual([])
  })

  test('Case 29 counterpart: without the signature check, or without its clock, the same attack succeeds and is detected', async () => {
    const hub = createActivityHub({ listener: dbListener, liveSessions: async (_partnerId, ids) => ids, log: console })
    const open = await createRewardsServer(() => createTestContext(harness, partnerId), { hub, check: () => null })
    expect(await attack(open)).toHaveLength(attempts)
    const timeless = await createRewardsServer(() => createTestContext(harness, partnerId), {
      hub,
      check: (signingKey, message) => checkSignature(signingKey, { ...message, now: Number(message.timestamp) }),
    })
    expect(new Set(await attack(timeless))).toEqual(new Set(['an hour late', 'from the future']))
    await Promise.all([open.close(), timeless.close()])
  })

  test('five minutes early or late is accepted, a millisecond more is not', () => {
    const now = 1_800_000_000_000
    const fault = (moment: number) => {
      const signed = { body: '{}', url: 'http://x/', timestamp: String(moment) }
      return checkSignature(key, { ...signed, signature: signMessage(key, signed), now })
    }
    expect([now - minutes(5), now + minutes(5)].map(fault)).toEqual([null, null])
    expect([now - minutes(5) - 1, now + minutes(5) + 1].map(fault)).toEqual(['staleTimestamp', 'staleTimestamp'])
  })
})

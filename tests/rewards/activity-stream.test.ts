import { randomBytes, randomUUID } from 'node:crypto'
import { get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { createDatabaseListener, type DatabaseListener } from '../../src/platform/database/listen.ts'
import { isEventStream } from '../../src/platform/http/event-streams.ts'
import { SECOND } from '../../src/platform/time.ts'
import { type ActivityHub, createActivityHub } from '../../src/rewards/activity/activity-stream.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { publishActivity } from '../../src/rewards/ledger/announce-activity.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  receiveEvent,
  type TestPartner,
} from '../support/rewards-harness.ts'
import { createRewardsServer } from '../support/rewards-server.ts'

const harness = setUpTestHarness()
let hub: ActivityHub
let app: FastifyInstance
let session: { partnerId: TestPartner; memberId: number | null; sessionId: Buffer | null }
/** Hex ids of the sessions that have ended. */
const ended = new Set<string>()
const log = { warn: vi.fn() }
let dbListener: DatabaseListener

beforeEach(async () => {
  log.warn.mockClear()
  dbListener = createDatabaseListener({ url: harness.url, log: log as never })
  ended.clear()
  hub = createActivityHub({
    listener: dbListener,
    log: log as never,
    liveSessions: async (_partnerId, ids) => ids.filter((id) => !ended.has(id.toString('hex'))),
  })
  // The first notification signals that the hub is listening; every later one reports a transaction.
  await new Promise<void>((listening) => {
    hub.subscribe({ partnerId: 'unknown', memberId: 0, sessionId: Buffer.of(), onActivity: listening, onEnd: () => {} })
  })
  const contextFor = () => {
    const ctx = createTestContext(harness, session.partnerId)
    return { ...ctx, actor: { ...ctx.actor, memberId: session.memberId, sessionId: session.sessionId } }
  }
  app = await createRewardsServer(contextFor, { hub })
  await app.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  hub.close()
  await dbListener.close()
  await app.close()
})

interface Stream {
  status: number
  headers: IncomingMessage['headers']
  text: string
  ended: boolean
  leave(): void
}

function openStream(): Promise<Stream> {
  const { port } = app.server.address() as AddressInfo
  return new Promise((resolve, reject) => {
    const call = httpGet({ host: '127.0.0.1', port, path: '/api/Member/Activity/Stream' }, (response) => {
      const { statusCode: status = 0, headers } = response
      const stream: Stream = { status, headers, text: '', ended: false, leave: () => call.destroy() }
      response.setEncoding('utf8').on('data', (part) => {
        stream.text += part
      })
      response.on('error', () => {})
      response.on('close', () => {
        stream.ended = true
      })
      resolve(stream)
    })
    call.on('error', reject)
  })
}

const countEvents = ({ text }: Stream) => text.split('event: activity\ndata: {}\n\n').length - 1
const until = (condition: () => unknown) =>
  vi.waitFor(() => expect(condition()).toBeTruthy(), { timeout: 20_000, interval: 20 })

async function memberWithCard(partnerId: TestPartner = 'skyharbor') {
  const ctx = createTestContext(harness, partnerId)
  const memberId = await addMember(ctx.db)
  const [card, merchant] = [await addCard(ctx.db, memberId), await addMerchant(ctx.db)]
  const sendTransaction = () =>
    receiveEvent(
      ctx,
      feedEvent('transaction.clearing', {
        id: randomUUID(),
        card: { id: card.token, lastNumbers: card.lastFour },
        location: { id: merchant.locationId },
      }),
    )
  return { memberId, partnerId, dine: sendTransaction }
}

async function openMemberStream(
  of: { memberId: number; partnerId: TestPartner },
  sessionId = randomBytes(32),
): Promise<Stream> {
  session = { ...of, sessionId }
  const stream = await openStream()
  await until(() => stream.text.includes('retry'))
  return stream
}

test('a transaction is announced to its member, on every open page, and to no one else', async () => {
  const [member, other] = [await memberWithCard(), await memberWithCard()]
  const streams = [await openMemberStream(member), await openMemberStream(member), await openMemberStream(other)]
  const [first, second, third] = streams as [Stream, Stream, Stream]
  expect(first.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  await member.dine()
  await until(() => countEvents(first) && countEvents(second))
  await other.dine()
  await until(() => countEvents(third))
  expect(streams.map(countEvents)).toEqual([1, 1, 1])
  for (const stream of streams) stream.leave()
})

test('what an operator credits is announced to its member', async () => {
  const member = await memberWithCard()
  const stream = await openMemberStream(member)
  const ctx = createTestContext(harness, 'skyharbor')
  const credit = { memberId: member.memberId, cardId: null, cardLastFour: '0002', cents: 48_00, benefit: 144 }
  const meal = { merchantId: null, merchantName: 'Corner Bistro', dinedAt: new Date('2026-03-10T12:00:00Z') }
  await inTransaction(ctx.db, (tx) =>
    postManualCredit(tx, ctx, { ...credit, ...meal, claimId: randomUUID(), otherMeals: [] }),
  )
  await until(() => countEvents(stream))
  stream.leave()
})

test('a stream is exempt from the time limit for responses', async () => {
  const responses: ServerResponse[] = []
  app.server.prependListener('request', (_request, response) => void responses.push(response))
  const stream = await openMemberStream(await memberWithCard())
  expect(responses.map(isEventStream)).toEqual([true])
  stream.leave()
})

test('a member with the same id in another program gets no events', async () => {
  const member = await memberWithCard()
  const stream = await openMemberStream({ ...member, partnerId: 'beacon' })
  const own = await openMemberStream(member)
  await member.dine()
  await until(() => countEvents(own))
  expect(countEvents(stream)).toBe(0)
})

test('three pages of a member get a stream, a fourth is rejected, and closing one frees its place', async () => {
  const member = await memberWithCard()
  const streams = [await openMemberStream(member), await openMemberStream(member), await openMemberStream(member)]
  expect((await openStream()).status).toBe(429)
  streams[0]?.leave()
  await vi.waitFor(async () => expect((await openStream()).status).toBe(200), { timeout: 20_000 })
})

test('many members are announced in notifications of limited size, each of them once', async () => {
  const members = Array.from({ length: 1001 }, (_, index) => 1_000_000 + index)
  const announced: number[] = []
  for (const memberId of members)
    hub.subscribe({
      partnerId: 'skyharbor',
      memberId,
      sessionId: Buffer.of(1),
      onEnd: () => {},
      onActivity: () => void announced.push(memberId),
    })
  const { db } = createTestContext(harness, 'skyharbor')
  await inTransaction(db, (tx) => publishActivity(tx, 'skyharbor', members))
  await until(() => announced.includes(1_001_000))
  expect(announced.toSorted((a, b) => a - b)).toEqual(members)
})

test('a visitor gets no stream', async () => {
  session = { partnerId: 'skyharbor', memberId: null, sessionId: null }
  expect((await openStream()).status).toBe(401)
})

test('a lost connection is restored, and every page gets a refresh event', async () => {
  const member = await memberWithCard()
  const stream = await openMemberStream(member)
  await queryAsOwner(
    harness.ownerUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`,
  )
  await until(() => countEvents(stream) === 1)
  expect(log.warn).toHaveBeenCalled()
  await member.dine()
  await until(() => countEvents(stream) === 2)
})

test('closing the hub ends every stream, and no new one starts', async () => {
  const member = await memberWithCard()
  const stream = await openMemberStream(member)
  hub.close()
  await until(() => stream.ended)
  expect((await openStream()).status).toBe(429)
})

test('a stream ends with its session, by notification or by check, and others continue', async () => {
  const member = await memberWithCard()
  const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
  const streams = [
    await openMemberStream(member, first),
    await openMemberStream(member, second),
    await openMemberStream(member, third),
  ]
  const payload = [randomBytes(32), first].map((id) => id.toString('hex')).join(',')
  await queryAsOwner(harness.ownerUrl, `select pg_notify('session_ended', $1)`, [payload])
  await until(() => streams[0]?.ended)
  expect(streams.map((stream) => stream.ended)).toEqual([true, false, false])
  ended.add(second.toString('hex'))
  await hub.checkSessions()
  await until(() => streams[1]?.ended)
  await member.dine()
  await until(() => countEvents(streams[2] as Stream) === 1)
  expect(streams.map((stream) => stream.ended)).toEqual([true, true, false])
  streams[2]?.leave()
})

test('the sessions of open streams are checked every half minute, until the hub closes', async () => {
  vi.useFakeTimers()
  try {
    const liveSessions = vi.fn(async () => [])
    const stub = createActivityHub({ listener: { on: () => {} } as never, liveSessions, log })
    const onEnd = vi.fn()
    stub.subscribe({ partnerId: 'beacon', memberId: 1, sessionId: Buffer.of(1), onActivity: () => {}, onEnd })
    await vi.advanceTimersByTimeAsync(30 * SECOND - 1)
    expect(liveSessions).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    expect([liveSessions.mock.calls.length, onEnd.mock.calls.length]).toEqual([1, 1])
    stub.close()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

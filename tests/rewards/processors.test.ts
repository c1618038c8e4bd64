import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { publicId } from '../../src/platform/security/ids.ts'
import { httpProcessor } from '../../src/rewards/payouts/http-processor.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditOrder, CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { findOrder } from '../../src/rewards/payouts/store.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { createTestContext } from '../support/rewards-harness.ts'

// Requirements for every processor: an order is identified by its credit, and nothing is paid twice.

const key = 'bearer-of-tests'
const harness = setUpTestHarness()
let server: Server
let outside: CreditProcessor
/** Orders that the test processor has received. */
const books = new Map<string, { attempts: number; cents: number; isPaid: boolean }>()
/** What it responds with instead: a status with a body, or how it breaks the connection. */
let instead: { status: number; body: string; type?: string; location?: string } | 'hangUp' | 'truncate' | null = null
/** The last request that was read. */
let last: { path?: string | undefined; key: unknown; body: unknown } | undefined

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (instead === 'hangUp') return request.socket.destroy()
    if (instead === 'truncate') {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      response.write('{"status": "rejec', () => request.socket.destroy())
      return
    }
    if (instead && request.url !== instead.location) {
      const { status, body, type = 'application/json', location } = instead
      return response.writeHead(status, { 'content-type': type, ...(location && { location }) }).end(body)
    }
    if (request.headers.authorization !== `Bearer ${key}`) return reply(401, { status: 'rejected' })
    let text = ''
    for await (const chunk of request) text += chunk
    last = { path: request.url, key: request.headers['idempotency-key'], body: text === '' ? null : JSON.parse(text) }
    if (request.method === 'POST') {
      const order = JSON.parse(text)
      const known = books.get(String(request.headers['idempotency-key']))
      if (known && known.cents !== order.amountCents) return reply(409, { error: 'another amount' })
      books.set(order.creditId, { attempts: (known?.attempts ?? 0) + 1, cents: order.amountCents, isPaid: true })
      return reply(201, { status: 'pending_received' })
    }
    const id = request.url?.split('/').at(-1) ?? ''
    const known = books.get(id)
    return known ? reply(200, { status: 'completed', creditId: id, amountCents: known.cents }) : reply(404, {})
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  outside = httpProcessor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key)
})
afterAll(async () => {
  server?.close()
})
afterEach(() => {
  instead = null
})

const order = (): CreditOrder => ({
  creditId: publicId(),
  amountCents: 21_00,
  brand: 'Visa',
  delivery: 'Card',
  targetLabel: 'Visa ending in 0002',
})

const paidBy = {
  'our own': async (creditId: string) =>
    (await findOrder(createTestContext(harness, 'beacon').db, creditId))?.amountCents,
  'one behind HTTP': async (creditId: string) => books.get(creditId)?.cents,
}

describe.each([
  ['our own', () => ownProcessor],
  ['one behind HTTP', () => outside],
] as const)('%s', (name, processorOf) => {
  test('accepts an order once, however often it is submitted, and pays it', async () => {
    const [ctx, creditOrder] = [createTestContext(harness, 'beacon'), order()]
    for (let time = 0; time < 3; time++)
      expect(await processorOf().submit(ctx, creditOrder)).toEqual({ outcome: 'accepted' })
    expect(await processorOf().check(ctx, creditOrder)).toEqual({ outcome: 'completed' })
    expect(await processorOf().check(ctx, creditOrder)).toEqual({ outcome: 'completed' })
    expect(await paidBy[name](creditOrder.creditId)).toBe(21_00)
  })

  test('says that it has not received an order, and a question does not order anything', async () => {
    const [ctx, creditOrder] = [createTestContext(harness, 'beacon'), order()]
    for (let time = 0; time < 2; time++)
      expect(await processorOf().check(ctx, creditOrder)).toEqual({ outcome: 'notReceived' })
    expect(await paidBy[name](creditOrder.creditId)).toBeUndefined()
  })

  test('Case 108 refuses a known id with another amount, which is no definite answer', async () => {
    const [ctx, creditOrder] = [createTestContext(harness, 'beacon'), order()]
    const other = { ...creditOrder, amountCents: 99_00 }
    await processorOf().submit(ctx, creditOrder)
    await expect(processorOf().submit(ctx, other)).rejects.toThrow()
    await expect(processorOf().check(ctx, other)).rejects.toThrow()
    expect(await paidBy[name](creditOrder.creditId)).toBe(21_00)
    expect(await processorOf().check(ctx, creditOrder)).toEqual({ outcome: 'completed' })
  })
})

test('our own processor pays an order when it receives it first, and knows those of its own program only', async () => {
  const creditOrder = order()
  const at = (time: string) => createTestContext(harness, 'beacon', new Date(time))
  await ownProcessor.submit(at('2026-03-12T12:00:00Z'), creditOrder)
  await ownProcessor.submit(at('2026-03-13T12:00:00Z'), creditOrder)
  const elsewhere = createTestContext(harness, 'skyharbor')
  expect(await ownProcessor.check(elsewhere, creditOrder)).toEqual({ outcome: 'notReceived' })
  const stored = await findOrder(at('2026-03-14T12:00:00Z').db, creditOrder.creditId)
  expect(stored).toEqual({ amountCents: 21_00, paidAt: new Date('2026-03-12T12:00:00Z') })
})

test('an order names its program, its currency and its credit, and no redirect is followed with the key', async () => {
  const [ctx, creditOrder] = [createTestContext(harness, 'beacon'), order()]
  await outside.submit(ctx, creditOrder)
  expect(last).toEqual({
    path: '/payouts',
    key: creditOrder.creditId,
    body: { ...creditOrder, program: 'beacon', currency: 'USD' },
  })
  await outside.check(ctx, creditOrder)
  expect(last).toEqual({ path: `/payouts/${creditOrder.creditId}`, key: undefined, body: null })
  expect(outside.name).toBe('127.0.0.1')
  last = undefined
  instead = { status: 307, body: '', location: '/payouts/elsewhere' }
  await expect(outside.submit(ctx, order())).rejects.toThrow()
  await expect(outside.check(ctx, creditOrder)).rejects.toThrow()
  expect(last).toBeUndefined()
})

const rejection = JSON.stringify({ status: 'rejected', reason: 'closed account' })

test.each([200, 400, 402, 404, 410, 422])('a rejection with status %i is definite, with its reason', async (status) => {
  instead = { status, body: rejection }
  const ctx = createTestContext(harness, 'beacon')
  const rejected = { outcome: 'rejected', reason: 'closed account' }
  expect([await outside.submit(ctx, order()), await outside.check(ctx, order())]).toEqual([rejected, rejected])
})

const isRejection = { body: rejection }
test.each([
  ...[401, 403, 407, 408, 409, 421, 425, 429, 500, 502, 503, 504].map((status) => ({ status, ...isRejection })),
  { status: 200, body: '<html>rejected</html>', type: 'text/html' },
  { status: 404, body: '<html>not found</html>', type: 'text/html' },
  { status: 422, body: rejection, type: 'text/plain' },
  { status: 200, body: rejection.slice(0, -3) },
  { status: 404, body: '{"stat' },
  { status: 200, body: '{}' },
  { status: 200, body: '{"status": "error"}' },
  { status: 200, body: '{"status": "completed", "creditId": "another"}' },
  { status: 200, body: '{"status": "rejected", "amountCents": 1}' },
  { status: 400, body: '{"status": "completed"}' },
  { status: 400, body: '{"error": "bad request"}' },
  { status: 204, body: '' },
  'hangUp' as const,
  'truncate' as const,
])('the outcome is unknown after a response %j', async (response) => {
  const ctx = createTestContext(harness, 'beacon')
  instead = response
  await expect(outside.submit(ctx, order())).rejects.toThrow()
  await expect(outside.check(ctx, order())).rejects.toThrow()
})

test('an order that was not found when it is submitted has an unknown outcome, and a wrong key says nothing about it', async () => {
  const ctx = createTestContext(harness, 'beacon')
  const unauthorized = httpProcessor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'unknown')
  await expect(unauthorized.submit(ctx, order())).rejects.toThrow('401')
  instead = { status: 404, body: '{}' }
  await expect(outside.submit(ctx, order())).rejects.toThrow('404')
  expect(await outside.check(ctx, order())).toEqual({ outcome: 'notReceived' })
})

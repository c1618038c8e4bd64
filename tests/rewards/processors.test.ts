import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publicId } from '../../src/platform/security/ids.ts'
import { httpProcessor } from '../../src/rewards/payouts/http-processor.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditOrder, CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { createTestContext } from '../support/rewards-harness.ts'

// Requirements for every processor: an order is identified by its credit, and nothing is paid twice.

const key = 'bearer-of-tests'
const harness = setUpTestHarness()
let server: Server
let outside: CreditProcessor
/** Orders that the test processor has received: the number of requests, and the amount to pay. */
const books = new Map<string, { attempts: number; cents: number }>()
let isDown = false
/** Where the processor sends requests instead. */
let movedTo = ''
/** The last request that was read. */
let last: { path?: string | undefined; key: unknown; body: unknown } | undefined

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const reply = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (isDown) return reply(503, {})
    if (request.headers.authorization !== `Bearer ${key}`) return reply(401, {})
    if (movedTo && request.url !== movedTo) return response.writeHead(307, { location: movedTo }).end()
    let text = ''
    for await (const chunk of request) text += chunk
    last = { path: request.url, key: request.headers['idempotency-key'], body: text === '' ? null : JSON.parse(text) }
    if (request.method === 'POST') {
      const order = JSON.parse(text)
      const known = books.get(String(request.headers['idempotency-key']))
      books.set(order.creditId, { attempts: (known?.attempts ?? 0) + 1, cents: order.amountCents })
      return reply(201, { status: 'pending_received' })
    }
    const id = request.url?.split('/').at(-1) ?? ''
    return books.has(id) ? reply(200, { status: 'completed' }) : reply(404, {})
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  outside = httpProcessor(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, key)
})
afterAll(async () => {
  server?.close()
})

const order = (): CreditOrder => ({
  creditId: publicId(),
  amountCents: 21_00,
  brand: 'Visa',
  delivery: 'Card',
  targetLabel: 'Visa ending in 0002',
})

describe.each([
  ['our own', () => ownProcessor],
  ['one behind HTTP', () => outside],
])('%s', (_, processorOf) => {
  test('accepts an order once, however often it is submitted, and pays it', async () => {
    const [ctx, creditOrder] = [createTestContext(harness, 'beacon'), order()]
    for (let time = 0; time < 3; time++) expect(await processorOf().submit(ctx, creditOrder)).toBe('pending_received')
    expect(await processorOf().check(ctx, creditOrder)).toBe('completed')
    expect(await processorOf().check(ctx, creditOrder)).toBe('completed')
  })

  test('an unknown order is not paid', async () => {
    const check = processorOf().check(createTestContext(harness, 'beacon'), order())
    expect(await check.catch(() => 'rejected')).not.toBe('completed')
  })
})

test('our own processor stores an order with its first amount and time of payment, and pays no other order', async () => {
  const [first, second] = [order(), order()]
  const at = (time: string) => createTestContext(harness, 'beacon', new Date(time))
  const ctx = at('2026-03-12T12:00:00Z')
  await ownProcessor.submit(ctx, first)
  await ownProcessor.submit(ctx, { ...first, amountCents: 99_00 })
  await ownProcessor.submit(ctx, second)
  await ownProcessor.check(ctx, first)
  await ownProcessor.check(at('2026-03-13T12:00:00Z'), first)
  // Another program has no such order.
  expect(await ownProcessor.check(createTestContext(harness, 'skyharbor'), second)).toBe('error')
  const stored = await ctx.db
    .selectFrom('payout_orders')
    .select(['amount_cents', 'paid_at'])
    .where('credit_id', 'in', [first.creditId, second.creditId])
    .orderBy('id')
    .execute()
  expect(stored).toEqual([
    { amount_cents: 21_00, paid_at: new Date('2026-03-12T12:00:00Z') },
    { amount_cents: 21_00, paid_at: null },
  ])
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
  movedTo = '/payouts/elsewhere'
  try {
    await expect(outside.submit(ctx, order())).rejects.toThrow()
    await expect(outside.check(ctx, creditOrder)).rejects.toThrow()
  } finally {
    movedTo = ''
  }
  expect(last).toBeUndefined()
})

test('a processor that is down or rejects the key throws, and the order is retried', async () => {
  const ctx = createTestContext(harness, 'beacon')
  isDown = true
  await expect(outside.submit(ctx, order())).rejects.toThrow('503')
  isDown = false
  const unauthorized = httpProcessor(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'unknown')
  await expect(unauthorized.submit(ctx, order())).rejects.toThrow('401')
})

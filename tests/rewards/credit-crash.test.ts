import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../src/platform/database/db.ts'
import { Random } from '../../src/platform/random.ts'
import { postEntries, rewardPostings } from '../../src/rewards/ledger/entries.ts'
import { ownProcessor } from '../../src/rewards/payouts/own-processor.ts'
import type { CreditProcessor } from '../../src/rewards/payouts/processor.ts'
import { executeCredit, payOutBalances } from '../../src/rewards/payouts/statement-credits.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { shortenLease } from '../support/only-jobs.ts'
import { queryAsOwner } from '../support/owner.ts'
import { addMember, createTestContext, findLedgerViolations } from '../support/rewards-harness.ts'
import { runJobs } from '../support/run-jobs.ts'
import { scaled } from '../support/scale.ts'
import { spawnApp } from '../support/test-server.ts'

const credits = scaled({ full: 5_000, short: 60 })
const harness = setUpTestHarness()
beforeAll(async () => {
  await shortenLease(harness.ownerUrl, 'statement-credits')
})
const beacon = () => createTestContext(harness, 'beacon')

/** Creates members, each with a balance that is ordered as a statement credit. */
async function order(count: number): Promise<void> {
  const ctx = beacon()
  for (let index = 0; index < count; index++) {
    const memberId = await addMember(ctx.db)
    const postings = rewardPostings({ memberId, unit: 'cent', amount: 20_00 + index })
    await inTransaction(ctx.db, async (tx) => {
      await postEntries(tx, [
        { source: 'adjustment', sourceId: `gift-${memberId}`, version: 1, kind: 'adjustment', reason: {}, postings },
      ])
      await payOutBalances(tx, ctx, new Map([[memberId, null]]))
    })
  }
}

function startWorker(...processor: string[]): Promise<ChildProcess> {
  const worker = spawnApp(['tests/support/credit-worker.ts', harness.url, ...processor])
  return new Promise((resolve) => worker.stdout?.once('data', () => resolve(worker)))
}

async function kill(worker: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await ended
}

async function counted() {
  const { rows } = await sql<{ ordered: number; open: number; paid: number; requested: number; received: number }>`
    select (select coalesce(sum(amount_cents), 0) from statement_credits)::int as ordered,
      (select count(*) from statement_credits where status <> 'completed')::int as open,
      (select coalesce(sum(amount_cents), 0) from payout_orders where paid_at is not null)::int as paid,
      (select count(*) from statement_credits)::int as requested,
      (select count(*) from payout_orders)::int as received`.execute(beacon().db)
  return rows[0] as NonNullable<(typeof rows)[0]>
}

test('Case 49 Case 12 two workers that are killed repeatedly execute all credits, none lost, none paid twice', async () => {
  await order(credits)
  const random = new Random(49)
  let workers = [await startWorker(), await startWorker()]
  let kills = 0
  const isDone = async () => (await counted()).open === 0
  while (kills < 2 || !(await isDone())) {
    // A fast machine executes them between two kills.
    if (await isDone()) await order(credits)
    await new Promise((resolve) => setTimeout(resolve, random.int(20, 120)))
    const [first, second] = workers as [ChildProcess, ChildProcess]
    await kill(first)
    kills++
    workers = [second, await startWorker()]
  }
  await Promise.all(workers.map(kill))
  const { ordered, paid, requested, received } = await counted()
  expect([paid, received]).toEqual([ordered, requested])
  expect(await findLedgerViolations(beacon().db)).toEqual([])
})

test('Case 49 Case 110 killed workers and a line that loses requests and answers pay every credit once, as both sides’ books say', async () => {
  const random = new Random(110)
  const books = new Map<string, { cents: number; payments: number }>()
  const server = createServer(async (request, response) => {
    const loses = random.int(1, 3)
    let text = ''
    for await (const chunk of request) text += chunk
    if (loses === 1) return request.socket.destroy()
    const id = request.url?.split('/')[2] ?? String(request.headers['idempotency-key'])
    const known = books.get(id)
    // It pays an order when it is asked about it for the first time.
    if (request.method === 'GET' && known) known.payments = 1
    if (request.method === 'POST' && !known) books.set(id, { cents: JSON.parse(text).amountCents, payments: 0 })
    if (loses === 2) return request.socket.destroy()
    const status = request.method === 'POST' ? 202 : known ? 200 : 404
    const body = known?.payments ? { status: 'completed' } : status === 404 ? {} : { status: 'pending_received' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { requested: before } = await counted()
  await order(scaled({ full: 500, short: 20 }))
  const kills = scaled({ full: 50, short: 3 })
  let workers = [await startWorker(url), await startWorker(url)]
  for (let round = 0; round < kills || (await counted()).open > 0; round++) {
    // The next attempts are due at once instead of after minutes.
    await queryAsOwner(
      harness.ownerUrl,
      `update statement_credits set next_attempt_at = now() where status in ('pending', 'pending_received')`,
    )
    await new Promise((resolve) => setTimeout(resolve, random.int(100, 400)))
    if (round >= kills) continue
    const [first, second] = workers as [ChildProcess, ChildProcess]
    await kill(first)
    workers = [second, await startWorker(url)]
  }
  await Promise.all(workers.map(kill))
  server.close()
  const credits = await beacon().db.selectFrom('statement_credits').selectAll().orderBy('id').offset(before).execute()
  expect(credits.map(({ public_id, amount_cents }) => [public_id, amount_cents]).toSorted()).toEqual(
    [...books].map(([id, { cents }]) => [id, cents]).toSorted(),
  )
  expect([...books.values()].every(({ payments }) => payments === 1)).toBe(true)
  expect(await findLedgerViolations(beacon().db)).toEqual([])
})

test('Case 49 counterpart: a processor that does not recognize a repeated order pays twice, and the check detects it', async () => {
  const payments: string[] = []
  const nonIdempotent: CreditProcessor = {
    ...ownProcessor,
    async submit(ctx, given) {
      payments.push(given.creditId)
      // The credit is paid, but it is not stored, and the response is lost.
      if (payments.length === 1) throw new Error('the line is dead')
      return ownProcessor.submit(ctx, given)
    },
  }
  await order(1)
  const execute = () =>
    runJobs(harness.url, 'statement-credits', (job) => executeCredit(beacon(), nonIdempotent, job), { early: true })
  await execute()
  await execute()
  expect(new Set(payments).size).toBeLessThan(payments.length)
})

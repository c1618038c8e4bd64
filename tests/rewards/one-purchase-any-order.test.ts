import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { localMoment } from '../../src/platform/time.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { csvColumns } from '../../src/rewards/feed/files/csv.ts'
import { importFile } from '../../src/rewards/feed/files/import-file.ts'
import { createDebtWorld } from '../support/debt-world.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import { findLedgerViolations, receiveEvent } from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'one-purchase-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A payment with one card, as the network knows it, and how it tells of it. Amounts in dollars. */
interface Payment {
  card: 'X' | 'Y'
  /** The parts that are charged; the authorization is their sum. */
  parts: number[]
  /** What the first part is corrected to. */
  corrected: number | null
  /** Percent of the final charge; 0 for none. */
  refunded: number
  isRefundLinked: boolean
  /** Which message of a part names the authorization: of the webhook, of the file, or of both. */
  namedBy: 'webhook' | 'file' | 'both'
  /** The network uses a second id for the whole payment, with the same code. */
  hasSecondId: boolean
}

const payment: fc.Arbitrary<Payment> = fc.record({
  card: fc.constantFrom('X', 'Y'),
  parts: fc.uniqueArray(fc.constantFrom(100, 200, 300, 400, 700), { minLength: 1, maxLength: 2 }),
  corrected: fc.option(fc.constantFrom(150, 250, 500), { freq: 3 }),
  refunded: fc.constantFrom(0, 0, 0, 20, 100),
  isRefundLinked: fc.boolean(),
  namedBy: fc.constantFrom('webhook', 'file', 'both'),
  hasSecondId: fc.boolean(),
})

/** What happens between the messages; `unlink` and `link` move the card Y from the first person to the second one. */
const happening = fc.constantFrom('unlink', 'link', 'claim', 'pay', 'reject', 'carry')
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

const totalOf = ({ parts, corrected }: Payment) =>
  parts.reduce((sum, part, index) => sum + (index === 0 && corrected !== null ? corrected : part), 0)
const refundOf = (each: Payment) => (totalOf(each) * each.refunded) / 100
/** A dine of 100 dollars earns 3 dollars, and costs the restaurant 10. */
const earnedCents = (each: Payment) => (totalOf(each) - refundOf(each)) * 3
const chargedCents = (each: Payment) => (totalOf(each) - refundOf(each)) * 10

type World = Awaited<ReturnType<typeof createDebtWorld>>

/** Returns the deliveries of all messages: each by the webhook or in a table, some twice. */
function deliveriesOf(world: World, payments: readonly Payment[], startsAt: number): (() => Promise<unknown>)[] {
  const deliver = (viaFile: boolean, name: 'auth' | 'clearing' | 'refund', transaction: Record<string, unknown>) => {
    const { ctx } = world
    const full = feedEvent(`transaction.${name}`, { programId: 'beacon', ...transaction })
    if (!viaFile) return () => receiveEvent(ctx, full)
    const { card, location, brand, ...fields } = full.transaction
    const cells: Record<string, unknown> = { ...fields, event: name, cardId: card.id, cardLastFour: card.lastNumbers }
    Object.assign(cells, { locationId: location.id, merchantName: brand?.name })
    const path = join(folder, `${randomUUID()}.csv`)
    writeFileSync(path, `${csvColumns.join()}\n${csvColumns.map((column) => `"${cells[column] ?? ''}"`).join()}\n`)
    return () => importFile(ctx, { path, format: 'csv' })
  }
  // Of several payments with a card, only a name tells which one is refunded.
  const isLinked = (each: Payment) =>
    each.isRefundLinked || payments.filter(({ card }) => card === each.card).length > 1
  return payments.flatMap((each, index) => {
    const at = new Date(startsAt + index)
    const [id, authCode] = [randomUUID(), `C${index}-${randomUUID().slice(0, 4)}`]
    const base = {
      datetime: at.toISOString(),
      created: at.toISOString(),
      card: { id: world.tokenOf(each.card), lastNumbers: '4242' },
      location: { id: world.locationId },
    }
    const updated = (seconds: number) => new Date(at.getTime() + seconds * 1000).toISOString()
    const dollars = (amount: number) => amount.toFixed(2)
    const sum = each.parts.reduce((total, part) => total + part, 0)
    const parts = each.parts.flatMap((amount, nth) => {
      const part = { ...base, id: `${id}-${nth}`, authCode }
      const name = { originalTransactionId: id }
      const byWebhook = {
        ...part,
        amount: dollars(amount),
        updated: updated(10 + nth),
        ...(each.namedBy !== 'file' && name),
      }
      // A file comes later, with the same amount.
      const byFile = {
        ...part,
        amount: dollars(amount),
        updated: updated(20 + nth),
        ...(each.namedBy !== 'webhook' && name),
      }
      const isCorrected = nth === 0 && each.corrected !== null
      return [
        deliver(false, 'clearing', byWebhook),
        deliver(true, 'clearing', byFile),
        ...(isCorrected
          ? [
              deliver(true, 'clearing', {
                ...byWebhook,
                ...name,
                amount: dollars(each.corrected ?? 0),
                updated: updated(30),
              }),
            ]
          : []),
      ]
    })
    const second = { ...base, id: `${id}-second`, authCode, amount: dollars(sum) }
    const back = {
      ...base,
      id: `${id}-refund`,
      authCode: null,
      amount: dollars(-refundOf(each)),
      datetime: updated(3600),
    }
    return [
      deliver(false, 'auth', { ...base, id, authCode, amount: dollars(sum), updated: updated(1) }),
      ...parts,
      ...(each.hasSecondId
        ? [
            deliver(false, 'auth', { ...second, updated: updated(2) }),
            // Older than the parts: these are what was charged.
            deliver(true, 'clearing', { ...second, updated: updated(3) }),
          ]
        : []),
      ...(each.refunded > 0
        ? [
            deliver(false, 'refund', {
              ...back,
              ...(isLinked(each) && { originalTransactionId: id }),
              updated: updated(40),
            }),
            deliver(true, 'clearing', { ...back, updated: updated(41) }),
          ]
        : []),
    ]
  })
}

/** Tells everything in an order that `ranks` gives, some of it twice, then closes the first account and opens it again. */
async function run(payments: readonly Payment[], happenings: readonly Happening[], ranks: readonly number[]) {
  const world = await createDebtWorld(harness)
  const { ctx, merchantId } = world
  ctx.program.config.settlement = { restaurantFee: 1000, centsPer100Units: 100, partnerShare: 5000 }
  const [ann, bob] = [await world.join('ann'), await world.join('bob')]
  for (const card of ['X', 'Y']) await world.link(ann, card)
  const startsAt = Date.now()
  const day = localMoment(new Date(startsAt), 'America/New_York').date
  const claim = () =>
    inTransaction(ctx.db, async (tx) => {
      await lockMember(tx, ann)
      const claimed = totalOf(payments[0] as Payment)
      await postManualCredit(tx, ctx, {
        memberId: ann,
        cardId: null,
        cardLastFour: '4242',
        merchantId,
        merchantName: 'Corner Bistro',
        claimId: randomUUID(),
        cents: claimed * 100,
        benefit: claimed * 3,
        dinedAt: new Date(`${day}T12:00:00Z`),
        otherMeals: [],
      })
    })
  const acts: Record<Happening, () => Promise<unknown>> = {
    unlink: () => world.unlink(ann, 'Y'),
    link: () => world.link(bob, 'Y'),
    claim,
    pay: () => world.execute('completed'),
    reject: () => world.execute('rejected'),
    carry: () => world.carry(),
  }
  const deliveries = deliveriesOf(world, payments, startsAt)
  const again = deliveries.filter((_, index) => (ranks[index % ranks.length] ?? 0) % 3 === 0)
  const all = [...deliveries, ...again, ...happenings.map((each) => acts[each])]
  const rankOf = (index: number) => ranks[(index * 7) % ranks.length] ?? 0
  const inOrder = all.map((act, index) => ({ act, index })).toSorted((a, b) => rankOf(a.index) - rankOf(b.index))
  for (const { act } of inOrder) await act()
  await world.remove(ann)
  await world.link(await world.join('ann'), 'X')
  for (const act of deliveries) await act()
  await world.carry()
  await world.execute('completed')
  const { earned, paid, balances, openDebt } = await world.totals()
  const { rows } = await sql<{ charged: number; lines: number }>`
    select (select coalesce(-sum(amount), 0)::int from postings where merchant_id = ${merchantId}
        and account = 'restaurant') as charged,
      (select count(*)::int from transactions where merchant_id = ${merchantId} and type_code = 'S'
        and (benefit > 0 or refunded_cents > 0)) as lines`.execute(ctx.db)
  expect(await findLedgerViolations(ctx.db)).toEqual([])
  return { earned, charged: rows[0]?.charged, lines: rows[0]?.lines, missing: earned - paid - balances + openDebt }
}

test('HIST-054 Case 116 a purchase earns and costs what the rules say, by whatever messages, in any order, beside anything else', async () => {
  const ranks = fc.array(fc.nat(1000), { minLength: 11, maxLength: 41 })
  const payments = fc.array(payment, { minLength: 1, maxLength: 3 })
  const happenings = fc.uniqueArray(happening, { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(payments, happenings, ranks, async (made, beside, order) => {
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
      expect(await run(made, beside, order)).toEqual({
        earned: sum(made.map(earnedCents)),
        charged: sum(made.map(chargedCents)),
        lines: made.length,
        missing: 0,
      })
    }),
    { numRuns: scaled({ full: 400, short: 12 }) },
  )
})

test('HIST-054 Case 116 counterpart: a report that names nothing and has no code is found to be paid twice', async () => {
  const world = await createDebtWorld(harness)
  await world.link(await world.join('ann'), 'X')
  for (const _ of [1, 2]) await world.dine('X', 100_00)
  expect(await world.totals()).toMatchObject({ earned: 6_00 })
})

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockMember } from '../../src/identity/members/service.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import type { Ctx } from '../../src/platform/http/context.ts'
import { HOUR, localMoment, MINUTE } from '../../src/platform/time.ts'
import { recheckOverlap } from '../../src/rewards/awards/apply.ts'
import { postManualCredit } from '../../src/rewards/awards/manual-credit.ts'
import { rematchUnmatched } from '../../src/rewards/feed/receive-events.ts'
import { getBalance } from '../../src/rewards/ledger/entries.ts'
import { setUpTestHarness } from '../support/file-setup.ts'
import { queryAsOwner } from '../support/owner.ts'
import { feedEvent } from '../support/reward-fixtures.ts'
import {
  addCard,
  addMember,
  addMerchant,
  createTestContext,
  findLedgerViolations,
  receiveEvent,
} from '../support/rewards-harness.ts'
import { scaled } from '../support/scale.ts'

const harness = setUpTestHarness()
const timeZone = 'America/New_York'
const settlement = { restaurantFee: 1000, centsPer100Units: 100, partnerShare: 5000 }

/** A payment at the restaurant, and what the two programs are told of it. */
interface Payment {
  cents: number
  /** The final charge, when a later message corrects it. */
  correctedCents: number | null
  minutes: number
  hasCode: boolean
  /** It is paid twice within the same minute: two coffees. */
  isTwin: boolean
  isRefunded: boolean
  isReported: { skyharbor: boolean; gallonaire: boolean }
}

interface Story {
  payments: Payment[]
  /** Amounts of the claims that an operator credits, for the day of the first payment. */
  claims: number[]
  isUndone: boolean
}

type Partner = 'skyharbor' | 'gallonaire'
const partners: readonly Partner[] = ['skyharbor', 'gallonaire']

const amount = fc.constantFrom(50_00, 55_00, 60_00, 66_00, 72_00)
const payment: fc.Arbitrary<Payment> = fc.record({
  cents: amount,
  correctedCents: fc.option(amount, { freq: 3 }),
  minutes: fc.integer({ min: 1, max: 600 }),
  hasCode: fc.boolean(),
  isTwin: fc.boolean(),
  isRefunded: fc.boolean(),
  isReported: fc.record({ skyharbor: fc.boolean(), gallonaire: fc.boolean() }),
})
const story: fc.Arbitrary<Story> = fc.record({
  payments: fc.uniqueArray(payment, { minLength: 1, maxLength: 3, selector: ({ minutes }) => minutes }),
  claims: fc.uniqueArray(amount, { maxLength: 3 }),
  isUndone: fc.boolean(),
})

const finalCents = ({ cents, correctedCents }: Payment) => correctedCents ?? cents

/** Creates a member of two programs whose card has moved from Skyharbor to Gallonaire, 20 hours ago. */
async function createMove() {
  const contexts = new Map(partners.map((partner) => [partner, createTestContext(harness, partner)]))
  for (const { program } of contexts.values()) Object.assign(program.config, { settlement })
  const [sky, gal] = partners.map((partner) => contexts.get(partner) as Ctx) as [Ctx, Ctx]
  const movedAt = new Date(Date.now() - 20 * HOUR)
  const members = { skyharbor: await addMember(sky.db), gallonaire: await addMember(gal.db) }
  const cards = {
    skyharbor: await addCard(sky.db, members.skyharbor),
    gallonaire: await addCard(gal.db, members.gallonaire, { linkedAt: movedAt }),
  }
  const { id: merchantId, locationId } = await addMerchant(sky.db)
  const homeKey = randomUUID()
  await sql`update cards set removed_at = ${movedAt}, home_key = ${homeKey} where id = ${cards.skyharbor.id}`.execute(
    sky.db,
  )
  await sql`update cards set home_key = ${homeKey} where id = ${cards.gallonaire.id}`.execute(gal.db)
  const [move] = await queryAsOwner<{ id: string }>(
    harness.ownerUrl,
    `insert into card_moves (home_key, from_partner, from_card, from_member, from_closed, to_partner, to_card, to_member,
       moved_at) values ($1, 'skyharbor', $2, $3, true, 'gallonaire', $4, $5, $6) returning id`,
    [homeKey, cards.skyharbor.id, members.skyharbor, cards.gallonaire.id, members.gallonaire, movedAt],
  )
  return { sky, gal, contexts, members, cards, merchantId, locationId, moveId: move?.id ?? '', movedAt }
}

type Move = Awaited<ReturnType<typeof createMove>>

const wayOf = (payments: readonly Payment[]) =>
  payments.flatMap((each, index) =>
    (each.isTwin ? ['a', 'b'] : ['a']).map((twin) => ({ ...each, name: `${index}${twin}`, twin })),
  )
type NamedPayment = ReturnType<typeof wayOf>[number]

/** Returns the messages of one program about a payment. */
function messagesOf(move: Move, partner: Partner, each: NamedPayment): (() => Promise<unknown>)[] {
  const card = move.cards[partner]
  const at = new Date(move.movedAt.getTime() + HOUR + each.minutes * MINUTE)
  const base = {
    programId: partner,
    datetime: at.toISOString(),
    created: at.toISOString(),
    authCode: each.hasCode ? `C${each.name}` : null,
    card: { id: card.token, lastNumbers: card.lastFour },
    location: { id: move.locationId },
  }
  // The networks of two programs have ids of their own.
  const id = `${each.name}-${card.token}`
  const send = (event: Parameters<typeof feedEvent>[0], cents: number, seconds: number, over: object = {}) => {
    const updated = new Date(at.getTime() + seconds * 1000).toISOString()
    const message = { ...base, id, updated, amount: (cents / 100).toFixed(2), ...over }
    return () => receiveEvent(move.contexts.get(partner) as Ctx, feedEvent(event, message))
  }
  return [
    send('transaction.auth', each.cents, 1),
    send('transaction.clearing', each.cents, 2),
    ...(each.correctedCents === null ? [] : [send('transaction.clearing', each.correctedCents, 3)]),
    ...(each.isRefunded
      ? [send('transaction.refund', -finalCents(each), 4, { id: `refund-${id}`, originalTransactionId: id })]
      : []),
  ]
}

/** Runs a story: its messages, decisions and the undo in an order given by `rank`. Returns what everybody got. */
async function run({ payments, claims, isUndone }: Story, rank: readonly number[]) {
  const move = await createMove()
  const { sky, gal, members, cards, merchantId, moveId } = move
  const day = localMoment(new Date(move.movedAt.getTime() + HOUR), timeZone).date
  const creditOf = (cents: number) => `${cents}-${cards.skyharbor.token}`
  const credit = (cents: number) => () =>
    inTransaction(sky.db, async (tx) => {
      await lockMember(tx, members.skyharbor)
      await postManualCredit(tx, sky, {
        memberId: members.skyharbor,
        cardId: null,
        cardLastFour: '0002',
        merchantId,
        merchantName: 'Corner Bistro',
        claimId: creditOf(cents),
        cents,
        benefit: benefitOf(cents),
        dinedAt: new Date(`${day}T12:00:00Z`),
        // The operator was told that the claims are about different meals.
        otherMeals: claims.map((other) => `manual:claim:${creditOf(other)}`),
      })
    })
  const undo = () =>
    inTransaction(sky.db, (tx) => sql`select undo_card_move(${moveId}, 12)`.execute(tx)).then(() =>
      rematchUnmatched(sky, { cardToken: cards.skyharbor.token }),
    )
  const acts = [
    ...wayOf(payments).flatMap((each) =>
      partners.flatMap((partner) => (each.isReported[partner] ? messagesOf(move, partner, each) : [])),
    ),
    ...claims.map(credit),
    ...(isUndone ? [undo] : []),
  ]
  const inOrder = acts
    .map((act, index) => ({ act, key: rank[index % rank.length] ?? 0, index }))
    .toSorted((a, b) => a.key - b.key || a.index - b.index)
  for (const { act } of inOrder) await act()
  // The job that the database has enqueued.
  await recheckOverlap(gal, moveId)
  const earned = async ({ db }: Ctx, memberId: number) => {
    const { rows } = await sql<{ name: string; benefit: number; status: string; meal: string | null }>`
      select split_part(network_id, '-', 1) as name, benefit, award_status as status,
        split_part(reason ->> 'transaction', '-', 1) as meal
      from transactions
      where member_id = ${memberId} order by split_part(network_id, '-', 1) collate "C"`.execute(db)
    return rows
  }
  const [paid] = await queryAsOwner<{ cents: number }>(
    harness.ownerUrl,
    "select coalesce(-sum(amount), 0)::int as cents from postings where merchant_id = $1 and account = 'restaurant'",
    [merchantId],
  )
  return {
    sky: await earned(sky, members.skyharbor),
    gal: await earned(gal, members.gallonaire),
    balances: [
      await getBalance(sky.db, members.skyharbor, 'mile'),
      await getBalance(gal.db, members.gallonaire, 'cent'),
    ],
    charged: Number(paid?.cents),
    day,
    movedAt: move.movedAt,
  }
}

/** What an operator credits differs, so that it shows which claim a payment has replaced. */
const benefitOf = (claim: number) => claim / 50
const skyBenefit = (cents: number) => Math.floor((cents * 3) / 100)
const galBenefit = (cents: number) => Math.floor(cents / 50_00) * 150
const isPaidBy = ({ isReported, isRefunded }: Payment, isUndone: boolean): Partner | null => {
  if (isRefunded) return null
  if (isUndone && isReported.skyharbor) return 'skyharbor'
  return isReported.gallonaire ? 'gallonaire' : null
}

/** How good an assignment of payments to claims is: exact ones first, then as many as possible, then the nearest. */
type Worth = readonly [exact: number, pairs: number, difference: number]
const compare = (a: Worth, b: Worth) => b[0] - a[0] || b[1] - a[1] || a[2] - b[2]

function pairWorth(claim: number, meal: NamedPayment, { day, movedAt }: { day: string; movedAt: Date }): Worth {
  const cents = finalCents(meal)
  const localDay = localMoment(new Date(movedAt.getTime() + HOUR + meal.minutes * MINUTE), timeZone).date
  const days = Math.abs(Date.parse(localDay) - Date.parse(day)) / (24 * HOUR)
  return [Number(cents === claim && days === 0), 1, Math.abs(cents - claim) * 10 + days]
}

const addWorth = (a: Worth, b: Worth): Worth => [a[0] + b[0], a[1] + b[1], a[2] + b[2]]

/** Returns the best assignment of the payments that Skyharbor was told of to the claims, by trying all. */
function bestWorth({ payments, claims, isUndone }: Story, when: { day: string; movedAt: Date }): Worth {
  const meals = wayOf(payments).filter(({ isReported }) => isUndone && isReported.skyharbor)
  const best = (at: number, free: readonly NamedPayment[]): Worth => {
    const claim = claims[at]
    if (claim === undefined) return [0, 0, 0]
    const options = free.flatMap((meal, index): Worth[] => {
      const worth = pairWorth(claim, meal, when)
      const larger = Math.max(finalCents(meal), meal.cents)
      const isSimilar = 10 * larger >= 7 * claim && 10 * larger <= 14 * claim
      return worth[0] || isSimilar ? [addWorth(worth, best(at + 1, free.toSpliced(index, 1)))] : []
    })
    return [best(at + 1, free), ...options].toSorted(compare)[0] ?? [0, 0, 0]
  }
  return best(0, meals)
}

const claimIn = (name: string) => Number(name.replace('manual:claim:', ''))

test('HIST-024 HIST-049 Case 107 a meal is paid once, whatever two programs and claims report of it, in any order', async () => {
  const ranks = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 12, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(story, ranks, ranks, async (told, first, second) => {
      const one = await run(told, first)
      const named = wayOf(told.payments)
      const paidBy = (partner: Partner) => named.filter((each) => isPaidBy(each, told.isUndone) === partner)
      const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0)
      const replaced = one.sky.flatMap(({ name, meal }) => (meal === null ? [] : [{ claim: claimIn(name), meal }]))
      const worth = replaced.map(({ claim, meal }) =>
        pairWorth(claim, named.find(({ name }) => name === meal) as NamedPayment, one),
      )
      expect(worth.reduce(addWorth, [0, 0, 0])).toEqual(bestWorth(told, one))
      const kept = told.claims.filter((claim) => !replaced.some((each) => each.claim === claim))
      const credited = sum(kept.map(benefitOf))
      expect(one.balances).toEqual([
        sum(paidBy('skyharbor').map((each) => skyBenefit(finalCents(each)))) + credited,
        sum(paidBy('gallonaire').map((each) => galBenefit(finalCents(each)))),
      ])
      const charged = named.filter((each) => isPaidBy(each, told.isUndone) !== null)
      expect(one.charged).toBe(sum(charged.map((each) => Math.floor(finalCents(each) / 10))))
      const two = await run(told, second)
      const { day: _, movedAt: __, ...state } = one
      expect(two).toMatchObject(state)
      for (const partner of partners) expect(await findLedgerViolations(harness.pools.forPartner(partner))).toEqual([])
    }),
    { numRuns: scaled({ full: 300, short: 20 }) },
  )
})

test('HIST-049 Case 107 both programs are told at once of a meal between a move and its undo, and one of them pays', async () => {
  for (let round = 0; round < scaled({ full: 40, short: 6 }); round++) {
    const move = await createMove()
    const { sky, gal, members, moveId } = move
    await inTransaction(sky.db, (tx) => sql`select undo_card_move(${moveId}, 12)`.execute(tx))
    const meal = {
      name: 'both',
      twin: 'a',
      cents: 60_00,
      correctedCents: null,
      minutes: 5,
      hasCode: round % 2 === 0,
      isTwin: false,
      isRefunded: false,
      isReported: { skyharbor: true, gallonaire: true },
    }
    const acts = partners.flatMap((partner) => messagesOf(move, partner, meal))
    await Promise.all([...acts, () => recheckOverlap(gal, moveId)].map((act) => act()))
    const jobs = await queryAsOwner(harness.ownerUrl, 'select from jobs.job where singleton_key = $1', [
      `gallonaire:overlap:${moveId}`,
    ])
    expect(jobs).toHaveLength(1)
    await recheckOverlap(gal, moveId)
    expect([
      await getBalance(sky.db, members.skyharbor, 'mile'),
      await getBalance(gal.db, members.gallonaire, 'cent'),
    ]).toEqual([skyBenefit(60_00), 0])
  }
  for (const partner of partners) expect(await findLedgerViolations(harness.pools.forPartner(partner))).toEqual([])
})

test('HIST-049 Case 107 a program learns nothing about another one’s meals but that its own count there', async () => {
  const move = await createMove()
  const { sky, gal, cards, moveId } = move
  await inTransaction(sky.db, (tx) => sql`select undo_card_move(${moveId}, 12)`.execute(tx))
  const third = createTestContext(harness, 'beacon')
  const both = [cards.skyharbor.id, cards.gallonaire.id]
  const cardsSeenBy = async ({ db }: Ctx) => {
    const { rows } = await sql<{ id: number }>`select find_overlapping_cards(${both}::bigint[]) as id`.execute(db)
    return rows.map(({ id }) => Number(id))
  }
  expect(await Promise.all([sky, gal, third].map(cardsSeenBy))).toEqual([
    [cards.skyharbor.id],
    [cards.gallonaire.id],
    [],
  ])
  for (const { db } of [sky, gal, third])
    await expect(sql`select * from card_overlaps`.execute(db)).rejects.toThrow(/permission denied/)
  const countedFor = ({ db }: Ctx) => sql`select find_meals_counted_elsewhere(${both}::bigint[])`.execute(db)
  for (const each of [sky, third]) expect((await countedFor(each)).rows).toEqual([])
  const cardOf = async ({ db }: Ctx) =>
    (await sql<{ card: number | null }>`select card_of_overlap(${moveId}) as card`.execute(db)).rows[0]?.card
  expect([await cardOf(sky), await cardOf(third), Number(await cardOf(gal))]).toEqual([null, null, cards.gallonaire.id])
})

test('HIST-049 Case 116 a claim credited in one program ends when the meal counts in the other, if it was told of the meal', async () => {
  for (const isTold of [true, false]) {
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [0, 3, 2, 1],
    ]) {
      const move = await createMove()
      const { sky, gal, members, merchantId, moveId, movedAt } = move
      const meal = {
        name: 'both',
        twin: 'a',
        cents: 60_00,
        correctedCents: null,
        minutes: 5,
        hasCode: true,
        isTwin: false,
        isRefunded: false,
        isReported: { skyharbor: true, gallonaire: isTold },
      }
      const run = async (acts: (() => Promise<unknown>)[]) => {
        for (const act of acts) await act()
      }
      const acts = [
        () => run(messagesOf(move, 'skyharbor', meal)),
        () => (isTold ? run(messagesOf(move, 'gallonaire', meal)) : Promise.resolve()),
        () =>
          inTransaction(gal.db, async (tx) => {
            await lockMember(tx, members.gallonaire)
            await postManualCredit(tx, gal, {
              memberId: members.gallonaire,
              cardId: null,
              cardLastFour: '0002',
              merchantId,
              merchantName: 'Corner Bistro',
              claimId: randomUUID(),
              cents: 60_00,
              benefit: 150,
              dinedAt: new Date(`${localMoment(new Date(movedAt.getTime() + HOUR), timeZone).date}T12:00:00Z`),
              otherMeals: [],
            })
          }),
        () =>
          inTransaction(sky.db, (tx) => sql`select undo_card_move(${moveId}, 12)`.execute(tx)).then(() =>
            rematchUnmatched(sky, { cardToken: move.cards.skyharbor.token }),
          ),
      ]
      for (const index of order) await acts[index]?.()
      await recheckOverlap(gal, moveId)
      // A program that was never told of the meal cannot know that it is the claimed one.
      expect([
        isTold,
        order,
        await getBalance(sky.db, members.skyharbor, 'mile'),
        await getBalance(gal.db, members.gallonaire, 'cent'),
      ]).toEqual([isTold, order, skyBenefit(60_00), isTold ? 0 : 150])
    }
  }
  for (const partner of partners) expect(await findLedgerViolations(harness.pools.forPartner(partner))).toEqual([])
})

import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { ruleVersion } from '../earning/rules.ts'
import type { RewardUnit, SettlementTerms } from '../earning/terms.ts'
import { reconcilePostings, rewardPostings } from '../ledger/entries.ts'
import { bonusPostings } from '../settlement/shares.ts'
import { assignMeals, type ClaimedMeal, isSamePlace, type ReportedMeal } from './meal-match.ts'

/** Stored with a credit: what it is worth while no transaction has taken its place. */
export interface CreditReason {
  code: 'creditedByHand' | 'replacedByTransaction'
  rule: number
  settlement?: SettlementTerms
  /** In the smallest unit. Absent in credits that were replaced before it was stored: they stay replaced. */
  credited?: number
  /** Network ids of entries that the operator confirmed to be other meals. */
  otherMeals?: readonly string[]
  /** The network id of the transaction that has taken its place. */
  transaction?: string
}

/** A manual credit for a claim, posted or replaced. */
export interface ClaimCredit extends ClaimedMeal {
  id: number
  networkId: string
  memberId: number
  unit: RewardUnit
  benefit: number
  isPaid: boolean
  reason: CreditReason
}

/** Returns the claim credits of these members, by the day of the meal; those of a day in a fixed order. */
export async function listClaimCredits(tx: Tx, memberIds: readonly number[]): Promise<ClaimCredit[]> {
  if (memberIds.length === 0) return []
  const { rows } = await sql<ClaimCredit>`
    select id, network_id as "networkId", member_id as "memberId", merchant_id as "merchantId",
      merchant_name as "merchantName", occurred_at as "dinedAt", ticket_cents as cents, unit, benefit,
      paid_at is not null as "isPaid", reason
    from transactions
    where member_id = any(${memberIds}) and type_code = 'M' and network_id like 'manual:claim:%'
    order by occurred_at, network_id collate "C"`.execute(tx)
  return rows
}

interface MemberMeal extends ReportedMeal {
  networkId: string
  memberId: number
  /** The charge was corrected to nothing. */
  isVoid: boolean
}

// What was charged in another currency, or belongs to another purchase by now, has an amount of nothing too.
const isVoid = sql<boolean>`(t.cleared_at is not null and t.reason -> 'inputs' -> 'cents' = '0'
  and t.reason -> 'inputs' -> 'reportedTwice' is null)`

/**
 * Returns the reported meals around claimed ones that count as paid: posted, refunded since, or rewarded by another
 * program, to which the card has moved back; and those whose charge was corrected to nothing. They are ordered by their time; those of a moment in a fixed order.
 */
async function listPaidMeals(tx: Tx, credits: readonly ClaimCredit[]): Promise<MemberMeal[]> {
  const days = credits.map(({ dinedAt }) => dinedAt.getTime())
  const [first, last] = [new Date(Math.min(...days)), new Date(Math.max(...days))]
  const { rows } = await sql<MemberMeal>`
    select t.network_id as "networkId", t.member_id as "memberId", t.merchant_id as "merchantId",
      t.merchant_name as "merchantName", t.occurred_at as "dinedAt", t.ticket_cents as "ticketCents",
      t.cleared_cents as "clearedCents",
      to_char(t.occurred_at at time zone coalesce(m.time_zone, 'UTC'), 'YYYY-MM-DD') as "localDate",
      ${isVoid} as "isVoid"
    from transactions t left join merchants m on m.id = t.merchant_id
    where t.member_id = any(${credits.map(({ memberId }) => memberId)}) and t.type_code = 'S'
      and t.occurred_at between ${first}::timestamptz - interval '2 days' and ${last}::timestamptz + interval '2 days'
      and ((t.award_status in ('Awarded', 'Paid') and t.benefit > 0)
        or (t.refunded_cents > 0 and t.reason ->> 'code' in ('refunded', 'belowStep', 'belowMinimum'))
        or t.reason ->> 'code' = 'countedElsewhere' or ${isVoid})
    order by t.occurred_at, t.network_id collate "C"`.execute(tx)
  return rows
}

/**
 * Settles which credits are posted: each reported meal that has earned takes the place of the one that it fits best, so
 * that a meal is paid once. A credit is posted again when a correction shows that its transaction was another meal, not
 * when it shows that nothing was charged. The result depends on what is stored, not on the order in which it arrived. `credits` are all those of some members; the
 * caller holds the locks of these. Returns the credits that are replaced now.
 */
export async function settleClaimCredits(tx: Tx, credits: readonly ClaimCredit[]): Promise<Set<string>> {
  const replaced = new Set<string>()
  if (credits.length === 0) return replaced
  const meals = await listPaidMeals(tx, credits)
  for (const own of Map.groupBy(credits, ({ memberId }) => memberId).values()) {
    const taken = replacementsOf(
      own,
      meals.filter(({ memberId }) => memberId === own[0]?.memberId),
    )
    for (const credit of own) {
      const meal = taken.get(credit)
      if (meal) replaced.add(credit.networkId)
      await settleCredit(tx, credit, meal)
    }
  }
  return replaced
}

/** Returns the reported meal that takes the place of each credit. */
function replacementsOf(
  credits: readonly ClaimCredit[],
  meals: readonly MemberMeal[],
): Map<ClaimCredit, Pick<MemberMeal, 'networkId'>> {
  // A charge of nothing keeps the place that it has taken before: it resembles no claim any more.
  const voids = new Map(meals.filter((meal) => meal.isVoid).map((meal) => [meal.networkId, meal]))
  const isKept = (credit: ClaimCredit, id: string) => {
    const meal = voids.get(id)
    return meal !== undefined && isSamePlace(credit, meal)
  }
  // What a credit was worth was not stored with earlier replacements: these are final.
  const final = credits.flatMap((credit): [ClaimCredit, { networkId: string }][] => {
    const { transaction, credited } = credit.reason
    if (transaction === undefined) return []
    return credited === undefined || isKept(credit, transaction) ? [[credit, { networkId: transaction }]] : []
  })
  const settled = new Set<ClaimCredit>(final.map(([credit]) => credit))
  const used = new Set(final.map(([, { networkId }]) => networkId))
  const assigned = assignMeals(
    credits.filter((credit) => !settled.has(credit)),
    meals.filter((meal) => !used.has(meal.networkId) && !meal.isVoid),
    ({ reason }, { networkId }) => !reason.otherMeals?.includes(networkId),
  )
  return new Map([...final, ...assigned])
}

/** Posts what a credit is worth now, with `meal` in its place, and stores why. */
async function settleCredit(
  tx: Tx,
  credit: ClaimCredit,
  meal: Pick<MemberMeal, 'networkId'> | undefined,
): Promise<void> {
  const { reason, memberId, unit } = credit
  const { transaction: before, credited = credit.benefit, ...stored } = reason
  const benefit = meal ? 0 : credited
  if (benefit === credit.benefit && before === meal?.networkId) return
  const code = meal ? 'replacedByTransaction' : 'creditedByHand'
  const next: CreditReason = {
    ...stored,
    code,
    rule: ruleVersion,
    credited,
    ...(meal && { transaction: meal.networkId }),
  }
  const postings = [
    ...rewardPostings({ memberId, unit, amount: benefit }),
    ...bonusPostings(benefit, reason.settlement),
  ]
  await reconcilePostings(tx, [
    { sourceId: credit.networkId, postings, reason: next, isNew: false, firstKind: 'adjustment' },
  ])
  const status = meal ? 'Forfeit' : credit.isPaid ? 'Paid' : 'Awarded'
  await sql`update transactions set benefit = ${benefit}, award_status = ${status},
    reason = ${JSON.stringify(next)}::jsonb, updated_at = now() where id = ${credit.id}`.execute(tx)
}

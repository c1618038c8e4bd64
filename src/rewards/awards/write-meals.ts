import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { insertRows, updateRows } from '../../platform/database/rows.ts'
import { publicId } from '../../platform/security/ids.ts'
import type { Decision } from '../earning/rules.ts'
import { keepTerms } from './meal-terms.ts'
import type { MealRow } from './store.ts'

/** The member and the restaurant of the transaction. */
const matchColumns = {
  member_id: 'bigint',
  card_id: 'bigint',
  merchant_id: 'bigint',
  merchant_name: 'text',
  network_location_id: 'text',
  card_token: 'text',
  card_last_four: 'text',
  unmatched: 'text',
  dined_at: 'timestamptz',
  is_limited: 'boolean',
} as const
/** The progress of the transaction. */
const courseColumns = {
  stage: 'text',
  ticket_cents: 'bigint',
  dine_cents: 'bigint',
  refunded_cents: 'bigint',
  cleared_at: 'timestamptz',
} as const
const decisionColumns = {
  benefit: 'bigint',
  unit: 'text',
  award_status: 'text',
  reason: 'jsonb',
  terms_id: 'uuid',
  updated_at: 'timestamptz',
} as const

const allColumns = { ...matchColumns, ...courseColumns, ...decisionColumns }
const newColumns = { public_id: 'text', network_id: 'text', ...allColumns }
const laterColumns = { ...courseColumns, ...decisionColumns }

type MatchName = keyof typeof matchColumns

/** The facts of a transaction without its award. */
export type MealFacts = Pick<MealRow, 'network_id' | MatchName | keyof typeof courseColumns>

export interface MealToWrite {
  /** The stored row; undefined for a new transaction. */
  kept: MealRow | undefined
  facts: MealFacts
  decision: Decision
  status: string
}

/** Writes transactions with their awards: new rows, and the changed columns of existing ones. */
export async function writeMeals(tx: Tx, meals: readonly MealToWrite[]): Promise<void> {
  const termsIds = await termsOf(tx, meals)
  const now = new Date()
  const rows = meals.map((meal, index) => ({
    kept: meal.kept,
    row: { ...meal.facts, ...decided(meal), terms_id: termsIds[index], updated_at: now },
  }))
  const fresh = rows.filter(({ kept }) => !kept).map(({ row }) => ({ ...row, public_id: publicId() }))
  const known = rows.flatMap(({ kept, row }) => (kept ? [{ kept, row: { ...row, id: kept.id } }] : []))
  // Few messages change who, where and when.
  const isMoved = known.some(({ kept, row }) => matchNames.some((name) => !isSame(kept[name], row[name])))
  const changed = known.map(({ row }) => row)
  await Promise.all([
    insertRows(tx, 'transactions', newColumns, fresh),
    updateRows(tx, 'transactions', isMoved ? allColumns : laterColumns, changed),
  ])
}

const matchNames = Object.keys(matchColumns) as MatchName[]
const isSame = (was: unknown, is: unknown) => was === is || (was instanceof Date && is instanceof Date && +was === +is)

type Decided = Pick<MealToWrite, 'kept' | 'decision'>

/** Stores the terms of transactions in advance: writing the transactions then needs no query for them. */
export async function keepNewTerms(tx: Tx, meals: readonly Decided[]): Promise<void> {
  await termsOf(tx, meals)
}

/** Returns the ids of the terms of each transaction; unchanged terms keep their id. */
async function termsOf(tx: Tx, meals: readonly Decided[]): Promise<string[]> {
  const changed = meals.filter(hasNewTerms)
  const ids = await keepTerms(
    tx,
    changed.map(({ decision }) => decision.reason.inputs),
  )
  const byMeal = new Map(changed.map((meal, index) => [meal, ids[index] as string]))
  return meals.map((meal) => byMeal.get(meal) ?? (meal.kept?.terms_id as string))
}

function hasNewTerms({ kept, decision }: Decided): boolean {
  const { program, merchant } = decision.reason.inputs
  return kept?.terms_id == null || kept.terms?.program !== program || kept.terms.merchant !== merchant
}

function decided({ decision: { benefit, unit, reason }, status }: MealToWrite) {
  const { program: _, merchant: __, ...inputs } = reason.inputs
  return { benefit, unit, award_status: status, reason: { ...reason, inputs } }
}

export interface BonusFacts {
  networkId: string
  publicId: string
  benefit: number
  unit: string
  reason: { code: string; description?: string }
}

/** Inserts or updates the bonus of a transaction as an entry of its own. */
export async function saveBonus(tx: Tx, meal: MealFacts, bonus: BonusFacts): Promise<void> {
  const state = {
    benefit: bonus.benefit,
    award_status: bonus.benefit > 0 ? 'Awarded' : 'Forfeit',
    reason: JSON.stringify(bonus.reason),
  }
  await tx
    .insertInto('transactions')
    .values({
      ...state,
      public_id: `bonus-${bonus.publicId}`,
      network_id: bonus.networkId,
      member_id: meal.member_id,
      card_id: meal.card_id,
      merchant_id: meal.merchant_id,
      merchant_name: meal.merchant_name,
      network_location_id: meal.network_location_id,
      card_last_four: meal.card_last_four,
      type_code: 'B',
      stage: 'cleared',
      unit: bonus.unit,
      dined_at: meal.dined_at,
      cleared_at: meal.cleared_at,
    })
    .onConflict((conflict) =>
      conflict.columns(['partner_id', 'network_id']).doUpdateSet({
        ...state,
        // A bonus that is posted again may belong to another transaction.
        ...(bonus.benefit > 0 && {
          card_id: meal.card_id,
          card_last_four: meal.card_last_four,
          dined_at: meal.dined_at,
          cleared_at: meal.cleared_at,
        }),
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

export interface ManualEntry {
  memberId: number
  cardId: number | null
  cardLastFour: string
  merchantId: number | null
  merchantName: string
  networkId: string
  publicId: string
  cents: number
  benefit: number
  unit: string
  reason: { code: string; rule: number }
  dinedAt: Date
}

/** Inserts a manual entry; returns false when it already exists. */
export async function insertManual(tx: Tx, entry: ManualEntry): Promise<boolean> {
  const row = await tx
    .insertInto('transactions')
    .values({
      public_id: entry.publicId,
      network_id: entry.networkId,
      member_id: entry.memberId,
      card_id: entry.cardId,
      merchant_id: entry.merchantId,
      merchant_name: entry.merchantName,
      network_location_id: '',
      card_last_four: entry.cardLastFour,
      type_code: 'M',
      stage: 'cleared',
      award_status: 'Awarded',
      ticket_cents: entry.cents,
      dine_cents: entry.cents,
      benefit: entry.benefit,
      unit: entry.unit,
      reason: JSON.stringify(entry.reason),
      dined_at: entry.dinedAt,
      cleared_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.columns(['partner_id', 'network_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

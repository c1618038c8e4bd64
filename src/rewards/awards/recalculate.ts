import { type Selectable, sql } from 'kysely'
import type { Transactions } from '../../../db/schema.ts'
import { lockMember } from '../../identity/members/service.ts'
import { inTransaction, type Tx } from '../../platform/database/db.ts'
import { tryOrDo } from '../../platform/database/dry-run.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { localMoment } from '../../platform/time.ts'
import type { ReasonCode } from '../earning/reasons.ts'
import type { AwardInput, ProgramTerms } from '../earning/terms.ts'
import { applyDecided } from './apply.ts'
import { withTerms } from './award-terms.ts'
import { listMerchantTerms, programTerms } from './current-terms.ts'
import { decideAwards, decideTransaction, type TransactionDecision } from './decide.ts'
import { reasonOf, type TransactionRow } from './store.ts'

export interface Recalculation {
  /** UTC days, both inclusive: `YYYY-MM-DD`. */
  from: string
  to: string
  /** Whether the differences are posted, or only reported. */
  apply: boolean
}

/** A changed term: its path, such as `program.earnRates.OptedIn`, and its old and new value. */
export interface ChangedTerm {
  path: string
  was: unknown
  is: unknown
}

/** A transaction with a different award under today's terms, and the terms that changed. */
export interface Difference {
  publicId: string
  dinedAt: Date
  merchantName: string
  was: { benefit: number; code: ReasonCode; rule: number }
  is: { benefit: number; code: ReasonCode; rule: number }
  /** Empty when another transaction of the month caused the difference, or the rules themselves. */
  terms: readonly ChangedTerm[]
}

/**
 * Computes awards again under the currently stored terms of the program and of the restaurants for the days of the
 * transactions: for a rate or an offer that was entered wrongly. Each difference is explained; with `apply` it is
 * posted as a correction. How long a transaction waits is not computed again. One member at a time: earlier corrections
 * stay posted when a later one fails.
 */
export async function* recalculate(ctx: Ctx, options: Recalculation): AsyncGenerator<Difference> {
  for (const memberId of await listMembersWithTransactions(ctx, options)) {
    yield* await inTransaction(ctx.db, (tx) => recalculateMember(tx, ctx, memberId, options))
  }
}

/** Which transactions an operator calculates again: of a span of days, and of one restaurant or with one id where given. */
export interface RecalculationScope {
  from: string
  to: string
  merchantId?: number | undefined
  transactionId?: number | undefined
}

/** A transaction that an operator would change, with its member. */
export interface ScopedDifference extends Difference {
  memberId: number
}

/**
 * Calculates awards of a scope again as `recalculate` does, for at most `maxMembers` members in one transaction, so that the
 * whole can be shown before it is posted. `record` is called last, when it is not dry. Throws `tooManyMembers`.
 */
export async function recalculateScope(
  ctx: Ctx,
  scope: RecalculationScope,
  {
    isDry,
    maxMembers,
    record,
  }: { isDry: boolean; maxMembers: number; record?: (tx: Tx, found: readonly ScopedDifference[]) => Promise<void> },
): Promise<ScopedDifference[]> {
  const members = await listMembersWithTransactions(ctx, { ...scope, limit: maxMembers + 1 })
  if (members.length > maxMembers) throw new ApiError('tooManyMembers')
  return tryOrDo({ isDry }, (finish) =>
    inTransaction(ctx.db, async (tx) => {
      const found: ScopedDifference[] = []
      // In the order of their ids, as everything that locks several members.
      for (const memberId of members) {
        const differences = await recalculateMember(tx, ctx, memberId, { ...scope, apply: true })
        found.push(...differences.map((difference) => ({ ...difference, memberId })))
      }
      if (!isDry) await record?.(tx, found)
      return finish(found)
    }),
  )
}

type MemberOptions = Recalculation & Partial<RecalculationScope>

async function recalculateMember(tx: Tx, ctx: Ctx, memberId: number, options: MemberOptions): Promise<Difference[]> {
  await lockMember(tx, memberId)
  const rows = await listMemberTransactions(tx, memberId, options)
  const merchants = await listMerchantTerms(tx, [...new Set(rows.flatMap(({ merchant_id }) => merchant_id ?? []))])
  const decisions = rows.map((row) => {
    const inputs = reasonOf(row).inputs
    const terms = row.merchant_id === null ? undefined : merchants.get(row.merchant_id)
    const idUntil = inputs.merchant?.idUntil
    const merchant = terms ? { ...terms, ...(idUntil !== undefined && { idUntil }) } : inputs.merchant
    const { date } = localMoment(row.occurred_at, merchant?.timeZone ?? 'UTC')
    return decideTransaction({
      existing: row,
      fields: row,
      input: { ...inputs, merchant, program: keepWaiting(programTerms(ctx.program.config, date), inputs.program) },
    })
  })
  const decided = await decideAwards(tx, decisions)
  const differences = decided.flatMap((transaction) => toDifference(transaction) ?? [])
  if (options.apply) await applyDecided(tx, ctx, decided)
  return differences
}

/**
 * Returns current terms with the stored waiting times. A correction changes what a transaction earns, not when: it would
 * otherwise hold back awards that members have had for months.
 */
function keepWaiting(current: ProgramTerms, stored: ProgramTerms): ProgramTerms {
  const { deferDays: _, reviewWithinDays: __, ...terms } = current
  const { deferDays, reviewWithinDays } = stored
  return {
    ...terms,
    ...(deferDays !== undefined && { deferDays }),
    ...(reviewWithinDays !== undefined && { reviewWithinDays }),
  }
}

function toDifference({ existing, fields, award }: TransactionDecision): Difference | null {
  if (!existing) return null
  const { reason, benefit } = award
  const was = reasonOf(existing)
  if (existing.benefit === benefit && was.code === reason.code) return null
  return {
    publicId: existing.public_id,
    dinedAt: existing.occurred_at,
    merchantName: fields.merchant_name,
    was: { benefit: existing.benefit, code: was.code, rule: was.rule },
    is: { benefit, code: reason.code, rule: reason.rule },
    terms: changedTerms(was.inputs, reason.inputs),
  }
}

/** Returns the terms that differ between two sets of inputs. */
function changedTerms(was: AwardInput, is: AwardInput): ChangedTerm[] {
  return [...differences(was.program, is.program, 'program'), ...differences(was.merchant, is.merchant, 'merchant')]
}

function differences(was: unknown, is: unknown, path: string): ChangedTerm[] {
  if (isTree(was) && isTree(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    return names.flatMap((name) => differences(was[name], is[name], `${path}.${name}`))
  }
  return JSON.stringify(was) === JSON.stringify(is) ? [] : [{ path, was, is }]
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Returns the conditions of a scope beside its days. */
const within = ({ merchantId, transactionId }: Partial<RecalculationScope>) => sql`
  ${merchantId === undefined ? sql`` : sql`and merchant_id = ${merchantId}`}
  ${transactionId === undefined ? sql`` : sql`and id = ${transactionId}`}`

async function listMembersWithTransactions(
  { db }: Ctx,
  { limit, ...scope }: RecalculationScope & { limit?: number },
): Promise<number[]> {
  const { from, to } = scope
  const { rows } = await sql<{ id: number }>`
    select distinct member_id as id from transactions
    where partner_id = current_partner() and member_id is not null and type_code = 'S'
      and occurred_at >= ${from}::date at time zone 'UTC' and occurred_at < (${to}::date + 1) at time zone 'UTC'
      ${within(scope)}
    order by member_id ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db)
  return rows.map(({ id }) => id)
}

async function listMemberTransactions(tx: Tx, memberId: number, options: MemberOptions): Promise<TransactionRow[]> {
  const { from, to } = options
  const { rows } = await sql<Selectable<Transactions>>`
    select * from transactions
    where member_id = ${memberId} and type_code = 'S' and reason ? 'inputs'
      and occurred_at >= ${from}::date at time zone 'UTC' and occurred_at < (${to}::date + 1) at time zone 'UTC'
      ${within(options)}
    order by occurred_at, id`.execute(tx)
  return withTerms(tx, rows)
}

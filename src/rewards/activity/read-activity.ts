import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { dayOf } from '../../programs/partners/rules.ts'
import { findListedTransactions, sendsCredits, toRewardTransaction } from '../awards/read-transaction.ts'
import type { AwardStatus } from '../earning/contract.ts'
import { unitOf } from '../earning/terms.ts'
import { getBalance } from '../ledger/entries.ts'
import type { StatementCredit } from '../payouts/contract.ts'
import { isChecking } from '../payouts/rules.ts'
import type { ActivityFilter, ActivityStatus } from './activity-filter.ts'
import type { Adjustment, RewardEntry } from './contract.ts'

export interface PageRequest extends ActivityFilter {
  pageNo: number
  resultsPerPage: number
}

interface Entry {
  kind: 'transaction' | 'credit' | 'adjustment' | 'merge'
  id: number
}

/** Returns a member's transactions and adjustments of the last twelve months. Throws `notOffered` in programs with credits. */
export async function readTransactions(ctx: Ctx, memberId: number, page: PageRequest) {
  requireOffered(!sendsCredits(ctx))
  const { total, entries } = await loadPage(ctx, memberId, page, { credits: false })
  const data = (await loadEntries(ctx, entries)).filter((entry) => entry.kind !== 'credit')
  return { data, totalResultSize: total, totalPages: pagesOf(total, page) }
}

/** Returns a member's transactions, adjustments and credits of the last twelve months. Throws `notOffered` in other programs. */
export async function readTransactionsAndCredits(ctx: Ctx, memberId: number, page: PageRequest) {
  requireOffered(sendsCredits(ctx))
  const { total, entries } = await loadPage(ctx, memberId, page, { credits: true })
  return { data: await loadEntries(ctx, entries), totalPages: pagesOf(total, page) }
}

/** Returns dollars earned and not yet sent; negative after a refund of sent rewards. Throws error code `notOffered`. */
export async function readCreditBalance(ctx: Ctx, memberId: number): Promise<{ memberBalance: number }> {
  requireOffered(sendsCredits(ctx))
  return { memberBalance: (await getBalance(ctx.db, memberId, 'cent')) / 100 }
}

/** Returns all entries of the last twelve months that match the filter. */
export async function readActivity(ctx: Ctx, memberId: number, filter: ActivityFilter): Promise<RewardEntry[]> {
  const all = { ...filter, pageNo: 1, resultsPerPage: maxExported }
  const { entries } = await loadPage(ctx, memberId, all, { credits: sendsCredits(ctx) })
  return loadEntries(ctx, entries)
}

/** More rows than a member can have in a year. */
const maxExported = 10_000

function requireOffered(offered: boolean): void {
  if (!offered) throw new ApiError('notOffered')
}

function pagesOf(total: number, { resultsPerPage }: PageRequest): number {
  return Math.ceil(total / resultsPerPage)
}

async function loadPage(
  ctx: Ctx,
  memberId: number,
  { pageNo, resultsPerPage, status, period }: PageRequest,
  { credits }: { credits: boolean },
): Promise<{ total: number; entries: Entry[] }> {
  const since = sql`${ctx.now()}::timestamptz - interval '12 months'`
  const { timeZone } = ctx.program.config
  // As in the rows of the list: the restaurant's local day for transactions, the program's for the others.
  const within = (at: RawBuilder<unknown>) => (period ? sql`and to_char(${at}, 'YYYY-MM') like ${`${period}%`}` : sql``)
  const states = status && sql`and t.award_status = any(${[...awardStatuses[status]]})`
  const transactions = sql`
    select 'transaction' as kind, t.id, t.occurred_at as at from transactions t
    where t.member_id = ${memberId} and t.occurred_at >= ${since} ${states ?? sql``} ${within(sql`t.occurred_at at time zone
      case when t.type_code = 'M' then 'UTC' else
        coalesce((select m.time_zone from merchants m where m.id = t.merchant_id), 'UTC') end`)}`
  const sent = sql`
    select 'credit' as kind, id, created_at as at from statement_credits
    where member_id = ${memberId} and created_at >= ${since} ${within(sql`created_at at time zone ${timeZone}`)}`
  const adjusted = sql`
    select 'adjustment' as kind, j.id, j.posted_at as at
    from postings p join journal_entries j on j.partner_id = p.partner_id and j.id = p.journal_entry_id
    where p.member_id = ${memberId} and j.source = 'adjustment' and j.posted_at >= ${since}
      ${within(sql`j.posted_at at time zone ${timeZone}`)}`
  const merged = sql`
    select 'merge' as kind, id, merged_at as at from member_merges
    where member_id = ${memberId} and merged_at >= ${since} ${within(sql`merged_at at time zone ${timeZone}`)}`
  const parts = [
    transactions,
    ...(credits && (!status || status === 'credit') ? [sent] : []),
    ...(!status || status === 'earned' ? [adjusted] : []),
    ...(status ? [] : [merged]),
  ]
  const all = sql.join(parts, sql` union all `)
  const counted = await sql<{ total: number }>`select count(*) as total from (${all}) entries`.execute(ctx.db)
  const { rows } = await sql<Entry>`
    select kind, id from (${all}) entries
    order by at desc, kind, id desc limit ${resultsPerPage} offset ${(pageNo - 1) * resultsPerPage}`.execute(ctx.db)
  return { total: counted.rows[0]?.total ?? 0, entries: rows }
}

/** The award statuses behind each status of the filter. */
const awardStatuses: Readonly<Record<ActivityStatus, readonly AwardStatus[]>> = {
  earned: ['Awarded', 'Paid'],
  pending: ['Pending', 'Deferred'],
  notEarned: ['Forfeit'],
  credit: [],
}

/** Returns the records of a page, in its order. */
async function loadEntries(ctx: Ctx, entries: readonly Entry[]): Promise<RewardEntry[]> {
  const idsOf = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
  const transactions = new Map((await findListedTransactions(ctx.db, idsOf('transaction'))).map((row) => [row.id, row]))
  const credits = new Map((await findCredits(ctx.db, idsOf('credit'))).map((row) => [row.id, row]))
  const adjustments = new Map((await findAdjustments(ctx.db, idsOf('adjustment'))).map((row) => [row.id, row]))
  const merges = new Map((await findMerges(ctx, idsOf('merge'))).map((row) => [row.id, row]))
  return entries.flatMap(({ kind, id }): RewardEntry[] => {
    const transaction = kind === 'transaction' && transactions.get(id)
    const credit = kind === 'credit' && credits.get(id)
    const adjustment = kind === 'adjustment' && adjustments.get(id)
    if (transaction) return [toRewardTransaction(ctx, transaction)]
    if (adjustment) return [toAdjustment(ctx, adjustment)]
    const merge = kind === 'merge' && merges.get(id)
    if (merge) return [{ ...toAdjustment(ctx, merge), isMerge: true }]
    return credit ? [toStatementCredit(ctx, credit)] : []
  })
}

function findCredits(db: Db, ids: readonly number[]) {
  return db.selectFrom('statement_credits').selectAll().where('id', '=', sql<number>`any(${ids})`).execute()
}

interface AdjustmentRow {
  id: number
  adjustmentId: string
  unit: string
  amount: number
  postedAt: Date
}

async function findAdjustments(db: Db, ids: readonly number[]): Promise<AdjustmentRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<AdjustmentRow>`
    select j.id, j.source_id as "adjustmentId", p.unit, p.amount, j.posted_at as "postedAt"
    from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
    where j.partner_id = current_partner() and j.id = any(${ids}) and p.account = 'member'`.execute(db)
  return rows
}

/** Returns merges of another account of the person, with the balance that it brought along. */
async function findMerges(ctx: Ctx, ids: readonly number[]): Promise<AdjustmentRow[]> {
  if (ids.length === 0) return []
  const unit = unitOf(ctx.program.config.currencyType)
  const { rows } = await sql<AdjustmentRow>`
    select m.id, m.public_id as "adjustmentId", ${unit}::text as unit, m.merged_at as "postedAt", coalesce((
      select sum(p.amount) from journal_entries j join postings p on p.partner_id = j.partner_id and p.journal_entry_id = j.id
      where j.partner_id = m.partner_id and j.source = 'merge' and j.source_id = m.public_id
        and p.member_id = m.member_id and p.unit = ${unit}), 0)::bigint as amount
    from member_merges m where m.id = any(${ids})`.execute(ctx.db)
  return rows
}

/** Why it was made is the operators' note, and not in it. */
function toAdjustment(ctx: Ctx, { adjustmentId, unit, amount, postedAt }: AdjustmentRow): Adjustment {
  return {
    kind: 'adjustment',
    adjustmentId,
    amount: unit === 'cent' ? amount / 100 : amount,
    date: dayOf(ctx.program.config, postedAt),
  }
}

function toStatementCredit(ctx: Ctx, credit: Awaited<ReturnType<typeof findCredits>>[number]): StatementCredit {
  return {
    kind: 'credit',
    creditId: credit.public_id,
    creditAmountCents: credit.amount_cents,
    targetType: credit.target_type as StatementCredit['targetType'],
    targetLabel: credit.target_label,
    payoutBrand: credit.brand,
    delivery: credit.delivery as StatementCredit['delivery'],
    benefitProcessor: credit.processor,
    status: credit.status as StatementCredit['status'],
    isChecking: isChecking(credit),
    date: dayOf(ctx.program.config, credit.created_at),
  }
}

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { Refusal } from '../../platform/refusal.ts'
import { findListedMeals, sendsCredits, transactionOf } from '../awards/read-transaction.ts'
import type { AwardStatus } from '../earning/contract.ts'
import { balanceOf } from '../ledger/entries.ts'
import type { StatementCredit } from '../payouts/contract.ts'
import type { RewardEntry } from './contract.ts'
import type { ActivityFilter, ActivityStatus } from './names.ts'

export interface PageWish extends ActivityFilter {
  pageNo: number
  resultsPerPage: number
}

interface Entry {
  kind: 'transaction' | 'credit'
  id: number
}

/** Returns a member's transactions of the last twelve months. Throws `notOffered` in programs with credits. */
export async function readTransactions(ctx: Ctx, memberId: number, page: PageWish) {
  refuseUnless(!sendsCredits(ctx))
  const { total, entries } = await pageOf(ctx, memberId, page, { credits: false })
  const data = (await fill(ctx, entries)).filter((entry) => entry.kind === 'transaction')
  return { data, totalResultSize: total, totalPages: pagesOf(total, page) }
}

/** Returns a member's transactions and credits of the last twelve months. Throws `notOffered` in other programs. */
export async function readTransactionsAndCredits(ctx: Ctx, memberId: number, page: PageWish) {
  refuseUnless(sendsCredits(ctx))
  const { total, entries } = await pageOf(ctx, memberId, page, { credits: true })
  return { data: await fill(ctx, entries), totalPages: pagesOf(total, page) }
}

/** Returns dollars earned and not yet sent; negative after a refund of sent rewards. Throws error code `notOffered`. */
export async function readCreditBalance(ctx: Ctx, memberId: number): Promise<{ memberBalance: number }> {
  refuseUnless(sendsCredits(ctx))
  return { memberBalance: (await balanceOf(ctx.db, memberId, 'cent')) / 100 }
}

/** Returns all transactions of the last twelve months that match the filter, with any statement credits. */
export async function readActivity(ctx: Ctx, memberId: number, filter: ActivityFilter): Promise<RewardEntry[]> {
  const all = { ...filter, pageNo: 1, resultsPerPage: maxExported }
  const { entries } = await pageOf(ctx, memberId, all, { credits: sendsCredits(ctx) })
  return fill(ctx, entries)
}

/** More rows than a member can have in a year. */
const maxExported = 10_000

function refuseUnless(offered: boolean): void {
  if (!offered) throw new Refusal('notOffered')
}

function pagesOf(total: number, { resultsPerPage }: PageWish): number {
  return Math.ceil(total / resultsPerPage)
}

async function pageOf(
  ctx: Ctx,
  memberId: number,
  { pageNo, resultsPerPage, status, period }: PageWish,
  { credits }: { credits: boolean },
): Promise<{ total: number; entries: Entry[] }> {
  const since = sql`${ctx.now()}::timestamptz - interval '12 months'`
  // As in the rows of the list: the restaurant's local day for transactions, UTC for credits.
  const within = (at: RawBuilder<unknown>) => (period ? sql`and to_char(${at}, 'YYYY-MM') like ${`${period}%`}` : sql``)
  const states = status && sql`and t.award_status = any(${[...awardStatuses[status]]})`
  const meals = sql`
    select 'transaction' as kind, t.id, t.dined_at as at from transactions t
    where t.member_id = ${memberId} and t.dined_at >= ${since} ${states ?? sql``} ${within(sql`t.dined_at at time zone
      coalesce((select m.time_zone from merchants m where m.id = t.merchant_id), 'UTC')`)}`
  const sent = sql`
    select 'credit' as kind, id, created_at as at from statement_credits
    where member_id = ${memberId} and created_at >= ${since} ${within(sql`created_at at time zone 'UTC'`)}`
  const all = credits && (!status || status === 'credit') ? sql`${meals} union all ${sent}` : meals
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
async function fill(ctx: Ctx, entries: readonly Entry[]): Promise<RewardEntry[]> {
  const idsOf = (kind: Entry['kind']) => entries.filter((entry) => entry.kind === kind).map(({ id }) => id)
  const meals = new Map((await findListedMeals(ctx.db, idsOf('transaction'))).map((row) => [row.id, row]))
  const credits = new Map((await findCredits(ctx.db, idsOf('credit'))).map((row) => [row.id, row]))
  return entries.flatMap(({ kind, id }): RewardEntry[] => {
    const meal = kind === 'transaction' && meals.get(id)
    const credit = kind === 'credit' && credits.get(id)
    if (meal) return [transactionOf(ctx, meal)]
    return credit ? [creditOf(credit)] : []
  })
}

function findCredits(db: Db, ids: readonly number[]) {
  return db.selectFrom('statement_credits').selectAll().where('id', '=', sql<number>`any(${ids})`).execute()
}

function creditOf(credit: Awaited<ReturnType<typeof findCredits>>[number]): StatementCredit {
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
    date: credit.created_at.toISOString().slice(0, 10),
  }
}

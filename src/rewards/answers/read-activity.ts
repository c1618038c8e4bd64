import { type RawBuilder, sql } from 'kysely'
import { fill as fillIn } from '../../kit/fill.ts'
import { Refusal } from '../../kit/refusal.ts'
import type { Ctx } from '../../kit/server/context.ts'
import type { Db, Tx } from '../../kit/server/db.ts'
import type {
  AwardStatus,
  DineStatus,
  RewardEntry,
  RewardTransaction,
  StatementCredit,
  TransactionStatus,
  TransactionTypeCode,
} from '../contract.ts'
import { rewardsCopy } from '../copy.ts'
import { dineStatus, explain, shortDate } from '../explain.ts'
import { balanceOf } from '../ledger/entries.ts'
import { withTerms } from '../meal-terms.ts'
import type { ActivityFilter, ActivityStatus } from '../names.ts'
import { type MealRow, mealByPublicId, reasonOf } from '../store.ts'

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

function sendsCredits(ctx: Pick<Ctx, 'program'>): boolean {
  return ctx.program.config.currencyType === 'Credit'
}

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
  const meals = new Map((await findMeals(ctx.db, idsOf('transaction'))).map((row) => [row.id, row]))
  const credits = new Map((await findCredits(ctx.db, idsOf('credit'))).map((row) => [row.id, row]))
  return entries.flatMap(({ kind, id }): RewardEntry[] => {
    const meal = kind === 'transaction' && meals.get(id)
    const credit = kind === 'credit' && credits.get(id)
    if (meal) return [transactionOf(ctx, meal)]
    return credit ? [creditOf(credit)] : []
  })
}

/** Returns one transaction of a member, as listed; undefined when it belongs to another member. */
export async function readMeal(
  ctx: Pick<Ctx, 'program' | 'now'> & { db: Db | Tx },
  memberId: number,
  publicId: string,
): Promise<RewardTransaction | undefined> {
  const meal = await mealByPublicId(ctx.db, publicId)
  if (!meal || meal.member_id !== memberId) return undefined
  const [listed] = await findMeals(ctx.db, [meal.id])
  return listed && transactionOf(ctx, listed)
}

type ListedMeal = MealRow & {
  merchantPublicId: string | null
  participating: boolean | null
  leftOn: string | null
  timeZone: string | null
}

async function findMeals(db: Db | Tx, ids: readonly number[]): Promise<ListedMeal[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('transactions')
    .leftJoin('merchants', 'merchants.id', 'transactions.merchant_id')
    .selectAll('transactions')
    .select([
      'merchants.public_id as merchantPublicId',
      'merchants.participating as participating',
      'merchants.left_on as leftOn',
      'merchants.time_zone as timeZone',
    ])
    .where('transactions.id', '=', sql<number>`any(${ids})`)
    .execute()
  return withTerms(db, rows)
}

function transactionOf(ctx: Pick<Ctx, 'program' | 'now'>, meal: ListedMeal): RewardTransaction {
  const { config } = ctx.program
  const awardStatus = meal.award_status as AwardStatus
  const today = ctx.now().toISOString().slice(0, 10)
  return {
    kind: 'transaction',
    sourceTransactionId: meal.public_id,
    merchantId: meal.merchantPublicId,
    merchantName: meal.merchant_name,
    transactionCreatedAt: meal.dined_at.toISOString(),
    timeZone: meal.timeZone,
    transactionStatus: transactionStatusOf(awardStatus, sendsCredits(ctx)),
    transactionTypeCode: meal.type_code as typeof TransactionTypeCode._output,
    dineAmount: amountOf(meal) / 100,
    refundedAmount: Math.min(meal.refunded_cents, amountOf(meal)) / 100,
    benefitAmount: meal.unit === 'cent' ? meal.benefit / 100 : meal.benefit,
    ticketAmount: meal.ticket_cents / 100,
    cardLastFour: meal.card_last_four,
    paidAt: meal.paid_at?.toISOString() ?? null,
    date: meal.dined_at.toISOString().slice(0, 10),
    awardStatus,
    status: statusOfRow(meal),
    activeMerchant: meal.participating === true && (meal.leftOn === null || today < meal.leftOn),
    reason: explain(config, {
      reason: reasonOf(meal),
      merchantName: meal.merchant_name,
      benefit: meal.benefit,
      awardStatus,
    }),
  }
}

const amountOf = (meal: MealRow) => (meal.cleared_at === null ? meal.ticket_cents : meal.dine_cents)

type StatusRow = Pick<MealRow, 'award_status' | 'reason' | 'type_code' | 'benefit' | 'cleared_at' | 'paid_at'>

/** Returns the status of a transaction as every page and file names it. */
export function statusOfRow(row: StatusRow): DineStatus {
  return dineStatus({
    awardStatus: row.award_status as AwardStatus,
    code: reasonOf(row).code,
    typeCode: row.type_code,
    benefit: row.benefit,
    cleared: row.cleared_at !== null,
    paid: row.paid_at !== null,
  })
}

/** Returns the same as text outside of programs: in the console and in files. */
export function statusWordsOf(row: StatusRow): string {
  const text = rewardsCopy[`rewards.status.${statusOfRow(row)}`]
  return fillIn(text, { paidOn: row.paid_at ? shortDate(row.paid_at.toISOString()) : '' })
}

/** Returns the status text of every transaction of a member, by public id. */
export async function statusesOf(db: Db, memberId: number): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('transactions')
    .select(['public_id', 'award_status', 'reason', 'type_code', 'benefit', 'cleared_at', 'paid_at'])
    .where('member_id', '=', memberId)
    .execute()
  return new Map(rows.map((row) => [row.public_id, statusWordsOf(row)]))
}

/** Where credits are sent, an award in the balance is still pending; elsewhere it is paid at once. */
export function transactionStatusOf(awardStatus: AwardStatus, creditsAreSent: boolean): TransactionStatus {
  if (awardStatus === 'Awarded') return creditsAreSent ? 'pending' : 'paid'
  return awardStatus.toLowerCase() as TransactionStatus
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

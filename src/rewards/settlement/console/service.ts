import type { Db, Pools, Tx } from '../../../platform/database/db.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import { hasPermission } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { decimalFromCents } from '../../../platform/money.ts'
import { addDays, addMonths } from '../../../platform/time.ts'
import type { ProgramConfig } from '../../../programs/partners/contract.ts'
import { formatReward, rewardNumber } from '../../../programs/partners/rates.ts'
import { findClosedMonth } from '../month-store.ts'
import { firstOpenDay, settlementFile } from '../settlement-file.ts'
import { isFirstVisit, type RestaurantStatement, readStatement, statementCsv } from '../statement.ts'
import { statementPdf } from '../statement-pdf.ts'
import * as store from '../store.ts'
import type { SettledRestaurant, SettlementMonth, StatementDetail } from './contract.ts'
import { nameOfMonth } from './month-name.ts'

export interface SettlementConsoleDeps {
  /** Connections of the console's role. */
  pools: Pools
  programs: ReadonlyMap<string, { config: ProgramConfig }>
}

const currentMonth = (ctx: Pick<OperatorCtx, 'now'>) => ctx.now().toISOString().slice(0, 7)

/** Returns the days of a month. */
export const daysOf = (month: string): store.DayRange => ({
  from: `${month}-01`,
  to: addDays(`${addMonths(month, 1)}-01`, -1),
})

const toSettled = (ctx: OperatorCtx, line: store.SettledLine): SettledRestaurant => ({
  key: `${line.merchantId ?? line.kind} ${line.unit}`,
  kind: line.kind,
  merchantId: line.merchantId,
  merchantName: line.merchantName,
  given: line.given,
  takenBack: line.takenBack,
  rewardsGiven: formatReward(ctx.program.config, line.rewardsGiven),
  rewardsTakenBack: formatReward(ctx.program.config, line.rewardsTakenBack),
  owesCents: line.restaurantOwes,
  partnerCents: line.partnerIsOwed,
  platformCents: line.platformShare,
})

interface ListQuery {
  month?: string | undefined
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

/** Returns one page of what restaurants owe for a month. */
export async function listSettlement(ctx: OperatorCtx, { month = currentMonth(ctx), q, cursor, limit }: ListQuery) {
  const { rows, next, total } = await store.listSettledPage(ctx.db, daysOf(month), { text: q, cursor, limit })
  return { items: rows.map((line) => toSettled(ctx, line)), next, total: { count: total, isExact: true } }
}

const csvColumns = [
  'month',
  'restaurant',
  'name',
  'kind',
  'entries that gave',
  'entries that took back',
  'rewards given',
  'rewards taken back',
  'owes',
  'partner is owed',
  'platform share',
]

// Numbers, so that a spreadsheet adds them up.
const toCells = (config: ProgramConfig, month: string, line: store.SettledLine): (string | number)[] => [
  month,
  line.merchantId ?? '',
  line.merchantName ?? '',
  line.kind,
  line.given,
  line.takenBack,
  rewardNumber(config, line.rewardsGiven),
  rewardNumber(config, line.rewardsTakenBack),
  decimalFromCents(line.restaurantOwes),
  decimalFromCents(line.partnerIsOwed),
  decimalFromCents(line.platformShare),
]

/** Rows of a file that are read at once: more than restaurants take part, so that a month is added up once. */
const exportPage = 50_000

/** Sends the same list as a CSV file. */
export async function exportSettlement(
  ctx: OperatorCtx,
  { month = currentMonth(ctx), q }: Pick<ListQuery, 'month' | 'q'>,
  http: HttpContext,
): Promise<void> {
  async function* pages() {
    for (let cursor: string | undefined; ; ) {
      const page = await store.listSettledPage(ctx.db, daysOf(month), { text: q, cursor, limit: exportPage })
      yield page.rows.map((line) => toCells(ctx.program.config, month, line))
      if (page.next === null) return
      cursor = page.next
    }
  }
  const after = { month, ...(q !== undefined && { q }) }
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'settlement', id: month }, after }))
  await sendCsv(http, { name: `${ctx.partnerId}-settlement-${month}.csv`, columns: csvColumns, pages: pages() })
}

type Sums = Omit<store.SettledDay, 'day' | 'given' | 'takenBack'> & { credits: number }

const noSums: Sums = {
  rewardsGiven: 0,
  rewardsTakenBack: 0,
  restaurantOwes: 0,
  partnerIsOwed: 0,
  platformShare: 0,
  credits: 0,
}

const addSums = (a: Sums, b: Sums): Sums => ({
  rewardsGiven: a.rewardsGiven + b.rewardsGiven,
  rewardsTakenBack: a.rewardsTakenBack + b.rewardsTakenBack,
  restaurantOwes: a.restaurantOwes + b.restaurantOwes,
  partnerIsOwed: a.partnerIsOwed + b.partnerIsOwed,
  platformShare: a.platformShare + b.platformShare,
  credits: a.credits + b.credits,
})

const toTotals = (ctx: Pick<OperatorCtx, 'program'>, sums: Sums): SettlementMonth['totals'] => ({
  rewardsGiven: formatReward(ctx.program.config, sums.rewardsGiven),
  rewardsTakenBack: formatReward(ctx.program.config, sums.rewardsTakenBack),
  owesCents: sums.restaurantOwes,
  partnerCents: sums.partnerIsOwed,
  platformCents: sums.platformShare,
  creditsCents: sums.credits,
})

/** Returns a month by day, with its totals. */
export async function getSettlementMonth(
  ctx: Omit<OperatorCtx, 'db'> & { db: Db | Tx },
  month = currentMonth(ctx),
): Promise<SettlementMonth> {
  const range = daysOf(month)
  const [settled, credits, closed] = await Promise.all([
    store.listSettledDays(ctx.db, range),
    store.getCreditsByDay(ctx.db, range),
    findClosedMonth(ctx.db, month),
  ])
  const byDay = new Map(settled.map((day) => [day.day, day]))
  const open = firstOpenDay(ctx.now())
  const days = [...new Set([...byDay.keys(), ...credits.keys()])].toSorted().map((day) => ({
    day,
    sums: { ...noSums, ...byDay.get(day), credits: credits.get(day) ?? 0 },
  }))
  return {
    month,
    settles: ctx.program.config.settlement !== undefined,
    isOver: open > range.to,
    closed: closed ? { by: closed.by, at: closed.at.toISOString() } : null,
    totals: toTotals(
      ctx,
      days.reduce((total, { sums }) => addSums(total, sums), noSums),
    ),
    days: days.map(({ day, sums }) => ({ day, isFinal: day < open, ...toTotals(ctx, sums) })),
  }
}

/** Returns the file of a day. Throws `notFound` for a day whose last entries are not stored: its file would change. */
export async function getDayFile(ctx: OperatorCtx, day: string): Promise<{ name: string; text: string }> {
  if (day >= firstOpenDay(ctx.now())) throw new ApiError('notFound')
  const text = await settlementFile(ctx, day)
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'days', id: day } }))
  return { name: `${ctx.partnerId}-${day}.csv`, text }
}

interface StatementRequest {
  merchantId: string
  month: string
}

/** Reads a statement of the operator's programs: a restaurant is in many, and operators see transactions of their own only. */
async function requireStatement(
  { operator }: OperatorCtx,
  { programs, pools }: SettlementConsoleDeps,
  request: StatementRequest,
): Promise<RestaurantStatement> {
  const own = [...programs]
    .filter(([id]) => hasPermission(operator, 'settlement.read', id))
    .map(([id, { config }]): { config: ProgramConfig; db: Db } => ({ config, db: pools.forPartner(id) }))
  const statement = await readStatement(own, request)
  if (!statement) throw new ApiError('notFound')
  return statement
}

/** Transactions that the page of a statement shows. */
const maxLines = 500

/** Returns the statement of a restaurant. Throws `notFound`. */
export async function getStatement(
  ctx: OperatorCtx,
  deps: SettlementConsoleDeps,
  { merchantId, month = currentMonth(ctx) }: { merchantId: string; month: string | undefined },
): Promise<StatementDetail> {
  const { merchant, totals, transactions } = await requireStatement(ctx, deps, { merchantId, month })
  return {
    merchantId: merchant.publicId,
    merchantName: merchant.name,
    city: merchant.city,
    state: merchant.state,
    timeZone: merchant.timeZone,
    month,
    ...totals,
    lines: transactions.slice(0, maxLines).map((line) => ({
      dinedAt: line.dinedAt.toISOString(),
      program: line.program,
      billCents: line.billCents,
      refundedCents: line.refundedCents,
      countedCents: line.countedCents,
      reward: line.rewardText,
      isFirstVisit: isFirstVisit(line),
      costCents: line.costCents,
    })),
    lineCount: transactions.length,
  }
}

/** Returns a statement as a file. Throws `notFound`. */
export async function getStatementFile(
  ctx: OperatorCtx,
  deps: SettlementConsoleDeps,
  { format, ...request }: StatementRequest & { format: 'pdf' | 'csv' },
): Promise<{ name: string; type: string; bytes: Buffer | string }> {
  const statement = await requireStatement(ctx, deps, request)
  const label = `${statement.merchant.name}, ${nameOfMonth(request.month)}`
  await inTransaction(ctx.db, (tx) =>
    ctx.record(tx, { object: { type: 'statements', id: statement.merchant.publicId, label }, after: { format } }),
  )
  const name = `${statement.merchant.publicId}-${request.month}.${format}`
  if (format === 'csv') return { name, type: 'text/csv; charset=utf-8', bytes: statementCsv(statement) }
  return { name, type: 'application/pdf', bytes: await statementPdf(statement) }
}

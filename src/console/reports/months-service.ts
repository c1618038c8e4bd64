import { inTransaction } from '../../platform/database/db.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'
import { sendCsv } from '../../platform/http/send-csv.ts'
import { decimalFromCents } from '../../platform/money.ts'
import { addMonths } from '../../platform/time.ts'
import { rewardNumber } from '../../programs/partners/rates.ts'
import type { Origin, Retention } from './contract.ts'
import * as store from './months-store.ts'
import { movePeriod, startOfPeriod } from './rules.ts'
import type { OriginFilters } from './schemas.ts'

/** Cohorts that are shown. */
const maxCohorts = 24

/** Returns the retention of the latest cohorts. */
export async function getRetention(ctx: OperatorCtx): Promise<Retention> {
  const [last] = await store.listMonths(ctx.db)
  if (last === undefined) return { cohorts: [] }
  const rows = await store.listCohorts(ctx.db, movePeriod('month', last, 1 - maxCohorts))
  const cohorts = [...new Set(rows.map(({ cohort }) => cohort))]
  return {
    cohorts: cohorts.map((cohort) => ({
      cohort,
      // A month without any of them has no row.
      members: monthsBetween(cohort, last)
        .map((month) => rows.find((row) => row.cohort === cohort && row.month === month) ?? { members: 0 })
        .map(({ members }) => members),
    })),
  }
}

/** Returns the first days of all months from one to another. */
function monthsBetween(first: string, last: string): string[] {
  const months: string[] = []
  for (let month = first; month <= last; month = `${addMonths(month.slice(0, 7), 1)}-01`) months.push(month)
  return months
}

/** Records who took a file, and sends it. */
async function sendFile(
  ctx: OperatorCtx,
  http: HttpContext,
  {
    id,
    name,
    ...file
  }: {
    id: string
    name: string
    columns: readonly string[]
    pages: AsyncGenerator<readonly (string | number)[][]>
  },
): Promise<void> {
  await inTransaction(ctx.db, (tx) => ctx.record(tx, { object: { type: 'reports', id } }))
  await sendCsv(http, { name: `${ctx.partnerId}-${name}.csv`, ...file })
}

/** Sends the same cohorts as a CSV file. */
export async function exportRetention(ctx: OperatorCtx, http: HttpContext): Promise<void> {
  const { cohorts } = await getRetention(ctx)
  async function* pages() {
    for (const { cohort, members } of cohorts)
      yield members.map((count, months) => [cohort.slice(0, 7), months, count ?? ''])
  }
  await sendFile(ctx, http, {
    id: 'retention',
    name: 'retention',
    columns: ['first dine', 'months later', 'members'],
    pages: pages(),
  })
}

const kindsOf = {
  restaurants: ['restaurant', 'others'],
  bonuses: ['bonus', 'reservation', 'operators', 'others'],
} as const satisfies Record<OriginFilters['of'], readonly store.Origin['kind'][]>

const kindNames: Readonly<Record<store.Origin['kind'], string>> = {
  restaurant: 'A restaurant that is no longer known',
  bonus: 'A bonus that is no longer offered',
  reservation: 'Reservation bonuses',
  operators: 'Credits, debits and claims',
  others: 'All others together',
}

/** Returns the finished months, the latest first. */
export const listReportMonths = (ctx: OperatorCtx): Promise<string[]> => store.listMonths(ctx.db)

/** Returns the month and the kinds of a query; null before the first finished month. */
async function filterOf(ctx: OperatorCtx, { of, month }: OriginFilters): Promise<store.OriginFilter | null> {
  const shown = month === undefined ? (await store.listMonths(ctx.db))[0] : startOfPeriod('month', month)
  return shown === undefined ? null : { month: shown, kinds: kindsOf[of] }
}

/** Returns a page of where the dines and rewards of a month come from. */
export async function listOrigins(
  ctx: OperatorCtx,
  { cursor, limit, ...filters }: OriginFilters & { cursor?: string | undefined; limit: number },
): Promise<{ items: Origin[]; next: string | null; total: { count: number; isExact: boolean } }> {
  const filter = await filterOf(ctx, filters)
  if (!filter) return { items: [], next: null, total: { count: 0, isExact: true } }
  const { rows, next, total } = await store.listOrigins(ctx.db, filter, { cursor, limit })
  return { items: rows.map((row) => toOrigin(ctx, row)), next, total }
}

function toOrigin({ program }: OperatorCtx, row: store.ListedOrigin): Origin {
  const { id, kind, origin, name, members, dines, spend, rewards } = row
  const bonus = kind === 'bonus' ? program.config.bonuses.find(({ code }) => code === origin) : undefined
  return { id, kind, name: name ?? bonus?.description ?? kindNames[kind], members, dines, spendCents: spend, rewards }
}

/** Sends the same rows as a CSV file. */
export async function exportOrigins(ctx: OperatorCtx, filters: OriginFilters, http: HttpContext): Promise<void> {
  const filter = await filterOf(ctx, filters)
  async function* pages() {
    if (!filter) return
    for await (const rows of store.readOrigins(ctx.db, filter))
      yield rows
        .map((row) => toOrigin(ctx, row))
        .map(({ name, members, dines, spendCents, rewards }) => [
          name,
          members,
          dines,
          decimalFromCents(spendCents),
          rewardNumber(ctx.program.config, rewards),
        ])
  }
  await sendFile(ctx, http, {
    id: filters.of,
    name: filter ? `${filters.of}-${filter.month.slice(0, 7)}` : filters.of,
    columns: ['name', 'members', 'dines', 'spend', 'rewards'],
    pages: pages(),
  })
}

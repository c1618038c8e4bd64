import { inTransaction } from '../../platform/database/db.ts'
import type { OperatorCtx } from '../../platform/http/operator.ts'
import type { HttpContext } from '../../platform/http/register-route.ts'
import { sendCsv } from '../../platform/http/send-csv.ts'
import { decimalFromCents } from '../../platform/money.ts'
import { rewardNumber } from '../../programs/partners/rates.ts'
import type { Report } from './contract.ts'
import { figureWords } from './figure-words.ts'
import { type Figure, figures, type Period } from './names.ts'
import { endOfPeriod, movePeriod, startOfPeriod, yearBefore } from './rules.ts'
import type { ReportQuery } from './schemas.ts'
import * as store from './store.ts'

type Row = Report['rows'][number]

/** Periods that are shown when no days are given. */
const usualCount: Readonly<Record<Period, number>> = { day: 30, week: 26, month: 13 }
/** Periods that one response has at most, and that a file reads at once. */
const maxPeriods = 400

interface Range {
  by: Period
  first: string
  last: string
}

/** Returns the first days of the first and the last period of a query; null before the first finished day. */
async function rangeOf(ctx: OperatorCtx, { by, from, to }: ReportQuery): Promise<(Range & { lastDay: string }) | null> {
  const lastDay = await store.findLastDay(ctx.db)
  if (lastDay === null) return null
  const finished = movePeriod(
    by,
    startOfPeriod(by, lastDay),
    endOfPeriod(by, startOfPeriod(by, lastDay)) > lastDay ? -1 : 0,
  )
  const last = to === undefined || startOfPeriod(by, to) > finished ? finished : startOfPeriod(by, to)
  const first = from === undefined ? movePeriod(by, last, 1 - usualCount[by]) : startOfPeriod(by, from)
  return { by, first, last, lastDay }
}

/** Returns the figures of finished periods. */
export async function getReport(ctx: OperatorCtx, query: ReportQuery): Promise<Report> {
  const range = await rangeOf(ctx, query)
  if (!range) return { by: query.by, lastDay: null, rows: [] }
  const { by, last, lastDay } = range
  const earliest = movePeriod(by, last, 1 - maxPeriods)
  const isTooLong = range.first < earliest
  const first = isTooLong ? earliest : range.first
  return { by, lastDay, rows: await listRows(ctx, { by, first, last }) }
}

async function listRows(ctx: OperatorCtx, { by, first, last }: Range): Promise<Row[]> {
  const [now, yearEarlier] = await Promise.all([
    store.listShown(ctx.db, by, movePeriod(by, first, -1), last),
    store.listShown(ctx.db, by, yearBefore(by, first), yearBefore(by, last)),
  ])
  const keyOf = (start: string, figure: Figure) => `${start} ${figure}`
  const shown = new Map([...yearEarlier, ...now].map((row) => [keyOf(row.startsOn, row.figure), row.amount]))
  const shownFor = (start: string, figure: Figure) => shown.get(keyOf(start, figure)) ?? null
  const starts = [...new Set(now.map(({ startsOn }) => startsOn))].filter((start) => start >= first)
  return starts.map((start) => ({
    from: start,
    to: endOfPeriod(by, start),
    figures: Object.fromEntries(
      figures.map((figure) => [
        figure,
        {
          now: shownFor(start, figure),
          before: shownFor(movePeriod(by, start, -1), figure),
          yearBefore: shownFor(yearBefore(by, start), figure),
        },
      ]),
    ) as Row['figures'],
  }))
}

/** Sends the figures of finished periods as a CSV file, the earliest first. */
export async function exportReport(ctx: OperatorCtx, query: ReportQuery, http: HttpContext): Promise<void> {
  const range = await rangeOf(ctx, query)
  const toText = (figure: Figure, value: number | null): string | number => {
    if (value === null) return ''
    const { kind } = figureWords[figure]
    if (kind === 'reward') return rewardNumber(ctx.program.config, value)
    return kind === 'money' ? decimalFromCents(value) : value
  }
  async function* pages() {
    if (!range) return
    const { by, last } = range
    for (let first = range.first; first <= last; first = movePeriod(by, first, maxPeriods)) {
      const end = movePeriod(by, first, maxPeriods - 1)
      const isLast = end >= last
      const rows = await listRows(ctx, { by, first, last: isLast ? last : end })
      yield rows.map((row) => [
        row.from,
        row.to,
        ...figures.flatMap((figure) => {
          const { now, before, yearBefore: earlier } = row.figures[figure]
          return [now, before, earlier].map((value) => toText(figure, value))
        }),
      ])
    }
  }
  const { by, from, to } = query
  // Before the first byte: who has the file has left an entry.
  await inTransaction(ctx.db, (tx) =>
    ctx.record(tx, {
      object: { type: 'reports', id: 'figures' },
      after: { by, ...(from && { from }), ...(to && { to }) },
    }),
  )
  await sendCsv(http, {
    name: `${ctx.partnerId}-figures-by-${by}.csv`,
    columns: [
      'from',
      'to',
      ...figures.flatMap((figure) => {
        const name = figureWords[figure].name.toLowerCase()
        return [name, `${name}, ${by} before`, `${name}, year before`]
      }),
    ],
    pages: pages(),
  })
}

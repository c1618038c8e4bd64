import { acquireAdvisoryLock, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays, dayIn, HOUR, startOfDay } from '../../platform/time.ts'
import { computeMonth } from './compute-month.ts'
import { countDiners, type DayFlow, findFirstFact, type Span, sumDay } from './facts-store.ts'
import { type Flow, flows, type Level, levels, smallestGroup } from './names.ts'
import { endOfPeriod, shownPeople, startOfPeriod } from './rules.ts'
import * as store from './store.ts'

/**
 * After its end, a day waits this long before it is computed: what was posted before midnight is committed by then. A
 * statement may take eight seconds, and a transaction that waits ends after fifteen.
 */
const settlingMs = HOUR

/** Days computed at once: the first run of an old program continues in the next hours. */
const maxDaysAtOnce = 90

/**
 * Computes the finished days of a program that are not computed yet, in its time zone, each in one transaction with the
 * week and the month that end with it.
 */
export async function computeFinishedDays(ctx: Ctx): Promise<void> {
  for (let count = 0; count < maxDaysAtOnce; count++) {
    if (!(await inTransaction(ctx.db, (tx) => computeNextDay(tx, ctx)))) return
  }
}

/** Returns false when no day is left. */
async function computeNextDay(tx: Tx, ctx: Ctx): Promise<boolean> {
  await acquireAdvisoryLock(tx, `reports:${ctx.partnerId}`)
  const { timeZone } = ctx.program.config
  const last = await store.findLastDay(tx)
  const first = last === null ? await findFirstFact(tx) : null
  if (last === null && first === null) return false
  const day = last === null ? dayIn(first as Date, timeZone) : addDays(last, 1)
  const span = spanOf(day, day, timeZone)
  if (span.until.getTime() + settlingMs > ctx.now().getTime()) return false
  await computeDay(tx, day, span, timeZone)
  for (const period of ['week', 'month'] as const) {
    const start = startOfPeriod(period, day)
    if (endOfPeriod(period, start) !== day) continue
    await computePeriod(tx, period, start, spanOf(start, day, timeZone), day)
    if (period === 'month') await computeMonth(tx, start, timeZone)
  }
  return true
}

/** Returns the span of days in a time zone. */
const spanOf = (from: string, to: string, timeZone: string): Span => ({
  from: startOfDay(from, timeZone),
  until: startOfDay(addDays(to, 1), timeZone),
})

async function computeDay(tx: Tx, day: string, span: Span, timeZone: string): Promise<void> {
  const month = startOfPeriod('month', day)
  const waiting = new Map((await store.listWaiting(tx, flows)).map((each) => [each.figure, each]))
  const since = new Map([...waiting].map(([figure, each]) => [figure, startOfDay(each.since, timeZone)]))
  const [ofDay, diners, before] = await Promise.all([
    sumDay(tx, span, since),
    countDiners(tx, span),
    store.listOfDay(tx, addDays(day, -1)),
    store.insertDiners(tx, month, span),
  ])
  const rowOf = (figure: store.FigureRow['figure'], amount: number, shown: number | null): store.FigureRow => ({
    period: 'day',
    figure,
    starts_on: day,
    amount,
    shown,
  })
  const added = ofDay.map((flow) => rowOf(flow.figure, flow.amount, shownOf(flow, waiting.get(flow.figure)?.amount)))
  const held = (Object.keys(levels) as Level[]).map((level) => {
    const { came, went } = levels[level]
    const [inflow, outflow] = [rowFor(added, came), rowFor(added, went)]
    const previous = before.find(({ figure }) => figure === level)
    const amount = (previous?.amount ?? 0) + inflow.amount - outflow.amount
    // Of flows that were shown only: two levels never differ by what is not.
    const shown = (previous?.shown ?? 0) + (inflow.shown ?? 0) - (outflow.shown ?? 0)
    return rowOf(level, amount, shown === 0 && amount !== 0 ? null : shown)
  })
  await store.insertFigures(tx, [...added, ...held, rowOf('diners', diners, shownPeople(diners))])
}

function rowFor(rows: readonly store.FigureRow[], flow: Flow): store.FigureRow {
  const row = rows.find(({ figure }) => figure === flow)
  if (!row) throw new Error(`${flow} was not computed`)
  return row
}

/** Returns what a day shows of a flow, with what earlier days have not shown; null while it is about a small group. */
function shownOf({ amount, people }: DayFlow, waiting = 0): number | null {
  const total = amount + waiting
  return people >= smallestGroup || (people === 0 && total === 0) ? total : null
}

/** Stores a finished week or month: sums of its days, the levels of its last day, and its diners. */
async function computePeriod(
  tx: Tx,
  period: 'week' | 'month',
  start: string,
  span: Span,
  lastDay: string,
): Promise<void> {
  const [sums, last, diners] = await Promise.all([
    store.sumDays(tx, start, lastDay),
    store.listOfDay(tx, lastDay),
    period === 'month' ? store.countDinersOfMonth(tx, start) : countDiners(tx, span),
  ])
  const isFlow = ({ figure }: { figure: string }) => (flows as readonly string[]).includes(figure)
  const isLevel = ({ figure }: { figure: string }) => Object.hasOwn(levels, figure)
  await store.insertFigures(
    tx,
    [
      ...sums.filter(isFlow),
      ...last.filter(isLevel),
      { figure: 'diners' as const, amount: diners, shown: shownPeople(diners) },
    ].map(({ figure, amount, shown }) => ({ period, figure, starts_on: start, amount, shown })),
  )
}

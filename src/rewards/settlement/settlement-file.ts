import { toCsvFile } from '../../platform/csv.ts'
import type { Ctx } from '../../platform/http/context.ts'
import { addDays, DAY, MINUTE } from '../../platform/time.ts'
import { getCreditsByDay, listSettledLines } from './store.ts'

const columns = [
  'day',
  'program',
  'restaurant',
  'restaurant_name',
  'kind',
  'unit',
  'given',
  'taken_back',
  'rewards',
  'restaurant_owes_cents',
  'partner_is_owed_cents',
  'platform_share_cents',
]

/**
 * Returns what a partner owes or is owed for one day (`YYYY-MM-DD`, UTC), as CSV: a line for each restaurant, one for
 * bonuses, one for operators' credits and debits, one for statement credits, and the total. Negative amounts go the other way. The
 * amounts of a past day never change, from `timeUntilFinal` on; a restaurant has its current name.
 */
export async function settlementFile(ctx: Pick<Ctx, 'db' | 'partnerId'>, day: string): Promise<string> {
  const lines = await listSettledLines(ctx.db, { from: day, to: day })
  const credits = (await getCreditsByDay(ctx.db, { from: day, to: day })).get(day) ?? 0
  const row = (cells: (string | number)[]) => [day, ctx.partnerId, ...cells]
  const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0)
  return toCsvFile([
    columns,
    ...lines.map((line) =>
      row([
        line.merchantId ?? '',
        line.merchantName ?? '',
        line.kind,
        line.unit,
        line.given,
        line.takenBack,
        line.rewards,
        line.restaurantOwes,
        line.partnerIsOwed,
        line.platformShare,
      ]),
    ),
    ...(credits === 0 ? [] : [row(['', '', 'statement-credits', 'cent', '', '', credits, 0, 0, 0])]),
    row([
      '',
      '',
      'total',
      '',
      sum(({ given }) => given),
      sum(({ takenBack }) => takenBack),
      '',
      sum(({ restaurantOwes }) => restaurantOwes),
      sum(({ partnerIsOwed }) => partnerIsOwed),
      sum(({ platformShare }) => platformShare),
    ]),
  ])
}

// An entry has the moment at which its database transaction began. These take seconds at most.
const lastEntriesMs = MINUTE

/**
 * Returns the milliseconds until the last entries of a day (`YYYY-MM-DD`, UTC) are stored: a minute after its end. 0 for
 * a day that is final, and for one that is not over: its file is preliminary.
 */
export function timeUntilFinal(day: string, now: Date): number {
  const sinceEnd = now.getTime() - (Date.parse(`${day}T00:00:00Z`) + DAY)
  return sinceEnd < 0 ? 0 : Math.max(0, lastEntriesMs - sinceEnd)
}

/** The same for the days from `first` to `last`: how long the latest of them that is over needs. */
export function timeUntilAllFinal({ first, last }: { first: string; last: string }, now: Date): number {
  const yesterday = addDays(now.toISOString().slice(0, 10), -1)
  return first <= yesterday && yesterday <= last ? timeUntilFinal(yesterday, now) : 0
}

/** Returns the first day whose entries are not all stored: today, or yesterday until a minute after midnight. */
export const firstOpenDay = (now: Date): string => new Date(now.getTime() - lastEntriesMs).toISOString().slice(0, 10)

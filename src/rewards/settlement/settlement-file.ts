import { toCsv } from '../../platform/csv.ts'
import type { Ctx } from '../../platform/http/context.ts'
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
 * rewards that no restaurant pays for, one for statement credits, and the total. Negative amounts go the other way. The
 * amounts of a past day never change; a restaurant has its current name.
 */
export async function settlementFile(ctx: Pick<Ctx, 'db' | 'partnerId'>, day: string): Promise<string> {
  const lines = await listSettledLines(ctx.db, { from: day, to: day })
  const credits = (await getCreditsByDay(ctx.db, { from: day, to: day })).get(day) ?? 0
  const row = (cells: (string | number)[]) => [day, ctx.partnerId, ...cells]
  const sum = (of: (line: (typeof lines)[number]) => number) => lines.reduce((total, line) => total + of(line), 0)
  return toCsv([
    columns,
    ...lines.map((line) =>
      row([
        line.merchantId ?? '',
        line.merchantName ?? '',
        line.merchantId === null ? 'bonuses' : 'transactions',
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

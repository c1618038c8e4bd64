import { formatCents, formatCount } from '../../platform/money.ts'
import { addMonths } from '../../platform/time.ts'
import { type Currency, formatReward } from '../../programs/partners/rates.ts'
import type { SettledDay, SettledLine } from '../../rewards/settlement/store.ts'
import { WideTable } from '../ui/console-page.tsx'
import { nameOfMonth } from './month-name.ts'

const dayName = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const nameOfDay = (day: string) => dayName.format(new Date(`${day}T00:00:00Z`))

/** Maximum number of restaurants shown in a month, those that owe the most. */
const maxRestaurants = 100

export interface MonthView {
  partnerId: string
  /** The format of the program's amounts. */
  currency: Currency
  /** `YYYY-MM` */
  month: string
  /** `YYYY-MM-DD`; UTC, like all days here. */
  today: string
  /** The first day whose file would still change. */
  openDay: string
  /** Whether the program settles money with restaurants at all. */
  settles: boolean
  days: readonly SettledDay[]
  /** By day, in cents. */
  credits: ReadonlyMap<string, number>
  lines: readonly SettledLine[]
}

/** What a program and its restaurants owe each other in a month, by day and by restaurant. */
export function MonthPage(view: MonthView) {
  const { partnerId, month, today, settles, days, credits } = view
  const moved = [...new Set([...days.map(({ day }) => day), ...credits.keys()])].toSorted()
  return (
    <>
      <p className="muted">Days are in UTC. A past day never changes, because entries are only added.</p>
      {!settles && (
        <p className="notice">
          This program does not settle money with restaurants: its configuration has no <code>settlement</code>. Rewards
          are still listed.
        </p>
      )}
      <nav aria-label="Months">
        <ol>
          <li>
            <MonthLink partnerId={partnerId} month={addMonths(month, -1)} />
          </li>
          <li aria-current="page">
            <strong>{nameOfMonth(month)}</strong>
          </li>
          {month < today.slice(0, 7) && (
            <li>
              <MonthLink partnerId={partnerId} month={addMonths(month, 1)} />
            </li>
          )}
        </ol>
      </nav>
      {moved.length === 0 ? (
        <p role="status">There were no entries in {nameOfMonth(month)}.</p>
      ) : (
        <>
          <DayTable view={view} moved={moved} />
          <RestaurantTable {...view} />
        </>
      )}
    </>
  )
}

function MonthLink({ partnerId, month }: Pick<MonthView, 'partnerId' | 'month'>) {
  return <a href={`/${partnerId}/settlement?month=${month}`}>{nameOfMonth(month)}</a>
}

const noTotals = { rewardsGiven: 0, rewardsTakenBack: 0, restaurantOwes: 0, partnerIsOwed: 0, platformShare: 0 }

function DayTable({ view, moved }: { view: MonthView; moved: readonly string[] }) {
  const { partnerId, currency, openDay, days, credits } = view
  const byDay = new Map(days.map((day) => [day.day, day]))
  const rows = moved.map((day) => ({ day, ...(byDay.get(day) ?? noTotals), credits: credits.get(day) ?? 0 }))
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  const totals = {
    rewardsGiven: sum(({ rewardsGiven }) => rewardsGiven),
    rewardsTakenBack: sum(({ rewardsTakenBack }) => rewardsTakenBack),
    restaurantOwes: sum(({ restaurantOwes }) => restaurantOwes),
    partnerIsOwed: sum(({ partnerIsOwed }) => partnerIsOwed),
    platformShare: sum(({ platformShare }) => platformShare),
  }
  return (
    <>
      <h2 id="days">Day by day</h2>
      <WideTable labelledBy="days">
        <thead>
          <tr>
            <th scope="col">Day</th>
            <NumberHeads
              names={[
                'Rewards given',
                'Rewards taken back',
                'Restaurants owe',
                'Partner is owed',
                'Platform share',
                'Statement credits',
              ]}
            />
            <th scope="col">File</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.day}>
              <th scope="row" className="day">
                {nameOfDay(row.day)}
              </th>
              <Amounts currency={currency} row={row} credits={row.credits} />
              <td>
                {row.day < openDay ? (
                  <a href={`/${partnerId}/settlement/days/${row.day}.csv`} aria-label={`File of ${nameOfDay(row.day)}`}>
                    CSV
                  </a>
                ) : (
                  <span className="state">in progress</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Month</th>
            <Amounts currency={currency} row={totals} credits={sum(({ credits }) => credits)} />
            <td />
          </tr>
        </tfoot>
      </WideTable>
    </>
  )
}

function NumberHeads({ names }: { names: readonly string[] }) {
  return names.map((name) => (
    <th key={name} scope="col" className="number">
      {name}
    </th>
  ))
}

function Amounts({ currency, row, credits }: { currency: Currency; row: typeof noTotals; credits: number }) {
  return (
    <>
      <td className="number">{formatReward(currency, row.rewardsGiven)}</td>
      <td className="number">{formatReward(currency, row.rewardsTakenBack)}</td>
      <td className="number">{formatCents(row.restaurantOwes)}</td>
      <td className="number">{formatCents(row.partnerIsOwed)}</td>
      <td className="number">{formatCents(row.platformShare)}</td>
      <td className="number">{formatCents(credits)}</td>
    </>
  )
}

function RestaurantTable({ partnerId, currency, month, lines }: MonthView) {
  const largest = lines.toSorted((a, b) => b.restaurantOwes - a.restaurantOwes).slice(0, maxRestaurants)
  const statement = (line: SettledLine, format: 'pdf' | 'csv') => (
    <a
      href={`/${partnerId}/settlement/statements/${line.merchantId}?month=${month}&format=${format}`}
      aria-label={`Statement of ${line.merchantName} as ${format.toUpperCase()}`}
    >
      {format.toUpperCase()}
    </a>
  )
  return (
    <>
      <h2 id="restaurants">Restaurant by restaurant</h2>
      <WideTable labelledBy="restaurants">
        <thead>
          <tr>
            <th scope="col">Restaurant</th>
            <NumberHeads names={['Rewards given', 'Rewards taken back', 'Owes', 'Partner is owed']} />
            <th scope="col">Statement</th>
          </tr>
        </thead>
        <tbody>
          {largest.map((line) => (
            <tr key={line.merchantId}>
              <th scope="row">{line.merchantName ?? 'No restaurant (bonuses and manual entries)'}</th>
              <td className="number">{formatReward(currency, line.rewardsGiven)}</td>
              <td className="number">{formatReward(currency, line.rewardsTakenBack)}</td>
              <td className="number">{formatCents(line.restaurantOwes)}</td>
              <td className="number">{formatCents(line.partnerIsOwed)}</td>
              <td>
                {line.merchantId !== null && (
                  <>
                    {statement(line, 'pdf')} {statement(line, 'csv')}
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
      <p className="muted">
        {lines.length > maxRestaurants &&
          `The ${maxRestaurants} that owe most of ${formatCount(lines.length)}; all of them are in the files of the days. `}
        A statement is for the restaurant: its rewarded transactions of the month in the programs that you work on and
        what they cost, without the names of members. It uses the restaurant’s local date of each transaction; this page
        uses the date (UTC) of the ledger entry.
      </p>
    </>
  )
}

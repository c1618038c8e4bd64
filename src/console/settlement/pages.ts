import { type Html, html } from '../../platform/html.ts'
import { formatCents, formatCount } from '../../platform/money.ts'
import { addMonths } from '../../platform/time.ts'
import { type Currency, formatReward } from '../../programs/partners/rates.ts'
import type { SettledDay, SettledLine } from '../../rewards/settlement/store.ts'

const dayName = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
const nameOfDay = (day: string) => dayName.format(new Date(`${day}T00:00:00Z`))
export const nameOfMonth = (month: string) => monthName.format(new Date(`${month}-01T00:00:00Z`))

/** Maximum number of restaurants shown in a month, those that owe the most. */
export const maxRestaurants = 100

export interface MonthView {
  partnerId: string
  /** The format of the program's amounts. */
  currency: Currency
  /** `YYYY-MM` */
  month: string
  /** `YYYY-MM-DD`; UTC, like all days here. */
  today: string
  /** Whether the program settles money with restaurants at all. */
  settles: boolean
  days: readonly SettledDay[]
  /** By day, in cents. */
  credits: ReadonlyMap<string, number>
  lines: readonly SettledLine[]
}

/** Renders what a program and its restaurants owe each other in a month, by day and by restaurant. */
export function monthPage(view: MonthView): Html {
  const { partnerId, month, today, settles, days, credits } = view
  const moved = [...new Set([...days.map(({ day }) => day), ...credits.keys()])].toSorted()
  const link = (to: string) =>
    html`<a class="button" href="/${partnerId}/settlement?month=${to}">${nameOfMonth(to)}</a>`
  return html`<p class="muted">Days are in UTC. A past day never changes, because entries are only added.</p>
${!settles && html`<p class="notice">This program does not settle money with restaurants: its configuration has no <code>settlement</code>. Rewards are still listed.</p>`}
<nav aria-label="Months"><ol><li>${link(addMonths(month, -1))}</li><li aria-current="page">${nameOfMonth(month)}</li>${month < today.slice(0, 7) && html`<li>${link(addMonths(month, 1))}</li>`}</ol></nav>
${moved.length === 0 ? html`<p role="status">There were no entries in ${nameOfMonth(month)}.</p>` : html`${dayTable(view, moved)}${restaurantTable(view)}`}`
}

const noTotals = { given: 0, takenBack: 0, restaurantOwes: 0, partnerIsOwed: 0, platformShare: 0 }

function dayTable({ partnerId, currency, today, days, credits }: MonthView, moved: readonly string[]): Html {
  const byDay = new Map(days.map((day) => [day.day, day]))
  const rows = moved.map((day) => ({ day, ...(byDay.get(day) ?? noTotals), credits: credits.get(day) ?? 0 }))
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0)
  return html`<h2 id="days">Day by day</h2>
<div class="wide full-width" role="region" aria-labelledby="days" tabindex="0"><table>
<thead><tr><th scope="col">Day</th><th scope="col" class="number">Given</th><th scope="col" class="number">Taken back</th><th scope="col" class="number">Restaurants owe</th><th scope="col" class="number">Partner is owed</th><th scope="col" class="number">Platform share</th><th scope="col" class="number">Statement credits</th><th scope="col">File</th></tr></thead>
<tbody>${rows.map(
    (row) => html`<tr><th scope="row" class="day">${nameOfDay(row.day)}</th>${amounts(currency, row, row.credits)}
<td>${row.day < today ? html`<a href="/${partnerId}/settlement/days/${row.day}.csv" aria-label="File of ${nameOfDay(row.day)}">CSV</a>` : html`<span class="state">in progress</span>`}</td></tr>`,
  )}</tbody>
<tfoot><tr><th scope="row">Month</th>${amounts(
    currency,
    {
      given: sum(({ given }) => given),
      takenBack: sum(({ takenBack }) => takenBack),
      restaurantOwes: sum(({ restaurantOwes }) => restaurantOwes),
      partnerIsOwed: sum(({ partnerIsOwed }) => partnerIsOwed),
      platformShare: sum(({ platformShare }) => platformShare),
    },
    sum(({ credits }) => credits),
  )}<td></td></tr></tfoot></table></div>`
}

const amounts = (currency: Currency, row: typeof noTotals, credits: number) => html`
<td class="number">${formatReward(currency, row.given)}</td><td class="number">${formatReward(currency, row.takenBack)}</td>
<td class="number">${formatCents(row.restaurantOwes)}</td><td class="number">${formatCents(row.partnerIsOwed)}</td>
<td class="number">${formatCents(row.platformShare)}</td><td class="number">${formatCents(credits)}</td>`

function restaurantTable({ partnerId, currency, month, lines }: MonthView): Html {
  const largest = lines.toSorted((a, b) => b.restaurantOwes - a.restaurantOwes).slice(0, maxRestaurants)
  const statement = (line: SettledLine, format: 'pdf' | 'csv') =>
    html`<a href="/${partnerId}/settlement/statements/${line.merchantId}?month=${month}&format=${format}" aria-label="Statement of ${line.merchantName} as ${format.toUpperCase()}">${format.toUpperCase()}</a>`
  return html`<h2 id="restaurants">Restaurant by restaurant</h2>
<div class="wide full-width" role="region" aria-labelledby="restaurants" tabindex="0"><table>
<thead><tr><th scope="col">Restaurant</th><th scope="col" class="number">Given</th><th scope="col" class="number">Taken back</th><th scope="col" class="number">Owes</th><th scope="col" class="number">Partner is owed</th><th scope="col">Statement</th></tr></thead>
<tbody>${largest.map(
    (line) => html`<tr><th scope="row">${line.merchantName ?? 'No restaurant (bonuses and manual entries)'}</th>
<td class="number">${formatReward(currency, line.given)}</td><td class="number">${formatReward(currency, line.takenBack)}</td>
<td class="number">${formatCents(line.restaurantOwes)}</td><td class="number">${formatCents(line.partnerIsOwed)}</td>
<td>${line.merchantId !== null && html`${statement(line, 'pdf')} ${statement(line, 'csv')}`}</td></tr>`,
  )}</tbody></table></div>
<p class="muted">${lines.length > maxRestaurants ? `The ${maxRestaurants} that owe most of ${formatCount(lines.length)}; all of them are in the files of the days. ` : ''}A statement is for the restaurant: its rewarded transactions of the month in the programs that you work on and what they cost, without the names of members. It uses the restaurant’s local date of each transaction; this page uses the date (UTC) of the ledger entry.</p>`
}

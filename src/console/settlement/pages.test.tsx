import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MonthPage, type MonthView } from './pages.tsx'

const day = { rewardsGiven: 0, rewardsTakenBack: 0, restaurantOwes: 0, partnerIsOwed: 0, platformShare: 0 }
const amounts = { given: 1, takenBack: 1, rewardsGiven: 0, rewardsTakenBack: 0, rewards: 0, platformShare: 0 }
const line = (name: string, restaurantOwes: number, partnerIsOwed = 0) =>
  ({ ...amounts, merchantId: name, merchantName: name, restaurantOwes, partnerIsOwed }) as never

const view: MonthView = {
  partnerId: 'beacon',
  currency: { currencyType: 'Mile', currencyName: 'miles' },
  month: '2026-02',
  today: '2026-02-05',
  openDay: '2026-02-05',
  settles: true,
  days: [],
  credits: new Map([['2026-02-01', 100]]),
  lines: [],
}

/** Returns the text of the cells of each row of a table: 0 for the days, 1 for the restaurants. */
function rowsOf(table: number, over: Partial<MonthView>): string[][] {
  const page = renderToStaticMarkup(<MonthPage {...view} {...over} />)
  const html = page.split('<table>')[table + 1]?.split('</table>')[0] ?? ''
  return html
    .split('<tr>')
    .slice(2)
    .map((row) => [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell = '']) => cell.replace(/<[^>]*>/g, '')))
}

test('each amount of a month is the sum of its column, and days with statement credits only are listed too', () => {
  const days = [
    { ...day, day: '2026-02-03', rewardsGiven: 100, rewardsTakenBack: 10, restaurantOwes: 9_00, partnerIsOwed: 5_00 },
    { ...day, day: '2026-02-01', rewardsGiven: 20, rewardsTakenBack: 3, restaurantOwes: 80, partnerIsOwed: 60 },
  ].map((each, index) => ({ ...each, platformShare: 4_00 - 3_80 * index })) as never
  const credits = new Map([
    ['2026-02-04', 7_00],
    ['2026-02-03', 25],
  ])
  expect(rowsOf(0, { days, credits })).toEqual([
    ['Feb 1, 2026', '20 miles', '3 miles', '$0.80', '$0.60', '$0.20', '$0.00', 'CSV'],
    ['Feb 3, 2026', '100 miles', '10 miles', '$9.00', '$5.00', '$4.00', '$0.25', 'CSV'],
    ['Feb 4, 2026', '0 miles', '0 miles', '$0.00', '$0.00', '$0.00', '$7.00', 'CSV'],
    ['Month', '120 miles', '13 miles', '$9.80', '$5.60', '$4.20', '$7.25', ''],
  ])
})

test('of more than a hundred restaurants those that owe most are listed', () => {
  // The one that owes most is in the middle, and what partners are owed is the other way round.
  const lines = Array.from({ length: 101 }, (_, index) =>
    line(`R${index}`, ((index + 50) % 101) * 100, (101 - ((index + 50) % 101)) * 100),
  )
  const listed = rowsOf(1, { lines })
  expect(listed).toHaveLength(100)
  expect([listed[0]?.slice(0, 1), listed[0]?.slice(3, 5), listed[99]?.[0]]).toEqual([
    ['R50'],
    ['$100.00', '$1.00'],
    'R52',
  ])
  expect(listed.map(([name]) => name)).not.toContain('R51')
})

test('the page says that restaurants are left out when there are more than a hundred', () => {
  const said = (count: number) =>
    renderToStaticMarkup(
      <MonthPage {...view} lines={Array.from({ length: count }, (_, index) => line(`R${index}`, 1))} />,
    )
      .match(/The 100 that owe most of ([\d,]+);/)
      ?.at(1)
  expect([said(100), said(101), said(1001)]).toEqual([undefined, '101', '1,001'])
})

test('a program that settles no money says so, and both tables are named by their headings', () => {
  const page = (settles: boolean) => renderToStaticMarkup(<MonthPage {...view} settles={settles} />)
  const says = (settles: boolean) => page(settles).includes('This program does not settle money with restaurants')
  expect([says(true), says(false)]).toEqual([false, true])
  const tables = page(true).matchAll(/<h2 id="(\w+)">([^<]*)<\/h2><section[^>]* aria-labelledby="\1"/g)
  expect([...tables].map(([, , heading]) => heading)).toEqual(['Day by day', 'Restaurant by restaurant'])
})

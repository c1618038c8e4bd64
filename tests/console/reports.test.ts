import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { addOperator } from '../../src/console/operators/service.ts'
import { type Figure, figures, type Period } from '../../src/console/reports/names.ts'
import { endOfPeriod, movePeriod, startOfPeriod } from '../../src/console/reports/rules.ts'
import { addDays } from '../../src/platform/time.ts'
import { asOwner } from '../support/app.ts'
import { type ConsoleSession, openConsole } from '../support/console.ts'
import { setUpTestApp } from '../support/file-setup.ts'
import { addMerchant } from '../support/rewards-harness.ts'

const app = setUpTestApp()
const password = 'sourdough 4 breakfast'
const program = '/api/programs/skyharbor/reports'
/** Far from today: the app’s own task computes no further day. */
const lastDay = '2037-11-18'
let finance: ConsoleSession

/** Returns the finished periods of about two years, the earliest first. */
function periodsOf(period: Period): string[] {
  const starts = [startOfPeriod(period, '2035-10-01')]
  for (;;) {
    const next = movePeriod(period, starts.at(-1) as string, 1)
    if (endOfPeriod(period, next) > lastDay) return starts
    starts.push(next)
  }
}
const places = new Map(
  (['day', 'week', 'month'] as const).flatMap((period) =>
    periodsOf(period).map((start, place) => [`${period} ${start}`, place] as const),
  ),
)

/** What is shown of a figure in a period: each has a value of its own. */
const shownFor = (period: Period, start: string, figure: Figure) =>
  figures.indexOf(figure) * 100_000 +
  (places.get(`${period} ${start}`) as number) +
  { day: 0, week: 20_000, month: 40_000 }[period]

beforeAll(async () => {
  const { shared } = app.database.consolePools
  for (const [name, role] of [
    ['finn', 'finance'],
    ['sam', 'support'],
  ] as const)
    await addOperator(shared, { email: `${name}@dineback.example`, name, role, partners: ['skyharbor'], password })
  finance = await openConsole(app, 'finn@dineback.example', password)
})

interface Row {
  from: string
  to: string
  figures: Record<Figure, { now: number | null; before: number | null; yearBefore: number | null }>
}

test('CON-500 a program without a finished day has no figures, and an empty file', async () => {
  const { status, body } = await finance.call('GET', `${program}/figures?by=month`)
  expect([status, body]).toEqual([200, { by: 'month', lastDay: null, rows: [] }])
  const file = await finance.get(`${program}/figures.csv?by=month`)
  expect(file.text.trim().split('\r\n')).toHaveLength(1)
})

test('CON-500 figures are listed by day, week and month beside the period before and the year before', async () => {
  const rows = (['day', 'week', 'month'] as const).flatMap((period) =>
    periodsOf(period).flatMap((start) =>
      figures.map((figure) => ({ period, figure, start, shown: shownFor(period, start, figure) })),
    ),
  )
  await asOwner(
    app,
    `insert into report_figures (partner_id, period, figure, starts_on, amount, shown)
     select 'skyharbor', period, figure, start, 1, shown from jsonb_to_recordset($1) as r (period text, figure text, start date, shown bigint)`,
    [JSON.stringify(rows)],
  )
  for (const [by, count] of [
    ['day', 30],
    ['week', 26],
    ['month', 13],
  ] as const) {
    const { body } = await finance.call('GET', `${program}/figures?by=${by}`)
    const starts = periodsOf(by)
    expect(body.lastDay).toBe(lastDay)
    expect(body.rows.map(({ from }: Row) => from)).toEqual(starts.slice(-count))
    for (const row of body.rows as Row[]) {
      expect(row.to).toBe(endOfPeriod(by, row.from))
      const place = starts.indexOf(row.from)
      const earlier = by === 'month' ? starts[place - 12] : addDays(row.from, -364)
      for (const figure of figures)
        expect(row.figures[figure]).toEqual({
          now: shownFor(by, row.from, figure),
          before: shownFor(by, starts[place - 1] as string, figure),
          yearBefore: shownFor(by, earlier as string, figure),
        })
    }
  }
})

test('CON-500 days narrow the periods, and the current one is left out', async () => {
  const startsFor = async (query: string) =>
    (await finance.call('GET', `${program}/figures?${query}`)).body.rows.map(({ from }: Row) => from)
  expect(await startsFor('by=month&from=2037-08-15&to=2037-10-02')).toEqual(['2037-08-01', '2037-09-01', '2037-10-01'])
  expect(await startsFor('by=month&from=2037-09-30&to=2037-12-31')).toEqual(['2037-09-01', '2037-10-01'])
  expect(await startsFor('by=week&from=2037-11-02&to=2037-11-18')).toEqual(['2037-11-02', '2037-11-09'])
  expect(await startsFor('by=day&from=2037-11-17&to=2037-11-30')).toEqual(['2037-11-17', '2037-11-18'])
  expect(await startsFor('by=day&from=2037-11-17&to=2037-11-01')).toEqual([])
  const all = await startsFor('by=day&from=2035-10-01')
  expect([all.length, all.at(-1)]).toEqual([400, lastDay])
  for (const wrong of ['by=year', 'from=2037-02-30', 'to=soon'])
    expect((await finance.call('GET', `${program}/figures?${wrong}`)).status).toBe(400)
})

test('CON-504 the file has the same rows, all of them, in dollars and with empty cells where nothing is shown', async () => {
  await asOwner(
    app,
    "update report_figures set shown = null where period = 'day' and figure = 'spend' and starts_on = '2037-11-17'",
  )
  const { body } = await finance.call('GET', `${program}/figures?by=day&from=2037-11-17`)
  expect((body.rows as Row[])[0]?.figures.spend.now).toBeNull()
  expect((body.rows as Row[])[1]?.figures.spend.before).toBeNull()
  const file = await finance.get(`${program}/figures.csv?by=day&from=2035-10-01`)
  expect(file.headers['content-type']).toContain('text/csv')
  const lines = parse(file.text, { bom: true, columns: true }) as Record<string, string>[]
  expect(lines.map(({ from }) => from)).toEqual(periodsOf('day'))
  const spend = shownFor('day', lastDay, 'spend')
  expect(lines.at(-1)).toMatchObject({
    to: lastDay,
    dines: String(shownFor('day', lastDay, 'dines')),
    spend: (spend / 100).toFixed(2),
    'spend, day before': '',
    'spend, year before': (shownFor('day', addDays(lastDay, -364), 'spend') / 100).toFixed(2),
  })
  expect(lines.at(-2)?.spend).toBe('')
  const [act] = await asOwner(
    app,
    "select action, object_id from console.acts where action = 'exportReport' order by id desc limit 1",
  )
  expect(act).toEqual({ action: 'exportReport', object_id: 'figures' })
})

test('CON-504 CON-506 cohorts are listed with every month since, and are a file', async () => {
  await asOwner(
    app,
    `insert into report_cohorts (partner_id, cohort, month, members, shown) values
      ('skyharbor', '2037-08-01', '2037-08-01', 57, 50), ('skyharbor', '2037-08-01', '2037-10-01', 9, null),
      ('skyharbor', '2037-10-01', '2037-10-01', 20, 20), ('gallonaire', '2037-10-01', '2037-10-01', 40, 40)`,
  )
  const { body } = await finance.call('GET', `${program}/retention`)
  // Nobody came in September.
  expect(body.cohorts).toEqual([
    { cohort: '2037-08-01', members: [50, 0, null] },
    { cohort: '2037-10-01', members: [20] },
  ])
  const { text } = await finance.get(`${program}/retention.csv`)
  expect(parse(text, { bom: true })).toEqual([
    ['first dine', 'months later', 'members'],
    ['2037-08', '0', '50'],
    ['2037-08', '1', '0'],
    ['2037-08', '2', ''],
    ['2037-10', '0', '20'],
  ])
})

test('CON-504 CON-507 CON-508 restaurants and bonuses of a month have their names, and are a file', async () => {
  const merchant = await addMerchant(app.database.pools.forPartner('skyharbor'), { name: 'Oak & Ember' })
  const bonus = app.programs.get('skyharbor')?.config.bonuses[0]
  const rows = [
    ['restaurant', merchant.id, 120, 480_000, 14_400, 40],
    ['bonus', bonus?.code, 0, 0, 5_000, 10],
    ['bonus', 'gone', 0, 0, 700, 10],
    ['others', '', 33, 9_900, 300, 20],
  ]
  for (const row of rows)
    await asOwner(
      app,
      `insert into report_origins (partner_id, month, kind, origin, dines, spend, rewards, members)
       values ('skyharbor', '2037-10-01', $1, $2, $3, $4, $5, $6)`,
      row,
    )
  const listed = async (query: string) => {
    const { body } = await finance.call('GET', `${program}/origins?${query}`)
    return (body.items as { id: number }[]).map(({ id: _id, ...row }) => row)
  }
  const months = (await finance.call('GET', `${program}/months`)).body
  expect(months.slice(0, 2)).toEqual(['2037-10-01', '2037-09-01'])
  expect(bonus?.description).not.toContain('{')
  const others = {
    kind: 'others',
    name: 'All others together',
    members: 20,
    dines: 33,
    spendCents: 9_900,
    rewards: 300,
  }
  expect(await listed('')).toEqual([
    { kind: 'restaurant', name: 'Oak & Ember', members: 40, dines: 120, spendCents: 480_000, rewards: 14_400 },
    others,
  ])
  expect(await listed('of=bonuses&month=2037-10-17')).toEqual([
    { kind: 'bonus', name: bonus?.description, members: 10, dines: 0, spendCents: 0, rewards: 5_000 },
    { kind: 'bonus', name: 'A bonus that is no longer offered', members: 10, dines: 0, spendCents: 0, rewards: 700 },
    others,
  ])
  expect(await listed('month=2037-09-01')).toEqual([])
  const first = (await finance.call('GET', `${program}/origins?limit=1`)).body
  expect(first.total).toEqual({ count: 2, isExact: true })
  const second = (await finance.call('GET', `${program}/origins?limit=1&cursor=${first.next}`)).body
  expect([second.items[0].kind, second.next]).toEqual(['others', null])
  const file = await finance.get(`${program}/origins.csv`)
  expect(file.headers['content-disposition']).toContain('skyharbor-restaurants-2037-10.csv')
  expect(parse(file.text, { bom: true })).toEqual([
    ['name', 'members', 'dines', 'spend', 'rewards'],
    ['Oak & Ember', '40', '120', '4800.00', '14400'],
    ['All others together', '20', '33', '99.00', '300'],
  ])
})

test('CON-505 figures are seen with the permission to see reports, in one’s own program only, also in the database', async () => {
  const support = await openConsole(app, 'sam@dineback.example', password)
  for (const path of ['figures', 'retention', 'origins'].flatMap((name) => [name, `${name}.csv`]).concat('months')) {
    expect((await support.call('GET', `${program}/${path}`)).status).toBe(403)
    expect((await finance.call('GET', `/api/programs/gallonaire/reports/${path}`)).status).toBe(404)
  }
  const { pools } = app.database
  const countOf = async (partner: string) =>
    (await sql<{ n: number }>`select count(*) as n from program_reports`.execute(pools.forPartner(partner))).rows[0]?.n
  expect(await countOf('skyharbor')).toBeGreaterThan(1000)
  expect(await countOf('gallonaire')).toBe(0)
})

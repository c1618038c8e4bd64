import { get } from 'node:http'
import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { anonymousActor } from '../../src/platform/http/context.ts'
import { maxPerAddress, rotateImpressionPartitions } from '../../src/programs/tracking/service.ts'
import { asOwner, joinForm, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()

const event = (over: Record<string, unknown> = {}) => ({
  eventName: 'PageView',
  url: '/search',
  channel: 'web',
  dateTime: new Date().toISOString(),
  userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/150',
  ...over,
})
const own = { 'sec-fetch-site': 'same-origin' }
const rows = (partner: string) =>
  app.database.pools.forPartner(partner).selectFrom('impressions').selectAll().orderBy('id').execute()

test('API-021 TRACK-005 TRACK-007 TRACK-011 a batch of events gets 202 and is stored', async () => {
  const visitor = visit(app, 'lantern')
  const events = [event(), event({ eventName: 'CarouselImpression', merchantId: 'hoshi' })]
  const response = await visitor.send('POST', '/api/Impressions', events, { ...own, 'x-partner-code': 'lantern' })
  expect([response.status, response.json()]).toEqual([202, { accepted: 2 }])
  await app.impressions.flush()
  expect(await rows('lantern')).toMatchObject([
    { event_name: 'PageView', merchant_id: null, member_id: null, url: '/search' },
    { event_name: 'CarouselImpression', merchant_id: 'hoshi' },
  ])
})

test('API-021 an array without an event is rejected', async () => {
  const visitor = visit(app, 'beacon')
  const bad = [
    [],
    {},
    [event({ eventName: 'Spell' })],
    [event({ url: 'x'.repeat(301) })],
    [event({ dateTime: 'yesterday' })],
    [event({ dateTime: '0001-01-01T00:00:00Z' })],
    [event({ url: 'a\0b' })],
    [event({ url: 'a\ud800b' })],
    Array.from({ length: 51 }, () => event()),
  ]
  for (const body of bad) expect((await visitor.send('POST', '/api/Impressions', body, own)).status).toBe(400)
  await app.impressions.flush()
  expect(await rows('beacon')).toEqual([])
})

test('an invalid event in a request, or in a batch of writes, does not affect the others', async () => {
  const visitor = visit(app, 'gallonaire')
  const wrong = [
    { url: 'a\0b' },
    { merchantId: '\udc00' },
    { dateTime: '0000-01-01T00:00:00Z' },
    { extra: 1 },
    { url: 7 },
  ]
  const events = [...wrong.map((over) => event(over)), 'no event', null]
  const sent = await visitor.send('POST', '/api/Impressions', [event(), ...events, event()], own)
  expect([sent.status, sent.json()]).toEqual([202, { accepted: 2 }])
  await app.impressions.flush()
  expect(await rows('gallonaire')).toHaveLength(2)
  // Data that passed validation and that only the database rejects.
  const ctx = {
    partnerId: 'gallonaire',
    db: app.database.pools.forPartner('gallonaire'),
    actor: anonymousActor,
    address: '::1',
  }
  const batch = [event(), event({ url: 'x'.repeat(301) }), event(), event({ dateTime: '0000-00-00' }), event()]
  expect(app.impressions.add(ctx, batch as never)).toBe(5)
  await app.impressions.flush()
  expect(await rows('gallonaire')).toHaveLength(5)
})

test('only pages of the program itself can send events', async () => {
  const visitor = visit(app, 'beacon')
  const send = (headers: Record<string, string>) => visitor.send('POST', '/api/Impressions', [event()], headers)
  expect((await send({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send({ 'sec-fetch-site': 'same-site' })).status).toBe(403)
  expect((await send({ origin: 'http://evil.example' })).status).toBe(403)
  expect((await visitor.send('POST', '/api/Impressions', 'x', { ...own, 'content-type': 'text/plain' })).status).toBe(
    415,
  )
})

test('visitors with a privacy signal are not recorded', async () => {
  const visitor = visit(app, 'orchard')
  for (const sign of ['sec-gpc', 'dnt']) {
    expect((await visitor.send('POST', '/api/Impressions', [event()], { ...own, [sign]: '1' })).json()).toEqual({
      accepted: 0,
    })
  }
  const bot = await visitor.send('POST', '/api/Impressions', [event({ userAgent: 'Googlebot/2.1' })], own)
  expect(bot.json()).toEqual({ accepted: 0 })
  await app.impressions.flush()
  expect(await rows('orchard')).toEqual([])
})

test('Case 63 a flood leaves a bounded number of rows, and a forged member is ignored', async () => {
  const flooder = visit(app, 'skyharbor')
  const victim = visit(app, 'skyharbor')
  const { publicId } = (
    await victim.change('POST', '/api/Members/Prospects', joinForm({ partnerNumber: 'AB12345' }))
  ).json()
  let accepted = 0
  // Without the limit every one of them would be a row: 100 × 50.
  const flood = Array.from({ length: 100 }, () =>
    flooder.send(
      'POST',
      '/api/Impressions',
      Array.from({ length: 50 }, () => event({ memberId: publicId })),
      own,
    ),
  )
  for (const response of await Promise.all(flood)) {
    expect([202, 429]).toContain(response.status)
    if (response.status === 202) accepted += response.json().accepted
  }
  expect(accepted).toBe(maxPerAddress)
  await app.impressions.flush()
  while ((await rows('skyharbor')).length < accepted) await app.impressions.flush()
  const stored = await rows('skyharbor')
  expect(stored).toHaveLength(maxPerAddress)
  expect(stored.every(({ member_id }) => member_id === null)).toBe(true)
  // Counterpart: the same events from the member's own session do name the member.
  await victim.send('POST', '/api/Impressions', [event({ memberId: 'someone else' })], own)
  await app.impressions.flush()
  const named = (await rows('skyharbor')).filter(({ member_id }) => member_id !== null)
  expect(named).toHaveLength(1)
})

test('Case 46 a visitor who sends every cookie that an address can set is still served', async () => {
  const { marketingCookies } = await import('../../src/programs/tracking/rules.ts')
  const names = ['utm_term', 'utm_medium', 'utm_campaign', 'utm_source', 'utm_content', 'referrer', 'source']
  const bomb = new URLSearchParams(names.map((name) => [name, '\u{1F363}'.repeat(5_000)]))
  const cookie = marketingCookies(bomb)
    .map((line) => line.split(';')[0])
    .join('; ')
  expect(await statusWith(cookie)).toBe(200)
  // Counterpart: the unshortened values of the address lock the visitor out.
  const naive = names.map((name) => `${name}=${encodeURIComponent('\u{1F363}'.repeat(500))}`).join('; ')
  expect(await statusWith(naive)).toBe(431)
})

/** Returns the response status of a request over the wire with this cookie header. */
function statusWith(cookie: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { host: `skyharbor.localhost:${app.port}`, cookie }
    get({ host: '127.0.0.1', port: app.port, path: '/api/PartnerConfig', headers }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).on('error', reject)
  })
}

test('monthly partitions are created ahead and dropped after retention', async () => {
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  try {
    // In one transaction, because the app's own task of every ten minutes would find the partition otherwise.
    await owner.query('begin')
    await owner.query(
      "create table impressions_2020_01 partition of impressions for values from ('2020-01-01') to ('2020-02-01')",
    )
    const { rows } = await owner.query('select rotate_impression_partitions(13) as dropped')
    expect(rows).toEqual([{ dropped: 1 }])
    await owner.query('commit')
  } finally {
    await owner.end()
  }
  expect(await rotateImpressionPartitions(app.database.pools.shared, 13)).toBe(0)
  const parts = await asOwner<{ part: string }>(
    app,
    "select inhrelid::regclass::text as part from pg_inherits where inhparent = 'impressions'::regclass",
  )
  expect(parts).toHaveLength(3)
  expect(parts.map(({ part }) => part)).not.toContain('impressions_2020_01')
  await expect(sql`drop table impressions`.execute(app.database.pools.shared)).rejects.toThrow(/owner/)
})

test('monthly partitions begin and end with the months of UTC, or where one of another time zone ends', async () => {
  const owner = new pg.Client({ connectionString: app.database.ownerUrl })
  await owner.connect()
  const bounds = async () => {
    const { rows } = await owner.query<{ bound: string }>(
      `select pg_get_expr(c.relpartbound, c.oid) as bound from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = 'impressions'::regclass order by c.relname`,
    )
    return rows.map(({ bound }) => bound.match(/\d{4}-\d{2}-\d{2} \d{2}/g))
  }
  const month = (add: number) => {
    const now = new Date()
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + add))
  }
  const hourOf = (at: Date) => at.toISOString().slice(0, 13).replace('T', ' ')
  const later = (at: Date, hours: number) => hourOf(new Date(at.getTime() + hours * 3_600_000))
  const utc = [0, 1, 2].map((add) => [hourOf(month(add)), hourOf(month(add + 1))])
  try {
    await owner.query("begin; set timezone to 'UTC'")
    expect(await bounds()).toEqual(utc)
    for (const hours of [-13, 5]) {
      await owner.query('savepoint before')
      const names = [1, 2].map((add) => `impressions_${month(add).toISOString().slice(0, 7).replace('-', '_')}`)
      await owner.query(`drop table ${names.join(', ')}`)
      await owner.query(
        `create table ${names[0]} partition of impressions
         for values from ('${hourOf(month(1))}:00+00') to ('${later(month(2), hours)}:00+00')`,
      )
      await owner.query("set timezone to 'America/New_York'")
      await owner.query('select rotate_impression_partitions(13)')
      await owner.query("set timezone to 'UTC'")
      const end = later(month(2), hours)
      expect(await bounds()).toEqual([utc[0], [hourOf(month(1)), end], [end, hourOf(month(3))]])
      await owner.query('rollback to before')
    }
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
})

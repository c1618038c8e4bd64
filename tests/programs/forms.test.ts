import { randomUUID } from 'node:crypto'
import pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { csvLines } from '../../forms/csv.ts'
import { messages } from '../../forms/messages.ts'
import { createForms } from '../../forms/server.ts'
import { createStore, type FormsStore, maxResponsesPerDay } from '../../forms/store.ts'
import { toCsvRows } from '../../src/platform/csv.ts'
import { loadPrograms } from '../../src/programs/partners/load-programs.ts'
import { asOwner } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const programs = loadPrograms('programs')
const appOrigin = 'http://skyharbor.localhost:3000'
const app = setUpTestApp()
let forms: Awaited<ReturnType<typeof createForms>>
let store: FormsStore

beforeAll(async () => {
  const owners = new Map(
    [...programs.values()].map((program) => [
      program.config.formServiceCode ?? '',
      { appOrigin, forms: program.forms },
    ]),
  )
  forms = await createForms({
    databaseUrl: app.database.formsUrl,
    owners,
    scheme: 'http',
    logger: pino({ level: 'silent' }),
  })
  store = createStore(app.database.formsUrl, () => {})
})
afterAll(async () => {
  await forms?.close()
  await store?.close()
})

let visitors = 0
async function send(code: string, id: string, fields: Record<string, string | string[]>, query = '', headers = {}) {
  const body = new URLSearchParams(
    Object.entries(fields).flatMap(([name, values]) => [values].flat().map((value) => [name, value])),
  )
  return forms.inject({
    method: 'POST',
    url: `/forms/${code}/${id}/responses${query}`,
    remoteAddress: `127.0.2.${++visitors}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: body.toString(),
  })
}
const formFields = (over = {}) => ({
  response_id: randomUUID(),
  'q.ease': '4',
  utm_campaign: 'sky-booking',
  utm_medium: 'web',
  utm_source: '/search',
  public_id: '',
  partner_code: 'skyharbor',
  ...over,
})
const listResponses = async (code: string, id: string) => Array.fromAsync(store.read(code, id))

test('SURV-009 every survey of every program has its form at the form service', async () => {
  for (const { config, content } of programs.values()) {
    for (const { fields } of content.surveys ?? []) {
      const page = await forms.inject(`/forms/${config.formServiceCode}/${fields.id}?utm_source=%2Fsearch`)
      expect([fields.id, page.statusCode]).toEqual([fields.id, 200])
      expect(page.payload).toContain('name="utm_source" value="/search"')
      expect(page.headers['content-security-policy']).toContain(`frame-ancestors ${appOrigin}`)
    }
  }
  expect((await forms.inject('/forms/skyharbor/bea-clarity')).statusCode).toBe(404)
  // The page that embeds a form gives it its colors and its font, also where there is no such form.
  for (const id of ['sky-booking', 'unknown']) {
    const { payload } = await forms.inject(`/forms/skyharbor/${id}?view=frame&primary=12ab34&font=barlow`)
    expect([id, payload.includes('--primary:#12ab34'), payload.includes('url(/fonts/barlow-')]).toEqual([
      id,
      true,
      true,
    ])
  }
})

test('a program without reviews has no review form and stores none', async () => {
  const fields = new URLSearchParams({
    date: '2026-03-10',
    transactionId: 't',
    familyId: 'f',
    merchantName: 'Corner Bistro',
    settleType: 'settle',
    response_id: randomUUID(),
    'q.rating': '4',
  })
  for (const code of ['skyharbor', 'unknown']) {
    expect((await forms.inject(`/reviews/${code}?${fields}`)).statusCode).toBe(404)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/reviews/${code}/responses`
    const sent = await forms.inject({ method: 'POST', url, headers, payload: fields.toString() })
    expect([code, sent.statusCode]).toEqual([code, 404])
  }
  expect(await listResponses('skyharbor', 'review')).toEqual([])
})

test('SURV-010 responses are stored once, and a form outside a frame leads to the success page', async () => {
  const fields = formFields({ 'q.missing': 'More windows, please' })
  const first = await send('skyharbor', 'sky-booking', fields)
  expect([first.statusCode, first.headers.location]).toEqual([303, `${appOrigin}/surveys/success`])
  await Promise.all([1, 2, 3].map(() => send('skyharbor', 'sky-booking', fields)))
  expect(await listResponses('skyharbor', 'sky-booking')).toMatchObject([
    {
      fieldValues: { ease: '4', missing: 'More windows, please' },
      tracking: { utm_source: '/search', partner_code: 'skyharbor' },
    },
  ])
})

test('in a frame the form shows its thanks and notifies the embedding page and no other', async () => {
  const page = await send(
    'orchard',
    'orc-stay',
    { response_id: randomUUID(), 'q.how': ['The map', 'A friend'], 'q.evening': '5' },
    '?view=frame',
  )
  expect(page.payload).toContain(`parent.postMessage({"type":"survey-submitted","id":"orc-stay"}, "${appOrigin}")`)
  expect(await listResponses('orchard', 'orc-stay')).toMatchObject([
    { fieldValues: { how: ['The map', 'A friend'], evening: '5' } },
  ])
})

test('invalid responses are rejected with the form and the entered values', async () => {
  const wrong: Record<string, string | string[]>[] = [
    { 'q.ease': '' },
    { 'q.ease': '6' },
    { 'q.ease': ['1', '2'] },
    { 'q.missing': 'x'.repeat(1_001) },
    { 'q.missing': ['one', 'two'] },
    { response_id: 'not a uuid' },
    { utm_source: 'x'.repeat(201) },
  ]
  const before = (await listResponses('skyharbor', 'sky-booking')).length
  for (const fields of wrong)
    expect([fields, (await send('skyharbor', 'sky-booking', formFields(fields))).statusCode]).toEqual([fields, 400])
  const again = await send('skyharbor', 'sky-booking', formFields({ 'q.ease': '', 'q.missing': '<b>"typed"</b>' }))
  expect(again.payload).toContain('&lt;b&gt;&quot;typed&quot;&lt;/b&gt;')
  expect(again.payload).toContain('Please answer this question.')
  // Only a question is marked in the one case; in the other the form itself could not be processed.
  const failed = await send('skyharbor', 'sky-booking', formFields({ response_id: 'not a uuid' }))
  expect([again, failed].map(({ payload }) => payload.includes(messages.failed))).toEqual([false, true])
  // The next submission stays in its frame, under the same id and with the same tracking parameters.
  const submitted = formFields({ 'q.ease': '', utm_campaign: 'autumn' })
  const framed = await send('skyharbor', 'sky-booking', submitted, '?view=frame&utm_campaign=spring')
  for (const part of [
    'action="/forms/skyharbor/sky-booking/responses?view=frame&amp;utm_campaign=spring"',
    `name="response_id" value="${submitted.response_id}"`,
    'name="utm_campaign" value="autumn"',
  ])
    expect(framed.payload).toContain(part)
  for (const site of ['cross-site', 'same-site', 'none'])
    expect([
      site,
      (await send('skyharbor', 'sky-booking', formFields(), '', { 'sec-fetch-site': site })).statusCode,
    ]).toEqual([site, 403])
  expect(
    (await send('skyharbor', 'sky-booking', formFields(), '', { 'content-type': 'application/json' })).statusCode,
  ).toBe(415)
  expect(await listResponses('skyharbor', 'sky-booking')).toHaveLength(before)
})

test('SURV-011 when responses cannot be stored, a form outside a frame leads to the error page, and in a frame they stay', async () => {
  const reviews = { callbackUrl: `${appOrigin}/api/reviews/callback`, key: 'x'.repeat(44) }
  const away = await createForms({
    databaseUrl: 'postgres://unknown@127.0.0.1:1/none',
    owners: new Map([['skyharbor', { appOrigin, forms: programs.get('skyharbor')?.forms ?? new Map(), reviews }]]),
    scheme: 'http',
    logger: pino({ level: 'silent' }),
  })
  const post = (query: string) =>
    away.inject({
      method: 'POST',
      url: `/forms/skyharbor/sky-booking/responses${query}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(formFields({ 'q.missing': 'still here' })).toString(),
    })
  expect((await post('')).headers.location).toBe(`${appOrigin}/surveys/error`)
  const framed = await post('?view=frame')
  expect(framed.statusCode).toBe(503)
  const notice = messages.failed.slice(0, 40)
  expect([framed.payload.includes('still here'), framed.payload.includes(notice)]).toEqual([true, true])
  expect(framed.headers['cache-control']).toBe('no-store')
  const review = await away.inject({
    method: 'POST',
    url: '/reviews/skyharbor/responses',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({
      date: '2026-03-10',
      transactionId: 't',
      familyId: 'f',
      merchantName: 'Corner Bistro',
      settleType: 'settle',
      'q.rating': '4',
      'q.comment': 'Fine noodles',
    }).toString(),
  })
  const shown = ['Fine noodles', notice].map((text) => review.payload.includes(text))
  expect([review.statusCode, ...shown]).toEqual([503, true, true])
  // A review without a rating is shown again for the same meal, and its next submission is the same response.
  const id = randomUUID()
  const meal = {
    date: '2026-03-10',
    transactionId: 't-7',
    familyId: 'f-8',
    merchantName: 'Bistro',
    settleType: 'manual',
  }
  const unrated = await away.inject({
    method: 'POST',
    url: '/reviews/skyharbor/responses',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ ...meal, response_id: id, 'q.rating': '', 'q.comment': 'Fine noodles' }).toString(),
  })
  expect([unrated.statusCode, unrated.payload.includes('Fine noodles')]).toEqual([400, true])
  for (const [name, value] of Object.entries({ ...meal, response_id: id }))
    expect(unrated.payload).toContain(`name="${name}" value="${value}"`)
  // The day of the meal is the one in the address, wherever the server is.
  vi.stubEnv('TZ', 'America/Los_Angeles')
  const visit = { date: '2026-03-10', transactionId: 't', familyId: 'f', merchantName: 'Bistro', settleType: 'settle' }
  expect((await away.inject(`/reviews/skyharbor?${new URLSearchParams(visit)}`)).payload).toContain('March 10, 2026')
  await away.close()
})

test('an address, also one behind the trusted proxy, submits at most twenty surveys and twenty reviews a minute', async () => {
  const reviews = { callbackUrl: `${appOrigin}/api/reviews/callback`, key: 'x'.repeat(44) }
  // Nothing is stored: each of the forms lacks its required fields.
  const limited = await createForms({
    databaseUrl: 'postgres://unknown@127.0.0.1:1/none',
    owners: new Map([['skyharbor', { appOrigin, forms: programs.get('skyharbor')?.forms ?? new Map(), reviews }]]),
    scheme: 'http',
    trustedProxy: '127.0.0.1',
    logger: pino({ level: 'silent' }),
  })
  const fields = { date: '2026-03-10', transactionId: 't', familyId: 'f', merchantName: 'Bistro', settleType: 'settle' }
  for (const url of ['/forms/skyharbor/sky-booking/responses', '/reviews/skyharbor/responses']) {
    const post = (remoteAddress: string, headers: Record<string, string> = {}) =>
      limited.inject({
        method: 'POST',
        url,
        remoteAddress,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        payload: new URLSearchParams({ response_id: randomUUID(), ...fields }).toString(),
      })
    const byProxy = (address: string) => post('127.0.0.1', { 'x-forwarded-for': address })
    for (const [from, network] of [
      [post, '127.0.3'],
      [byProxy, '198.51.100'],
    ] as const) {
      for (let time = 0; time < 20; time++) expect((await from(`${network}.1`)).statusCode).toBe(400)
      const rejected = await from(`${network}.1`)
      expect([url, rejected.statusCode, rejected.payload.includes(messages.tooMany)]).toEqual([url, 429, true])
      expect((await from(`${network}.2`)).statusCode).toBe(400)
    }
  }
  await limited.close()
})

test('the form service and the app cannot read each other’s tables', async () => {
  const client = new pg.Client({ connectionString: app.database.formsUrl })
  await client.connect()
  for (const table of ['members', 'cards', 'content_versions', 'vault.cards']) {
    await expect(client.query(`select * from ${table}`)).rejects.toThrow(/permission denied/)
  }
  await expect(client.query('delete from forms.responses')).rejects.toThrow(/permission denied/)
  await client.end()
  const own = new pg.Client({ connectionString: app.database.pools.url })
  await own.connect()
  await expect(own.query('select * from forms.responses')).rejects.toThrow(/permission denied/)
  await own.end()
})

test('the export has a column for every question and no cell that a spreadsheet would run', async () => {
  const form = programs.get('gallonaire')?.forms.get('gal-pump')
  if (!form) throw new Error('no form')
  for (const [index, where] of ['=HYPERLINK("http://evil")', '+1', '-1', '@x', 'Plain, "quoted"\nline'].entries()) {
    await send('gallonaire', 'gal-pump', {
      response_id: randomUUID(),
      'q.arrived': 'No',
      'q.where': where,
      'q.again': '5',
      utm_campaign: String(index),
    })
  }
  const lines = await Array.fromAsync(csvLines(form, store.read('gallonaire', 'gal-pump')))
  expect(lines[0]).toBe(
    '\ufeffreceived_at,response_id,Did the savings show up at the pump?,Which station?,How likely are you to eat out again for the savings?,utm_campaign,utm_medium,utm_source,public_id,partner_code\r\n',
  )
  expect(lines[1]).toContain(`,No,"'=HYPERLINK(""http://evil"")",5,0,`)
  expect(lines[5]).toContain('"Plain, ""quoted""\nline"')
  expect(['=1', '+1', '-1', '@1', '\t1'].map((text) => toCsvRows([[text]])).every((text) => /^"?'/.test(text))).toBe(
    true,
  )
  const later = await Array.fromAsync(store.read('gallonaire', 'gal-pump', { from: new Date(Date.now() + 60_000) }))
  expect(later).toEqual([])
  const earlier = await Array.fromAsync(store.read('gallonaire', 'gal-pump', { to: new Date(Date.now() - 60_000) }))
  expect(earlier).toEqual([])
  // A span includes its start and not its end.
  await asOwner(
    app,
    `update forms.responses r set received_at = date_trunc('day', received_at) + one.place * interval '1 second'
     from (select id, row_number() over (order by received_at) as place from forms.responses) one
     where one.id = r.id and r.form_id = 'gal-pump'`,
  )
  const all = await listResponses('gallonaire', 'gal-pump')
  const [from, to] = [all[1]?.receivedAt, all[3]?.receivedAt]
  const span = await Array.fromAsync(store.read('gallonaire', 'gal-pump', { ...(from && { from }), ...(to && { to }) }))
  expect(span.map(({ id }) => id)).toEqual(all.slice(1, 3).map(({ id }) => id))
  // Another program may have a form of this name.
  const others = { id: randomUUID(), formId: 'gal-pump', fieldValues: {}, tracking: {} }
  await store.add('skyharbor', others)
  expect((await listResponses('skyharbor', 'gal-pump')).map(({ id }) => id)).toEqual([others.id])
  expect((await listResponses('gallonaire', 'gal-pump')).map(({ id }) => id)).not.toContain(others.id)
})

test('a response is stored once, and delivered alone', async () => {
  const [first, second, unwanted] = [randomUUID(), randomUUID(), randomUUID()]
  const add = (id: string) => store.add('unknown', { id, formId: 'ease', fieldValues: {}, tracking: {} })
  for (const id of [first, first, second, unwanted]) await add(id)
  // Not when they are added: a job of the app would deliver them meanwhile.
  await asOwner(app, "update forms.responses set notify_until = now() + interval '1 day' where id = any($1)", [
    [first, second],
  ])
  expect(await listResponses('unknown', 'ease')).toHaveLength(3)
  await store.recordDelivery(first)
  const undelivered = await Promise.all([first, second, unwanted].map((id) => store.findUndelivered(id)))
  expect(undelivered.map((response) => response?.id)).toEqual([undefined, second, undefined])
})

test('an export has every response, also those of one moment, from its first moment until before its last', async () => {
  await store.query(
    `insert into forms.responses (id, service_code, form_id, field_values, tracking, received_at)
     select gen_random_uuid(), 'unknown', 'many', '{}', '{}', '2026-03-10T12:00:00Z' from generate_series(1, 1001)`,
  )
  const ids = (await listResponses('unknown', 'many')).map(({ id }) => id)
  expect([ids.length, new Set(ids).size]).toEqual([1001, 1001])
  const count = async (from: string, to: string) =>
    (await Array.fromAsync(store.read('unknown', 'many', { from: new Date(from), to: new Date(to) }))).length
  const [before, at, after] = ['2026-03-10T11:59:59.999Z', '2026-03-10T12:00:00Z', '2026-03-10T12:00:00.001Z']
  expect([await count(at, after), await count(before, at), await count(after, '2027-01-01')]).toEqual([1001, 0, 0])
})

test('an export has every response once, also where microseconds are between them', async () => {
  await store.query(
    `insert into forms.responses (id, service_code, form_id, field_values, tracking, received_at)
     select gen_random_uuid(), 'unknown', 'exact', '{}', '{}',
       '2026-03-10T12:00:00.000100Z'::timestamptz + n * interval '10 microseconds' from generate_series(1, 501) n`,
  )
  const responses = await listResponses('unknown', 'exact')
  expect([responses.length, new Set(responses.map(({ id }) => id)).size]).toEqual([501, 501])
  expect(Object.keys(responses[0] ?? {})).not.toContain('at')
})

test('Case 99 a form takes twenty thousand responses a day, and a visitor beyond that is told to try again', async () => {
  expect(maxResponsesPerDay).toBe(20_000)
  const add = (id = randomUUID()) => store.add('limits', { id, formId: 'full', fieldValues: {}, tracking: {} })
  await asOwner(
    app,
    `insert into forms.responses (id, service_code, form_id, field_values)
     select gen_random_uuid(), 'limits', 'full', '{}' from generate_series(1, 19999)`,
  )
  const last = randomUUID()
  await add(last)
  await expect(add()).rejects.toThrow('the form full has had its responses of a day')
  // The same response again is not a further one, and other forms are not affected.
  await add(last)
  await store.add('limits', { id: randomUUID(), formId: 'other', fieldValues: {}, tracking: {} })
  await asOwner(app, `update forms.responses set received_at = now() - interval '25 hours' where id = $1`, [last])
  await add()
  await asOwner(app, `delete from forms.responses where service_code = 'limits'`)
})

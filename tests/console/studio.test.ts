import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as pages from '../../src/app/web/entry.pages.tsx'
import { addOperator } from '../../src/console/operators/service.ts'
import { studioRoutes } from '../../src/console/studio/routes.ts'
import { unescapeHtml } from '../../src/platform/html.ts'
import { acceptOnlyForms } from '../../src/platform/http/form-body.ts'
import { DAY } from '../../src/platform/time.ts'
import { readEntry } from '../../src/programs/content/service.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { openConsole } from '../support/console.ts'
import { brokenReferencesOf } from '../support/page-references.ts'

let app: TestApp
let session: Awaited<ReturnType<typeof openConsole>>
const editor = { email: 'eve@dineback.example', name: 'Eve', password: 'sourdough 4 breakfast' }
const colleague = { ...editor, email: 'max@dineback.example', name: 'Max' }

beforeAll(async () => {
  app = await startTestApp()
  for (const operator of [editor, colleague])
    await addOperator(app.database.consolePools.shared, {
      ...operator,
      role: 'editor',
      partners: ['skyharbor', 'orchard'],
    })
  session = await openConsole(app, editor.email, editor.password)
})
afterAll(() => app?.stop())

const path = (slug: string, collection = 'earn_details', partner = 'skyharbor') => `/${partner}/${collection}/${slug}`
const page = (text: string) => ({
  url: '/earn/page',
  'main_column.#': '1',
  'main_column.0.type': 'title',
  'main_column.0.text': text,
})
const save = (slug: string, basedOn: number, fields: Record<string, string>) =>
  session.post(path(slug), { basedOn: String(basedOn), ...fields })
const release = (slug: string, act: string, fields: Record<string, string | number> = {}) =>
  session.post(`${path(slug)}/release`, {
    act,
    ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])),
  })
const read = (slug: string) =>
  readEntry(
    { partnerId: 'skyharbor', db: app.database.pools.forPartner('skyharbor') },
    { collection: 'earn_details', slug },
  )

test('a draft is saved on the version that it began with; one that is invalid or late keeps what was typed', async () => {
  expect((await session.get('/skyharbor/earn_details/new?slug=own-page')).location).toBe(path('own-page'))
  for (const slug of ['', 'Own', '-a', 'a'.repeat(81)])
    expect([slug, (await session.get(`/skyharbor/earn_details/new?slug=${slug}`)).status]).toEqual([slug, 404])
  expect((await session.get('/skyharbor/unknown/own-page')).status).toBe(404)
  expect((await session.post('/skyharbor/unknown/own-page', { basedOn: '0' })).status).toBe(404)
  const first = await save('own-page', 0, page('First text'))
  expect([first.status, first.location]).toEqual([303, `${path('own-page')}?done=saved`])
  expect(await read('own-page')).toMatchObject({ newest: { version: 1, savedBy: editor.email }, live: null })
  const same = await save('own-page', 1, page('First text'))
  expect(same.location).toBe(`${path('own-page')}?done=unchanged`)
  const late = await save('own-page', 0, page('Late text'))
  // The page warns before typed text is left that was not saved.
  const isSaved = (text: string) => /data-saved="(\w+)"/.exec(text)?.[1]
  expect([late.status, late.text.includes('Late text'), isSaved(late.text)]).toEqual([409, true, 'false'])
  const invalid = await save('own-page', 1, { ...page('Typed text'), url: 'javascript:alert(1)' })
  expect([invalid.status, invalid.text.includes('Typed text'), isSaved(invalid.text)]).toEqual([400, true, 'false'])
  expect((await read('own-page')).versions).toHaveLength(1)
  // A button of a list changes the form only.
  const longer = await save('own-page', 1, { ...page('Listed text'), act: 'add:main_column:title' })
  expect([longer.status, longer.text.includes('main_column.1.text'), isSaved(longer.text)]).toEqual([
    200,
    true,
    'false',
  ])
  expect(isSaved((await session.get(path('own-page'))).text)).toBe('true')
  expect((await read('own-page')).versions).toHaveLength(1)
})

test('line breaks are stored as one character, however the browser sends them', async () => {
  const lines = (lineBreak: string) => ({ ...page(`Two${lineBreak}lines`), 'main_column.0.type': 'text' })
  expect((await save('lines', 0, lines('\r\n'))).location).toBe(`${path('lines')}?done=saved`)
  for (const lineBreak of ['\r\n', '\n'])
    expect((await save('lines', 1, lines(lineBreak))).location).toBe(`${path('lines')}?done=unchanged`)
})

test('a preview opens the edited page of the program with its draft', async () => {
  const preview = await save('previewed', 0, { ...page('Preview text'), act: 'preview' })
  const to = new URL(preview.location)
  expect([to.origin, to.pathname, to.searchParams.get('to')]).toEqual([
    app.origin('skyharbor'),
    '/preview',
    '/earn/page',
  ])
  // An entry that is a part of other pages is previewed on the home page.
  for (const [collection, page] of [
    ['discover', '/discover'],
    ['home', '/'],
  ] as const) {
    const { location } = await session.post(path('previewed', collection), { basedOn: '0', act: 'preview' })
    expect([collection, new URL(location).searchParams.get('to')]).toEqual([collection, page])
  }
  const visitor = visit(app, 'skyharbor')
  await visitor.get(to.pathname + to.search)
  const { data } = (await visitor.get('/api/cms/pages/earn_details/?page_size=100&preview=1')).json()
  expect(data.map(({ slug }: { slug: string }) => slug)).toContain('previewed')
})

test('a version is published, scheduled, withdrawn, restored and removed, and the list says what happened', async () => {
  await save('released', 0, page('One'))
  const done = (name: string) => `${path('released')}?done=${name}`
  expect((await release('released', 'publish', { version: 1 })).location).toBe(done('published'))
  const published = await read('released')
  expect(published.live).toMatchObject({ version: 1, by: editor.email, until: null })
  await save('released', 1, page('Two'))
  const minute = (time: number) => new Date(time).toISOString().slice(0, 16)
  const [from, until] = [minute(Date.now() + DAY), minute(Date.now() + 2 * DAY)]
  expect((await release('released', 'publish', { version: 2, from, until })).location).toBe(done('scheduled'))
  const [planned] = (await read('released')).scheduled
  expect(planned).toMatchObject({ version: 2, from: new Date(`${from}Z`), until: new Date(`${until}Z`) })
  const problem = (name: string) => `${path('released')}?problem=${name}`
  expect((await release('released', 'publish', { version: 2, until: '2020-01-01T00:00' })).location).toBe(
    problem('badSchedule'),
  )
  // A browser sends 12/30/26 as a date in the year 26.
  const typed = { version: 2, from: '0026-12-30T10:00' }
  expect((await release('released', 'publish', typed)).location).toBe(problem('badMoment'))
  expect((await release('released', 'publish', { version: 2, until: 'soon' })).location).toBe(problem('badMoment'))
  expect((await read('released')).live?.version).toBe(1)
  // It began before the other one, which therefore stays live.
  const past = { version: 2, from: '2020-01-01T00:00' }
  expect((await release('released', 'publish', past)).location).toBe(done('superseded'))
  expect((await release('released', 'publish', { version: 9 })).location).toBe(problem('contentNotFound'))
  expect((await release('released', 'withdraw', { release: planned?.id ?? 0 })).location).toBe(done('withdrawn'))
  await save('unpublished', 0, page('One'))
  await release('unpublished', 'publish', { version: 1, from: '2020-01-01T00:00' })
  const last = { act: 'withdraw', release: String((await read('unpublished')).live?.id) }
  const other = await openConsole(app, colleague.email, colleague.password)
  const ended = await other.post(`${path('unpublished')}/release`, last)
  expect(ended.location).toBe(`${path('unpublished')}?done=notLive`)
  expect(await read('unpublished')).toMatchObject({ releases: [{ by: editor.email, withdrawnBy: colleague.email }] })
  expect((await session.get(path('unpublished'))).text).toMatch(/withdrawn [^e]*by (<!-- -->)?max@dineback\.example/)
  const withdrawn = async (query: string) => (await session.get(`${path('unpublished')}?done=${query}`)).text
  expect(await withdrawn('notLive')).toContain('This entry is not live now.')
  // Back, to the page after the publication.
  expect(await withdrawn('published')).not.toContain('It is live now.')
  expect(await withdrawn('withdrawn')).not.toContain('Another release of this entry is live.')
  expect((await release('released', 'withdraw', { release: planned?.id ?? 0 })).location).toBe(
    problem('contentNotFound'),
  )
  expect((await read('released')).scheduled).toEqual([])
  expect((await release('released', 'restore', { version: 1, basedOn: 1 })).location).toBe(problem('editedMeanwhile'))
  expect((await release('released', 'restore', { version: 1, basedOn: 2 })).location).toBe(done('restored'))
  expect((await read('released')).newest.version).toBe(3)
  expect((await release('released', 'remove', { basedOn: 2 })).location).toBe(problem('editedMeanwhile'))
  expect((await release('released', 'remove', { basedOn: 3 })).location).toBe(done('removed'))
  expect((await read('released')).newest).toMatchObject({ version: 4, removed: true })
  // A removal is a version like others: restored, it removes what was restored meanwhile.
  expect((await release('released', 'restore', { version: 1, basedOn: 4 })).location).toBe(done('restored'))
  expect((await release('released', 'restore', { version: 4, basedOn: 5 })).location).toBe(done('restored'))
  expect((await read('released')).newest).toMatchObject({ version: 6, removed: true })
  expect((await release('released', 'other')).status).toBe(404)
  const versions = await Promise.all(
    ['1', '4', '7', '0', 'x'].map((version) => session.get(`${path('released')}/versions/${version}`)),
  )
  expect(versions.map(({ status }) => status)).toEqual([200, 200, 404, 404, 404])
  expect((await session.get(`${path('never')}/versions/1`)).status).toBe(404)
  // Version 1 is live: version 2 has another text, and the other lines in common.
  const { text } = await session.get(`${path('released')}/versions/2`)
  const lines = (tag: string) =>
    [...text.matchAll(new RegExp(`<${tag}>([^<]*)`, 'g'))].map(([, line]) => line?.trim().replaceAll('&quot;', '"'))
  expect([lines('ins'), lines('del')]).toEqual([['"text": "Two",'], ['"text": "One",']])
  // A notice comes from the address: only known ones are shown.
  const notice = async (query: string) => (await session.get(`${path('released')}?${query}`)).text.includes('role="')
  expect(await Promise.all([notice('done=published'), notice('done=constructor'), notice('done=x')])).toEqual([
    true,
    false,
    false,
  ])
})

test('what is published, withdrawn or saved in a program that shows drafts is live before the answer', async () => {
  const isOn = async (partner: string, text: string, query = '') =>
    JSON.stringify(
      (await visit(app, partner).get(`/api/cms/pages/earn_details/?page_size=100${query}`)).json(),
    ).includes(text)
  for (const round of [1, 2, 3]) {
    const slug = `at-once-${round}`
    await save(slug, 0, page(`Published ${round}`))
    expect(await isOn('skyharbor', `Published ${round}`)).toBe(false)
    await release(slug, 'publish', { version: 1 })
    expect(await isOn('skyharbor', `Published ${round}`)).toBe(true)
    await release(slug, 'withdraw', { release: (await read(slug)).live?.id ?? 0 })
    expect(await isOn('skyharbor', `Published ${round}`)).toBe(false)
    await session.post(path(slug, 'earn_details', 'orchard'), { basedOn: '0', ...page(`Saved ${round}`) })
    expect(await isOn('orchard', `Saved ${round}`, '&preview=1')).toBe(true)
  }
})

test('a misspelled name in braces is shown beside its message, whatever was searched, and nothing is stored', async () => {
  const messages = path('messages', 'copy', 'orchard')
  const versions = async () => (await session.get(messages)).text.match(/name="basedOn" value="(\d+)"/)?.[1] ?? ''
  const basedOn = await versions()
  const sent = { key: 'join.partner_number', 'word.join.partner_number': '{parnerName} number', q: 'zzz', basedOn }
  const response = await session.post(messages, sent)
  expect(response.status).toBe(400)
  expect(response.text).toContain('{parnerName} is never filled in. This text can have {partnerName}, ')
  const [field] = response.text.match(/<input id="join.partner_number"[^>]*>/) ?? []
  expect(field).toContain('value="{parnerName} number"')
  expect(field).toContain('aria-invalid="true" aria-describedby="join.partner_number-error"')
  expect(response.text).toContain('id="join.partner_number-error"')
  // The search goes on after the correction.
  expect(response.text).toMatch(/<input id="q"[^>]* value="zzz"/)
  expect(response.text).toContain('<input type="hidden" name="q" value="zzz"/>')
  expect(brokenReferencesOf(response.text)).toEqual([])
  // It comes first, even when the search finds more messages than the page shows.
  const among = await session.post(messages, { ...sent, q: '' })
  expect(/<input type="hidden" name="key" value="([^"]*)"/.exec(among.text)?.[1]).toBe('join.partner_number')
  expect(await versions()).toBe(basedOn)
})

test('messages are found by key and text, and saving some leaves the others', async () => {
  const messages = path('messages', 'copy', 'orchard')
  const detailOf = () =>
    readEntry(
      { partnerId: 'orchard', db: app.database.pools.forPartner('orchard') },
      { collection: 'copy', slug: 'messages' },
    ).catch(() => null)
  const before = await detailOf()
  const basedOn = String(before?.newest.version ?? 0)
  const form = { 'word.not_found.title': 'Lost at sea', 'word.error.notJson': 'No JSON', q: 'not found' }
  const keys = Object.keys(form).flatMap((name) => (name.startsWith('word.') ? [name.slice(5)] : []))
  const send = (fields: Record<string, string>, key: string, version: string) =>
    session.post(messages, { ...fields, key, basedOn: version })
  expect((await send(form, keys[0] ?? '', basedOn)).location).toBe(`${messages}?done=savedAndShown&q=not%20found`)
  expect((await detailOf())?.fields).toMatchObject({ 'not_found.title': 'Lost at sea' })
  expect((await detailOf())?.fields).not.toHaveProperty(['error.notJson'])
  const next = String((await detailOf())?.newest.version)
  expect((await send({ 'word.error.notJson': 'No JSON' }, 'error.notJson', next)).status).toBe(303)
  expect((await detailOf())?.fields).toMatchObject({ 'not_found.title': 'Lost at sea', 'error.notJson': 'No JSON' })
  const found = (await session.get(`${messages}?q=LOST%20AT%20SEA`)).text
  expect([found.includes('not_found.title'), found.includes('error.notJson')]).toEqual([true, false])
  // The buttons of its versions and releases return to the search.
  const action = unescapeHtml(/ action="([^"]*\/release[^"]*)"/.exec(found)?.[1] ?? '')
  const version = String((await detailOf())?.newest.version)
  for (const [from, outcome] of [
    ['no moment', 'problem=badMoment'],
    ['', 'done=published'],
  ] as const) {
    const { location } = await session.post(action, { version, act: 'publish', from })
    expect(location).toBe(`${messages}?${outcome}&q=LOST%20AT%20SEA`)
  }
  // The page shows forty messages, and says that there are more.
  const countOn = async (query: string) => {
    const { text } = await session.get(`${messages}?q=${query}`)
    return text.split('name="key"').length - 1
  }
  expect([await countOn(''), await countOn('LOST%20AT%20SEA')]).toEqual([40, 1])
  const summary = async (query: string) =>
    /(The first \d+ of them|\d+ found)/.exec(
      (await session.get(`${messages}?q=${query}`)).text.replaceAll('<!-- -->', ''),
    )
  expect([(await summary(''))?.[0], (await summary('LOST%20AT%20SEA'))?.[0]]).toEqual([
    'The first 40 of them',
    '1 found',
  ])
  const last = String((await detailOf())?.newest.version)
  await send({ 'word.error.notJson': '' }, 'error.notJson', last)
  expect((await detailOf())?.fields).not.toHaveProperty(['error.notJson'])
})

test('the page of an entry shows its state, and offers only what can be done with it', async () => {
  const shown = async () => (await session.get(path('states'))).text.replaceAll('<!-- -->', '')
  const states = async () => [...(await shown()).matchAll(/class="state[^"]*">([^<]*)/g)].map(([, state]) => state)
  const offers = async (label: string) => (await shown()).includes(label)
  await save('states', 0, page('One'))
  expect(await states()).toEqual(['not live', 'draft'])
  expect(await offers('This version was already released.')).toBe(false)
  const until = new Date(Date.now() + DAY).toISOString().slice(0, 16)
  await release('states', 'publish', { version: 1, until })
  expect(await states()).toEqual([`live, version 1 until ${until.replace('T', ' ')} UTC`])
  expect(await offers('This version was already released.')).toBe(true)
  expect([await offers('Withdraw release of version 1'), await offers('Remove this entry')]).toEqual([true, true])
  await release('states', 'remove', { basedOn: 1 })
  expect((await states()).at(-1)).toBe('draft: remove')
  expect([await offers('Remove this entry'), await offers('Restore version 1')]).toEqual([false, true])
  await release('states', 'withdraw', { release: (await read('states')).live?.id ?? 0 })
  expect(await offers('Withdraw release of version 1')).toBe(false)
})

test('a change is saved even if this process cannot read it yet', async () => {
  const server = Fastify()
  acceptOnlyForms(server)
  server.decorateRequest('consoleSession', null)
  server.addHook('onRequest', async (request) => {
    request.consoleSession = {
      operator: { id: 1, ...editor, grants: [{ role: 'marketer', partnerId: null, permissions: ['content.edit'] }] },
      idHash: Buffer.alloc(32),
      csrfToken: '',
      passkeyVerified: true,
    }
  })
  studioRoutes(server, {
    pools: app.database.consolePools,
    programs: app.programs,
    previewKey: Buffer.alloc(32),
    content: { refresh: () => Promise.reject(new Error('away')) },
    showsDrafts: () => false,
    origin: app.origin,
    pages,
  })
  const { statusCode, headers } = await server.inject({
    method: 'POST',
    url: path('unread'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ basedOn: '0', ...page('Unread') }).toString(),
  })
  expect([statusCode, headers.location]).toEqual([303, `${path('unread')}?done=saved`])
  expect((await read('unread')).newest.version).toBe(1)
  await server.close()
})

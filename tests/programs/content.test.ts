import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedPrograms } from '../../src/app/seed.ts'
import { addOperator } from '../../src/console/operators/service.ts'
import { deriveKey } from '../../src/platform/config/settings.ts'
import { inTransaction } from '../../src/platform/database/db.ts'
import { DAY, MINUTE } from '../../src/platform/time.ts'
import { signPreviewPass } from '../../src/programs/content/preview.ts'
import {
  type ContentCtx,
  hasPublishedSince,
  listContent,
  publish,
  readEntry,
  removeEntry,
  restore,
  saveDraft,
  withdraw,
} from '../../src/programs/content/service.ts'
import {
  getMsUntilNextChange,
  hasReleasedSince,
  insertRelease,
  insertVersion,
  listLiveEntries,
} from '../../src/programs/content/store.ts'
import { writeFlag } from '../../src/programs/partners/service.ts'
import { startTestApp, type TestApp, visit } from '../support/app.ts'
import { setUpTestApp } from '../support/file-setup.ts'

const app = setUpTestApp()
/** Another process on the same database. */
let other: TestApp
beforeAll(async () => {
  const { APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET, DATABASE_URL } = app.settings
  const operator = { email: editor, name: 'Marta', role: 'editor', partners: null, password: 'x' } as const
  await addOperator(app.database.consolePools.shared, operator)
  other = await startTestApp({ APP_SECRET, VAULT_SECRET, FEED_SECRET, ID_SECRET, DATABASE_URL: DATABASE_URL as string })
})
afterAll(async () => {
  await other?.stop()
})

/** This timeout only ends tests that hang; it measures nothing. */
const waitOptions = { timeout: 20_000 }
const editor = 'marta@skyharbor.example'
const ctx = (partnerId: string): ContentCtx => ({ partnerId, db: app.database.pools.forPartner(partnerId) })
const news = { collection: 'earn_details', slug: 'partner-news' }

/** Saves a heading for an entry's page and returns its version. */
async function write(partnerId: string, entry: { collection: string; slug: string }, heading: string): Promise<number> {
  const { fields, newest } = await readEntry(ctx(partnerId), entry)
  const changed = { ...fields, main_column: [{ type: 'title', text: heading }] }
  const draft = { ...entry, fields: changed, basedOn: newest.version }
  return (await saveDraft(ctx(partnerId), draft, editor)).version
}

/** Returns the heading that visitors see on one of the processes. */
async function heading(at: TestApp, partnerId: string, { collection, slug }: typeof news, query = ''): Promise<string> {
  const response = await visit(at, partnerId).get(`/api/cms/pages/${collection}/?page_size=100${query}`)
  const { data } = response.json<{ data: { slug: string; fields: { main_column: { text: string }[] } }[] }>()
  return data.find((entry) => entry.slug === slug)?.fields.main_column[0]?.text ?? ''
}

describe('CMS-022 CMS-026 drafts and publishing', () => {
  test('a saved draft is not visible until it is published, and then to everyone, at every process', async () => {
    const listSlugs = async () => {
      const { data } = (await visit(other, 'skyharbor').get('/api/cms/pages/earn_details/?page_size=100')).json()
      return data.map(({ slug }: { slug: string }) => slug)
    }
    const before = await heading(app, 'skyharbor', news)
    const slugs = await listSlugs()
    expect(slugs.at(-1)).not.toBe(news.slug)
    const version = await write('skyharbor', news, 'Hot off the press')
    expect(await heading(app, 'skyharbor', news)).toBe(before)
    const changed = new Promise<void>((resolve) => other.content.onChange(() => resolve()))
    await publish(ctx('skyharbor'), { ...news, version }, editor)
    await changed
    expect(await heading(other, 'skyharbor', news)).toBe('Hot off the press')
    expect(await listSlugs()).toEqual(slugs)
    await expect.poll(() => heading(app, 'skyharbor', news), waitOptions).toBe('Hot off the press')
  })

  test('a schedule begins and ends by itself, and the previous content returns', async () => {
    const before = await heading(app, 'lantern', news)
    const version = await write('lantern', news, 'For a moment only')
    // Long enough for what comes before it on a busy machine.
    const from = new Date(Date.now() + 4_000)
    await publish(ctx('lantern'), { ...news, version, from, until: new Date(from.getTime() + 1_500) }, editor)
    expect(await heading(app, 'lantern', news)).toBe(before)
    expect((await readEntry(ctx('lantern'), news)).scheduled).toHaveLength(1)
    await expect.poll(() => heading(app, 'lantern', news), waitOptions).toBe('For a moment only')
    await expect.poll(() => heading(app, 'lantern', news), waitOptions).toBe(before)
  })

  test('an earlier publication does not hide a schedule, and a newer one may follow', async () => {
    const first = await write('gallonaire', news, 'Scheduled')
    const from = new Date(Date.now() + 4_000)
    await publish(ctx('gallonaire'), { ...news, version: first, from }, editor)
    const second = await write('gallonaire', news, 'Meanwhile')
    await publish(ctx('gallonaire'), { ...news, version: second }, editor)
    await expect.poll(() => heading(app, 'gallonaire', news), waitOptions).toBe('Meanwhile')
    await expect.poll(() => heading(app, 'gallonaire', news), waitOptions).toBe('Scheduled')
    const third = await write('gallonaire', news, 'Afterwards')
    await publish(ctx('gallonaire'), { ...news, version: third }, editor)
    await expect.poll(() => heading(app, 'gallonaire', news), waitOptions).toBe('Afterwards')
  })

  test('the history names operators; an older version can be restored and a release withdrawn', async () => {
    const entry = { collection: 'earn_details', slug: 'terms' }
    const before = await heading(app, 'beacon', entry)
    const version = await write('beacon', entry, 'Terms, rewritten')
    await publish(ctx('beacon'), { ...entry, version }, editor)
    await expect.poll(() => heading(app, 'beacon', entry), waitOptions).toBe('Terms, rewritten')
    const detail = await readEntry(ctx('beacon'), entry)
    expect(detail.versions.map(({ savedBy }) => savedBy)).toEqual([editor, 'program files'])
    expect(detail.live).toMatchObject({ version, by: editor, withdrawnAt: null })
    await withdraw(ctx('beacon'), { releaseId: detail.live?.id ?? 0 }, 'otto@beacon.example')
    await expect.poll(() => heading(app, 'beacon', entry), waitOptions).toBe(before)
    const restored = await restore(ctx('beacon'), { ...entry, version, basedOn: version }, 'otto@beacon.example')
    await publish(ctx('beacon'), { ...entry, version: restored.version }, 'otto@beacon.example')
    await expect.poll(() => heading(app, 'beacon', entry), waitOptions).toBe('Terms, rewritten')
    const after = await readEntry(ctx('beacon'), entry)
    expect(after.releases.map(({ by, withdrawnBy }) => [by, withdrawnBy])).toEqual([
      ['otto@beacon.example', null],
      [editor, 'otto@beacon.example'],
      ['program files', null],
    ])
    await expect(withdraw(ctx('beacon'), { releaseId: 1e9 }, editor)).rejects.toThrow('contentNotFound')
  })

  test('a removed entry stays visible until the removal is published', async () => {
    const entry = { collection: 'earn_details', slug: 'earn-this-is-big' }
    const { newest } = await readEntry(ctx('skyharbor'), entry)
    const removed = await removeEntry(ctx('skyharbor'), { ...entry, basedOn: newest.version }, editor)
    expect(await heading(app, 'skyharbor', entry)).not.toBe('')
    await publish(ctx('skyharbor'), { ...entry, version: removed.version }, editor)
    await expect.poll(() => heading(app, 'skyharbor', entry), waitOptions).toBe('')
  })

  test('a draft without changes adds no version', async () => {
    const { fields, newest } = await readEntry(ctx('orchard'), news)
    const saved = await saveDraft(ctx('orchard'), { ...news, fields, basedOn: newest.version }, editor)
    expect(saved.version).toBe(newest.version)
    expect((await readEntry(ctx('orchard'), news)).newest.version).toBe(newest.version)
  })

  test('of two editors of one entry the second is notified, and nothing is lost', async () => {
    const { fields, newest } = await readEntry(ctx('orchard'), news)
    const saves = ['one', 'two', 'three', 'four'].map((text) =>
      saveDraft(
        ctx('orchard'),
        { ...news, fields: { ...fields, main_column: [{ type: 'title', text }] }, basedOn: newest.version },
        editor,
      ),
    )
    const ends = await Promise.allSettled(saves)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.code] : []))).toEqual(
      Array(3).fill('editedMeanwhile'),
    )
    expect((await readEntry(ctx('orchard'), news)).versions).toHaveLength(newest.version + 1)
  })

  test('invalid content is not saved, and a schedule must be in the future', async () => {
    const { newest } = await readEntry(ctx('lantern'), news)
    const fields = { url: 'javascript:alert(1)' }
    expect(() => saveDraft(ctx('lantern'), { ...news, fields, basedOn: newest.version }, editor)).toThrow()
    expect((await readEntry(ctx('lantern'), news)).newest).toEqual(newest)
    const until = new Date(Date.now() - 1)
    await expect(publish(ctx('lantern'), { ...news, version: 1, until }, editor)).rejects.toThrow('badSchedule')
    const [past, soon, later] = [-60_000, 60_000, 120_000].map((ms) => new Date(Date.now() + ms))
    for (const times of [
      { from: past, until },
      { from: later, until: soon },
      { from: soon, until: soon },
    ])
      await expect(publish(ctx('lantern'), { ...news, version: 1, ...times }, editor)).rejects.toThrow('badSchedule')
    await expect(publish(ctx('lantern'), { ...news, version: 99 }, editor)).rejects.toThrow('contentNotFound')
  })

  test('the next change is the start or the end of a release, whichever is earlier, unless it was withdrawn', async () => {
    const { db } = ctx('lantern')
    const { newest } = await readEntry(ctx('lantern'), news)
    const at = (days: number) => new Date(Date.now() + days * DAY)
    const daysUntilChange = async () => {
      const ms = await getMsUntilNextChange(db)
      return ms === null ? null : Math.round(ms / DAY)
    }
    expect(await daysUntilChange()).toBeNull()
    await publish(ctx('lantern'), { ...news, version: newest.version, from: at(7), until: at(9) }, editor)
    expect(await daysUntilChange()).toBe(7)
    await publish(ctx('lantern'), { ...news, version: newest.version, until: at(3) }, editor)
    expect(await daysUntilChange()).toBe(3)
    expect((await readEntry(ctx('lantern'), news)).scheduled).toHaveLength(1)
    const { releases } = await readEntry(ctx('lantern'), news)
    for (const { id } of releases.slice(0, 2)) await withdraw(ctx('lantern'), { releaseId: id }, editor)
    expect(await daysUntilChange()).toBeNull()
    expect((await readEntry(ctx('lantern'), news)).scheduled).toEqual([])
  })

  test('an editor has published since a moment once a release is live, not while it is scheduled', async () => {
    const { db } = ctx('lantern')
    const { newest } = await readEntry(ctx('lantern'), news)
    const since = { editor: 'timo@lantern.example', issuedAt: new Date(Date.now() - MINUTE) }
    const from = new Date(Date.now() + DAY)
    await publish(ctx('lantern'), { ...news, version: newest.version, from }, since.editor)
    expect(await hasPublishedSince(db, since)).toBe(false)
    await publish(ctx('lantern'), { ...news, version: newest.version }, since.editor)
    expect(await hasPublishedSince(db, since)).toBe(true)
    expect(await hasPublishedSince(db, { ...since, issuedAt: new Date(Date.now() + MINUTE) })).toBe(false)
    expect(await hasPublishedSince(db, { ...since, editor: 'nora@lantern.example' })).toBe(false)
    const { releases } = await readEntry(ctx('lantern'), news)
    await withdraw(ctx('lantern'), { releaseId: releases[0]?.id as number }, since.editor)
    expect(await hasPublishedSince(db, since)).toBe(false)
  })

  test('a release is live from its moment and not at its end, and of two of the same moment the later one is', async () => {
    const entry = { collection: 'earn_details', slug: 'moments' }
    const by = 'rosa@orchard.example'
    // Within a transaction the time stands still.
    await inTransaction(ctx('orchard').db, async (tx) => {
      const liveVersion = async () => (await listLiveEntries(tx)).find(({ slug }) => slug === entry.slug)?.version
      for (const version of [1, 2]) {
        const versionId = await insertVersion(tx, { ...entry, version, position: 0, fields: {}, savedBy: by })
        await insertRelease(tx, { versionId, releasedBy: by })
        expect(await liveVersion()).toBe(version)
      }
      expect((await readEntry({ partnerId: 'orchard', db: tx }, entry)).live?.version).toBe(2)
      expect(await hasReleasedSince(tx, by, new Date(Date.now() - MINUTE))).toBe(true)
      const ended = { ...entry, slug: 'ended', version: 1, position: 0, fields: {}, savedBy: by }
      await sql`insert into content_releases (version_id, live_from, live_until, released_by)
        values (${await insertVersion(tx, ended)}, now() - interval '1 hour', now(), ${by})`.execute(tx)
      expect((await listLiveEntries(tx)).map(({ slug }) => slug)).not.toContain('ended')
    })
  })

  test('Case 17 content of one partner is not visible to others', async () => {
    const entry = { collection: 'earn_details', slug: 'only-here' }
    const fields = { url: '/earn/only-here', main_column: [{ type: 'title', text: 'Only here' }] }
    const { version } = await saveDraft(ctx('skyharbor'), { ...entry, fields, basedOn: 0 }, editor)
    await publish(ctx('skyharbor'), { ...entry, version }, editor)
    await expect.poll(() => heading(app, 'skyharbor', entry), waitOptions).toBe('Only here')
    expect((await listContent(ctx('beacon'))).some(({ slug }) => slug === 'only-here')).toBe(false)
    await expect(publish(ctx('beacon'), { ...entry, version }, editor)).rejects.toThrow('contentNotFound')
  })
})

test('a folder whose content the database cannot store is refused with every file, entry and problem', async () => {
  const program = app.programs.get('gallonaire') ?? expect.fail()
  const [first] = program.content.earn_details ?? []
  const { fields } = first ?? expect.fail()
  const entriesOf = (...slugs: string[]) => slugs.map((slug) => ({ slug, fields }))
  const content = {
    ...program.content,
    earn_details: [
      ...entriesOf('Terms', '-x', 'a'.repeat(81), 'twice', 'twice'),
      { slug: 'nul', fields: { ...fields, browser_title: 'a\0b' } },
    ],
  }
  const rule = /slug: has lower-case letters, digits, hyphens and underscores only/
  const seeding = seedPrograms(app.database, new Map([['gallonaire', { ...program, content }]]))
  const { message } = await seeding.then(
    () => expect.fail(),
    (error: Error) => error,
  )
  const file = `${program.folder}/content.json: earn_details/`
  expect(message.split('\n').filter((line) => !line.startsWith(file))).toEqual([])
  expect(message.split('\n').map((line) => line.slice(file.length))).toEqual([
    expect.stringMatching(rule),
    expect.stringMatching(rule),
    expect.stringMatching(rule),
    'twice: there are two entries with this slug',
    'nul: browser_title: has a character that cannot be stored',
  ])
})

test('seeding again changes nothing, follows the folder, and preserves editors’ content', async () => {
  const { database, programs } = app
  const program = programs.get('gallonaire')
  if (!program) throw new Error('no gallonaire')
  const mine = await write('gallonaire', { collection: 'earn_details', slug: 'terms' }, 'Mine')
  const only = (content: typeof program.content) => new Map([['gallonaire', { ...program, content }]])
  expect(await seedPrograms(database, only(program.content))).toBe(0)
  const changed = structuredClone(program.content)
  for (const { fields } of changed.earn_details ?? []) fields.browser_title = 'New in the folder'
  const pages = changed.earn_details?.length ?? 0
  // Two of them were edited.
  expect(await seedPrograms(database, only(changed))).toBe(pages - 2)
  expect((await readEntry(ctx('gallonaire'), { collection: 'earn_details', slug: 'terms' })).newest.version).toBe(mine)
  // An entry that is no longer in the folder is removed once.
  for (const removed of [1, 0]) expect(await seedPrograms(database, only({ ...changed, popup: [] }))).toBe(removed)
  expect(await seedPrograms(database, only(program.content))).toBe(pages - 2 + 1)
  // Two pages change places. A page that only an editor has written is not in the folder and stays.
  const own = { collection: 'earn_details', slug: 'own-page' }
  await saveDraft(ctx('gallonaire'), { ...own, fields: { url: '/earn/own-page' }, basedOn: 0 }, editor)
  const [first, second, ...others] = program.content.earn_details ?? []
  if (!first || !second) throw new Error('no two pages')
  expect(await seedPrograms(database, only({ ...program.content, earn_details: [second, first, ...others] }))).toBe(2)
  const listed = (await listContent(ctx('gallonaire'))).filter(({ collection }) => collection === 'earn_details')
  expect(listed.slice(0, 2).map(({ slug }) => slug)).toEqual([second.slug, first.slug])
  expect(listed.find(({ slug }) => slug === own.slug)?.newest).toMatchObject({ version: 1, removed: false })
  expect(await seedPrograms(database, only(program.content))).toBe(2)
})

test('HOME-014 a default page is removed once the folder has one in its place, and is not added where an editor has one', async () => {
  const { database, programs } = app
  const program = programs.get('lantern')
  if (!program) throw new Error('no lantern')
  const seeded = (content: typeof program.content) =>
    seedPrograms(database, new Map([['lantern', { ...program, content }]]))
  const pages = async () =>
    (await listContent(ctx('lantern')))
      .filter(({ newest }) => !newest.removed)
      .filter(({ slug, newest }) => slug === 'our-steps' || newest.savedBy === 'program files')
      .map(({ collection, slug }) => `${collection}/${slug}`)
  // A sample has everything of its own.
  expect(await seeded(program.content)).toBe(0)
  await seeded({})
  const defaults = ['*/footer', '*/navbar', 'discover/discover', 'earn_details/how-it-works', 'home/home']
  expect((await pages()).filter((page) => page !== 'copy/messages').sort()).toEqual(defaults)
  expect(await seeded({})).toBe(0)
  const { fields } = program.content.home?.[0] ?? expect.fail()
  await seeded({ home: [{ slug: 'front', fields }] })
  expect((await pages()).filter((page) => page.startsWith('home/'))).toEqual(['home/front'])
  // An editor's page at the address of a default one, under another name.
  const own = { collection: 'earn_details', slug: 'our-steps' }
  await saveDraft(ctx('lantern'), { ...own, fields: { url: '/how-it-works' }, basedOn: 0 }, editor)
  await seeded({ home: [{ slug: 'front', fields }] })
  expect((await pages()).filter((page) => page.startsWith('earn_details/'))).toEqual(['earn_details/our-steps'])
  await seeded(program.content)
})

describe('Case 61 previews', () => {
  const preview = '&preview=1'
  test('drafts are visible only with a valid pass for this program', async () => {
    const entry = { collection: 'earn_details', slug: 'privacy' }
    const before = await heading(app, 'skyharbor', entry)
    await write('skyharbor', entry, 'A secret until Friday')
    const key = deriveKey(app.settings.APP_SECRET, 'preview')
    const path = '/api/cms/pages/earn_details/?page_size=100'
    const visitor = visit(app, 'skyharbor')
    expect((await visitor.get(path + preview)).status).toBe(403)
    const forged = [
      signPreviewPass(Buffer.alloc(32), { partnerId: 'skyharbor', editor }),
      signPreviewPass(key, { partnerId: 'beacon', editor }),
      signPreviewPass(key, { partnerId: 'skyharbor', editor }, Date.now() - 7_200_000),
      'x.y',
      '',
    ]
    for (const pass of forged) {
      const sent = { cookie: `preview=${pass}` }
      const response = await visitor.get(path + preview, sent)
      expect([pass, response.status]).toEqual([pass, 403])
      expect((await visitor.get(path, sent)).text).not.toContain('secret until Friday')
      expect((await visitor.get(`/preview?pass=${encodeURIComponent(pass)}`)).headers.location).toBe('/not_found')
    }
    // Counterpart: a valid pass shows the draft, so the check of the pass is what blocks the others.
    const pass = signPreviewPass(key, { partnerId: 'skyharbor', editor })
    const entered = await visitor.get(`/preview?pass=${pass}&to=/privacy`)
    expect(entered.headers.location).toBe('/privacy')
    expect([entered.headers['set-cookie']].flat()).toContain(
      `preview=${pass}; Max-Age=3600; Path=/; HttpOnly; SameSite=Lax`,
    )
    const seen = async () => (await visitor.get(path + preview)).text.includes('secret until Friday')
    await expect.poll(seen, waitOptions).toBe(true)
    await visitor.get('/preview/leave')
    expect((await visitor.get(path + preview)).status).toBe(403)
    expect(await heading(app, 'skyharbor', entry)).toBe(before)
  })

  test('Case 35 a preview redirects only into the program', async () => {
    const pass = signPreviewPass(deriveKey(app.settings.APP_SECRET, 'preview'), { partnerId: 'skyharbor', editor })
    for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%5Cevil', 'javascript:x']) {
      const { location } = (await visit(app, 'skyharbor').get(`/preview?pass=${pass}&to=${encodeURIComponent(to)}`))
        .headers
      expect(String(location)).toMatch(/^\/(?![/\\])/)
      const left = await visit(app, 'skyharbor').get(`/preview/leave?to=${encodeURIComponent(to)}`)
      expect(String(left.headers.location)).toMatch(/^\/(?![/\\])/)
    }
    const left = await visit(app, 'skyharbor').get('/preview/leave?to=%2Fearn%2Fpage%3Fa%3Db')
    expect(left.headers.location).toBe('/earn/page?a=b')
  })
})

describe('the content API', () => {
  test('CMS-023 API-017 API-018 API-019 collections are returned by name, at most a hundred entries', async () => {
    const visitor = visit(app, 'skyharbor')
    const response = await visitor.get('/api/cms/pages/*/?page_size=100')
    expect(response.json().data.map(({ slug }: { slug: string }) => slug)).toEqual(['navbar', 'footer', 'earn'])
    expect((await visitor.get('/api/cms/pages/earn_details/?page_size=2')).json().data).toHaveLength(2)
    expect((await visitor.get('/api/cms/pages/home/?page_size=101')).status).toBe(400)
    expect((await visitor.get('/api/cms/pages/home/?preview=yes')).status).toBe(400)
    expect((await visitor.get('/api/cms/spells/home/')).status).toBe(404)
    expect((await visitor.get('/api/cms/pages/__proto__/')).status).toBe(404)
  })

  test('PART-006 a program with its own content path is served there', async () => {
    expect((await visit(app, 'beacon').get('/beacon/cms/pages/home/?page_size=100')).status).toBe(200)
    expect((await visit(app, 'skyharbor').get('/beacon/cms/pages/home/?page_size=100')).status).toBe(404)
  })

  test('a message and a feature flag change the version that open pages check', async () => {
    const visitor = visit(app, 'orchard')
    const version = async () => (await visitor.get('/api/ProgramVersion')).json().version as string
    const before = await version()
    const { newest } = await readEntry(ctx('orchard'), { collection: 'copy', slug: 'messages' })
    const messages = { 'shell.join': 'Come on in' }
    const saved = await saveDraft(
      ctx('orchard'),
      { collection: 'copy', slug: 'messages', fields: messages, basedOn: newest.version },
      editor,
    )
    await publish(ctx('orchard'), { collection: 'copy', slug: 'messages', version: saved.version }, editor)
    await expect.poll(version, waitOptions).not.toBe(before)
    const published = await version()
    const flag = { kind: 'authFlags', name: 'joinMaintenance' }
    await writeFlag(ctx('orchard').db, { ...flag, value: true })
    await expect.poll(version, waitOptions).not.toBe(published)
    // A value of another type is none.
    const isClosed = async () => (await visitor.get('/api/feature-flags')).json().authFlags.joinMaintenance
    expect(await isClosed()).toBe(true)
    await writeFlag(ctx('orchard').db, { ...flag, value: 'true' })
    await expect.poll(isClosed, waitOptions).toBe(false)
    expect(await version()).toBe(published)
  })
})

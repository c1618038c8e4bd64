import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Ctx } from '../../platform/http/context.ts'
import { createProgramFiles } from './program-files.ts'

/** Returns the context of a request to a program whose content has a version of its own. */
function contextOf(version: string, { partnerId = 'skyharbor', hasPreviewPass = false, others = {} } = {}): Ctx {
  const colors = { light: { ground: '#fff' }, dark: { ground: '#000' } }
  return {
    partnerId,
    mayPreview: hasPreviewPass,
    hasPreviewPass,
    flags: {},
    program: { config: { code: partnerId }, theme: { colors }, shownLogo: null, previewImage: { href: '' } },
    content: { shown: { catalog: { messages: { version, ...others }, tokens: {} }, collections: { home: [version] } } },
  } as unknown as Ctx
}

/** Starts a server of these files; a request has the context that the test gave last. */
function open() {
  const files = createProgramFiles({ origin: () => 'http://skyharbor.localhost' } as unknown as Parameters<
    typeof createProgramFiles
  >[0])
  const app = Fastify()
  let ctx = contextOf('0')
  app.addHook('onRequest', async (request) => {
    request.ctx = ctx
  })
  files.serve(app)
  const get = async (href: string, as: Ctx) => {
    ctx = as
    const response = await app.inject(href)
    return { cache: String(response.headers['cache-control']), json: response.json() }
  }
  return { files, get }
}

const stored = 'public, max-age=31536000, immutable'

test('eight versions of a program stay available, those requested last, whatever other programs have', async () => {
  const { files, get } = open()
  const versions = Array.from({ length: 9 }, (_, index) => contextOf(String(index)))
  const [, , , , , , , eighth, ninth] = versions as [Ctx, Ctx, Ctx, Ctx, Ctx, Ctx, Ctx, Ctx, Ctx]
  const contents = versions.slice(0, 8).map((ctx) => files.fileOf(ctx))
  for (let other = 0; other < 20; other++) files.fileOf(contextOf(String(other), { partnerId: 'orchard' }))
  const [first, second, third] = contents.map(({ href, content }) => [href, content.laterContent] as const)
  for (const href of first ?? []) expect((await get(href, eighth)).cache).toBe(stored)
  expect((await get(first?.[0] ?? '', eighth)).json.messages).toEqual({ messages: { version: '0' }, tokens: {} })
  expect((await get(first?.[1] ?? '', eighth)).json.home).toEqual(['0'])
  files.fileOf(ninth)
  // The current version is sent in its place, which must not be stored.
  const [start, later] = await Promise.all([get(second?.[0] ?? '', ninth), get(second?.[1] ?? '', ninth)])
  expect([start.cache, start.json.messages]).toEqual(['no-store', { messages: { version: '8' }, tokens: {} }])
  expect([later.cache, later.json.home]).toEqual(['no-store', ['8']])
  for (const href of [...(first ?? []), ...(third ?? [])]) expect((await get(href, ninth)).cache).toBe(stored)
})

test('pages do not load the texts of emails and of responses, which only the server uses', () => {
  const { files } = open()
  const others = {
    'a.mail.subject': 'S',
    'a.b_mail.title': 'T',
    'cards.error.LIMIT': 'L',
    'mail.outbox': 'O',
    'a.mail': 'A',
  }
  const { messages } = files.fileOf(contextOf('1', { others })).content.messages
  expect(messages).toEqual({ version: '1', 'mail.outbox': 'O', 'a.mail': 'A' })
})

test('SESS-024 the files of a preview have addresses of their own, are for editors only, and are stored nowhere', async () => {
  const { files, get } = open()
  const [draft, current] = [contextOf('draft', { hasPreviewPass: true }), contextOf('current')]
  const { href } = files.fileOf(draft)
  expect(await get(href, draft)).toMatchObject({
    cache: 'no-store',
    json: { messages: { messages: { version: 'draft' } } },
  })
  expect(await get(href, current)).toMatchObject({
    cache: 'no-store',
    json: { messages: { messages: { version: 'current' } } },
  })
  // The public folder does not have it, also when a visitor guesses the name.
  const guessed = href.replace('/draft/', '/program/')
  expect(await get(guessed, current)).toMatchObject({
    cache: 'no-store',
    json: { messages: { messages: { version: 'current' } } },
  })
  const published = files.fileOf(contextOf('draft')).href
  expect(published).not.toBe(href)
  expect((await get(published, current)).cache).toBe(stored)
})

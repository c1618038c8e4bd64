import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { cacheKey, inLowerCase, type PageDeps, statusOf, withoutTrailingSlash } from './pages.ts'

type Flags = { authFlags: Record<string, boolean> }
const flags: Flags = { authFlags: { siteMaintenance: false } }

/** Returns a request of an anonymous visitor; `ctx` overrides parts of its context. */
function requestOf(
  url: string,
  { ctx = {}, cookies = {}, userAgent = 'Mozilla/5.0' }: { ctx?: object; cookies?: object; userAgent?: string } = {},
) {
  const own = {
    partnerId: 'skyharbor',
    flags,
    content: { shown: { version: 'v1' } },
    actor: { memberId: null },
    mayPreview: false,
  }
  return { url, cookies, headers: { 'user-agent': userAgent }, ctx: { ...own, ...ctx } } as unknown as FastifyRequest
}

/** Returns the key of a page in the cache; the parts of the dependencies have defaults. */
function keyOf(
  request: FastifyRequest,
  { development = false, stagingTools = true, merchants = 1, clockOffset = 0 } = {},
  visitor: object = {},
) {
  const deps = { development, stagingTools, merchantsVersion: () => merchants, clockOffset: () => clockOffset }
  return cacheKey(deps as unknown as PageDeps, request, { known: null, passed: undefined, ...visitor })
}

test('everything that changes a page of all visitors is part of its key in the cache', () => {
  const keys = [
    keyOf(requestOf('/search')),
    keyOf(requestOf('/search?location=10001')),
    keyOf(requestOf('/search', { ctx: { partnerId: 'orchard' } })),
    keyOf(requestOf('/search', { ctx: { content: { shown: { version: 'v2' } } } })),
    keyOf(requestOf('/search', { ctx: { flags: { authFlags: { siteMaintenance: true } } } })),
    keyOf(requestOf('/search', { cookies: { mode: 'dark' } })),
    keyOf(requestOf('/search', { cookies: { mode: 'light' } })),
    keyOf(requestOf('/search'), { merchants: 2 }),
    keyOf(requestOf('/search'), { clockOffset: 3_600_000 }),
  ]
  expect(keys).not.toContain(null)
  expect(new Set(keys).size).toBe(keys.length)
  // Other cookies and other browsers do not matter.
  const same = requestOf('/search', { cookies: { mode: 'blue', session: 'x' }, userAgent: 'Firefox/140.0' })
  expect(keyOf(same)).toBe(keys[0])
})

test('a page of one person, one request or one app, and a staging tool, has no key', () => {
  const native = 'DinebackApp/2.0.1 (ios)'
  const keys = [
    keyOf(requestOf('/search', { ctx: { actor: { memberId: 7 } } })),
    keyOf(requestOf('/search', { ctx: { mayPreview: true } })),
    keyOf(requestOf('/search'), {}, { known: { publicId: 'x' } }),
    keyOf(requestOf('/search'), {}, { passed: {} }),
    keyOf(requestOf('/search', { userAgent: native })),
    keyOf(requestOf('/search', { cookies: { native_app: native } })),
    keyOf(requestOf('/error')),
    keyOf(requestOf('/error?from=x')),
    keyOf(requestOf('/staging-tools')),
    keyOf(requestOf('/staging-tools/states?partner=orchard')),
    keyOf(requestOf('/search'), { development: true }),
  ]
  expect(keys).toEqual(keys.map(() => null))
  for (const url of ['/errors', '/staging-toolshed']) expect(keyOf(requestOf(url))).not.toBeNull()
})

test('SHELL-031 while a program is closed, all its pages have status 503 but the staging tools', () => {
  const closedBy = (flag: string) => (url: string) =>
    statusOf(requestOf(url, { ctx: { flags: { authFlags: { [flag]: true } } } }), 200) === 503
  const open = ['/staging-tools', '/staging-tools/states']
  const [login, join] = [
    ['/login', '/login?returnTo=%2F'],
    ['/join', '/join?rfr=1'],
  ]
  const others = [
    '/',
    '/loginx',
    '/joined',
    '/account/login',
    '/search?x=/login',
    '/error',
    '/nowhere',
    '/staging-toolsx',
  ]
  const all = [...open, ...login, ...join, ...others]
  expect(all.filter(closedBy('siteMaintenance'))).toEqual([...login, ...join, ...others])
  expect(all.filter(closedBy('loginMaintenance'))).toEqual(login)
  expect(all.filter(closedBy('joinMaintenance'))).toEqual(join)
  expect(statusOf(requestOf('/nowhere'), 404)).toBe(404)
})

test('slashes at the end of a path are removed, and the query stays', () => {
  const paths = ['/earn/', '/earn//?a=/', '/a/b/', '/', '//', '/earn', '/earn?to=/x/']
  expect(paths.map(withoutTrailingSlash)).toEqual(['/earn', '/earn?a=/', '/a/b', null, null, null, null])
})

test('ROUTE-047 only the letters of a path become lower case', () => {
  const paths = ['/SEARCH', '/Search?location=NYC', '/search?location=NYC', '/restaurants/M%C3%BCnchen', '/%C3%BC', '/']
  expect(paths.map(inLowerCase)).toEqual([
    '/search',
    '/search?location=NYC',
    null,
    '/restaurants/m%C3%BCnchen',
    null,
    null,
  ])
})

import { expect, test, vi } from 'vitest'
import { ApiCallError } from '../../platform/browser/api.ts'
import { PageNotFound, Redirect } from '../../platform/browser/router/redirect.ts'
import { loadPage, loadPageCode, type PageDeps, type PageModule, type Route } from './page.ts'

const Page = () => null
const Layout = () => null

/** Returns a route of a page whose data is loaded by a function, and whose code may be missing. */
const routeOf = (path: string, load?: PageModule['load'], importPage = async () => ({ Page, load }) as PageModule) => ({
  path,
  module: `${path}.tsx`,
  importPage,
  importLayout: async () => Layout,
})

const url = (path: string) => new URL(path, 'http://skyharbor.localhost')
const deps = { config: {}, preview: false } as PageDeps
const versionCheck = { record: () => {}, load: (_url: URL, load: () => Promise<void>) => load() }

test('a page is loaded with its code, its layout, its parameters and its data', async () => {
  const load = vi.fn(async () => {})
  const routes: Route[] = [routeOf('/merchants/:merchantId', load)]
  const loaded = await loadPage(routes, deps, url('/merchants/amore?day=1'))
  expect(loaded).toEqual({
    module: '/merchants/:merchantId.tsx',
    page: { Page, load },
    layout: Layout,
    params: { merchantId: 'amore' },
    failure: null,
  })
  expect(load.mock.calls).toEqual([[{ ...deps, url: url('/merchants/amore?day=1'), params: { merchantId: 'amore' } }]])
  const code = await loadPageCode(routes, url('/merchants/amore'), null)
  expect([code, load.mock.calls.length]).toEqual([loaded, 1])
})

test('a page that fails has its code, and its failure is reported with the failed request', async () => {
  const outcomes: [error: unknown, failure: object][] = [
    [new PageNotFound(), { status: 404, reference: '' }],
    [new ApiCallError(503, { code: 'busy', reference: 'r-1' }), { status: 503, reference: 'r-1' }],
    [new TypeError('mistake'), { status: 500, reference: '' }],
  ]
  for (const [error, failure] of outcomes) {
    const onError = vi.fn()
    const routes: Route[] = [routeOf('/earn', () => Promise.reject(error))]
    const loaded = await loadPage(routes, deps, url('/earn'), onError)
    expect(loaded).toMatchObject({ module: '/earn.tsx', page: { Page }, failure })
    expect(onError.mock.calls).toEqual([[error]])
  }
  expect(await loadPage([], deps, url('/nowhere'))).toMatchObject({ page: null, failure: { status: 404 } })
  const known = { status: 404, reference: '' }
  expect(await loadPageCode([], url('/nowhere'), known)).toMatchObject({ page: null, failure: known })
})

test('a redirect of a route or of its data is followed, and is no failure', async () => {
  const onError = vi.fn()
  const routes: Route[] = [
    { path: '/merchants', redirectFrom: ({ search }) => new Redirect(`/search${search}`) },
    routeOf('/account/overview', () => Promise.reject(new Redirect('/login'))),
  ]
  for (const [path, to] of [
    ['/merchants?q=a', '/search?q=a'],
    ['/account/overview', '/login'],
  ] as const) {
    const thrown = await loadPage(routes, deps, url(path), onError).catch((error: unknown) => error)
    expect([path, thrown]).toEqual([path, new Redirect(to)])
  }
  expect(onError).not.toHaveBeenCalled()
})

test('a page whose code is gone since a deployment is loaded as a document by a browser, and fails on the server', async () => {
  const routes: Route[] = [routeOf('/earn', undefined, () => Promise.reject(new TypeError('no such file')))]
  const thrown = await loadPage(routes, { ...deps, versionCheck }, url('/earn?a=1#b')).catch((error: unknown) => error)
  expect(thrown).toEqual(new Redirect('/earn?a=1#b', true))
  expect(await loadPage(routes, deps, url('/earn'))).toMatchObject({ page: null, failure: { status: 500 } })
})

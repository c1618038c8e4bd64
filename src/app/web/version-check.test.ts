import { beforeEach, expect, test, vi } from 'vitest'
import { ApiCallError } from '../../platform/browser/api.ts'
import { PageNotFound, Redirect } from '../../platform/browser/router/redirect.ts'
import { createVersionCheck } from './version-check.ts'

beforeEach(() => void vi.stubGlobal('window', { location: { pathname: '/' } }))

const url = new URL('https://skyharbor.example/search?location=10001#map')

/** Returns a check of version `v1`, and how often it requested the version; `now` is what the server has. */
function check(now: string | Error) {
  const request = vi.fn(async () => {
    if (now instanceof Error) throw now
    versionCheck.record(now)
    return { version: now }
  })
  const versionCheck = createVersionCheck('v1', () => ({ call: request }) as never)
  return { versionCheck, request }
}

const outcomeOf = (loading: Promise<void>) =>
  loading.then(
    () => 'shown',
    (thrown: unknown) => (thrown instanceof Redirect && thrown.isDocument ? thrown.to : thrown),
  )

test('a page whose data carries the version of the document needs no request for the version', async () => {
  const { versionCheck, request } = check('v1')
  expect(await outcomeOf(versionCheck.load(url, async () => versionCheck.record('v1')))).toBe('shown')
  expect(request).not.toHaveBeenCalled()
})

test('a page whose data carries another version is loaded as a new document', async () => {
  const { versionCheck } = check('v1')
  const loading = versionCheck.load(url, async () => versionCheck.record('v2'))
  expect(await outcomeOf(loading)).toBe('/search?location=10001#map')
})

test('a page that fails with data of another version is loaded as a new document', async () => {
  const { versionCheck } = check('v1')
  const loading = versionCheck.load(url, async () => {
    versionCheck.record('v2')
    throw new ApiCallError(404, { code: 'notFound' })
  })
  expect(await outcomeOf(loading)).toBe('/search?location=10001#map')
})

test('a page that needs no data requests the version', async () => {
  expect(await outcomeOf(check('v1').versionCheck.load(url, async () => {}))).toBe('shown')
  expect(await outcomeOf(check('v2').versionCheck.load(url, async () => {}))).toBe('/search?location=10001#map')
})

test('a version that an earlier response carried is remembered', async () => {
  const { versionCheck } = check('v2')
  versionCheck.record('v2')
  expect(await outcomeOf(versionCheck.load(url, async () => {}))).toBe('/search?location=10001#map')
})

test('without a response the page is shown; offline a new document is loaded, which the service worker has', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const unreachable = new ApiCallError(0, { code: 'offline' })
  expect(await outcomeOf(check(unreachable).versionCheck.load(url, async () => {}))).toBe('shown')
  vi.stubGlobal('navigator', { onLine: false })
  expect(await outcomeOf(check(unreachable).versionCheck.load(url, async () => {}))).toBe('/search?location=10001#map')
  const failed = check('v1').versionCheck.load(url, () => Promise.reject(unreachable))
  expect(await outcomeOf(failed)).toBe('/search?location=10001#map')
})

test('offline, a change within a page that shows its own failures stays on the page', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('window', { location: { pathname: '/search' } })
  const unreachable = new ApiCallError(0, { code: 'offline' })
  expect(await outcomeOf(check(unreachable).versionCheck.load(url, async () => {}))).toBe('shown')
  const failed = check(unreachable).versionCheck.load(url, () => Promise.reject(unreachable))
  expect(await outcomeOf(failed)).toBe('/search?location=10001#map')
  expect(await outcomeOf(check('v2').versionCheck.load(url, async () => {}))).toBe('/search?location=10001#map')
})

test('a page that this document does not know requests the version: the program may have it meanwhile', async () => {
  const notFound = async () => {
    throw new PageNotFound()
  }
  expect(await outcomeOf(check('v2').versionCheck.load(url, notFound))).toBe('/search?location=10001#map')
  const { versionCheck } = check('v1')
  await expect(versionCheck.load(url, notFound)).rejects.toBeInstanceOf(PageNotFound)
})

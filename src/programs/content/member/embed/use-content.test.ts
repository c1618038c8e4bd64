import { expect, test, vi } from 'vitest'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { QueryCache } from '../../../../platform/browser/query-cache.ts'
import { MINUTE } from '../../../../platform/time.ts'
import { laterContentNames } from '../../contract.ts'
import { contentQuery, prefetchAllContent } from './use-content.ts'

/** Returns a cache with what a page contains of its home content, and its query; `call` answers the request. */
function openHome(call: () => Promise<unknown>) {
  const cache = new QueryCache()
  const source = { api: { call } as never, config: { cmsRoute: 'cms', cmsPreview: false } as never, preview: false }
  const query = contentQuery(source, 'home')
  cache.set(query.key, { data: ['shown'] as never[], partial: true })
  return { cache, query }
}

test('content that a page contains partly is completed, and kept when that fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const complete = openHome(async () => ({ data: ['shown', 'other'] }))
  expect(await complete.cache.fetch(complete.query)).toEqual({ data: ['shown', 'other'] })
  const failing = openHome(() => Promise.reject(new Error('no connection')))
  expect(await failing.cache.fetch(failing.query)).toEqual({ data: ['shown'], partial: true })
})

test('missing content and a missing network are noted, any other failure is an error', async () => {
  const lines: string[] = []
  for (const level of ['info', 'error'] as const)
    vi.spyOn(console, level).mockImplementation((text) =>
      lines.push(`${level}: ${String(text).replace(/ at .*| from .*/, '')}`),
    )
  const failures = [404, 0, 500].map((status) => new ApiCallError(status, { code: 'x' }))
  for (const failure of [...failures, new Error('cut off')]) {
    const { query } = openHome(() => Promise.reject(failure))
    const result = await new QueryCache().fetch(query)
    expect(result).toEqual({ data: [], failed: true })
    expect((query.staleTime as (data: typeof result) => number)(result)).toBe(MINUTE)
  }
  expect(lines).toEqual([
    'info: No CMS copy found',
    'info: CMS copy out of reach',
    'error: CMS copy not loaded',
    'error: CMS copy not loaded',
  ])
})

test('CMS-018 the content of later pages comes from one file, and by calls when that fails, each once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const file = Object.fromEntries(laterContentNames.map((name) => [name, [{ slug: name }]]))
  const interrupted = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) })
  const answers = [
    { answer: Response.json(file), isUsed: true },
    { answer: new Response(null, { status: 500 }), isUsed: false },
    { answer: new Response(interrupted), isUsed: false },
  ]
  for (const { answer, isUsed } of answers) {
    const cache = new QueryCache()
    const call = vi.fn(async () => ({ data: ['called'] }))
    const source = { api: { call } as never, config: { cmsRoute: 'cms', cmsPreview: false } as never, preview: false }
    const load = vi.fn(async () => answer)
    const prefetched = prefetchAllContent({ ...source, cache }, { href: '/later.json', load })
    // A component that appears meanwhile.
    await cache.fetch(contentQuery(source, 'surveys'))
    await prefetched
    const found = await Promise.all(laterContentNames.map((name) => cache.fetch(contentQuery(source, name))))
    const wanted = laterContentNames.map((name) => ({ data: isUsed ? [{ slug: name }] : ['called'] }))
    expect([found, load.mock.calls.length]).toEqual([wanted, 1])
    expect(call).toHaveBeenCalledTimes(isUsed ? 0 : laterContentNames.length + 3)
  }
})

import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { contentQuery } from './use-content.ts'

/** Returns a cache with what a page contains of its home content, and its query; `call` answers the request. */
function openHome(call: () => Promise<unknown>) {
  const cache = new QueryClient()
  const source = { api: { call } as never, config: { cmsRoute: 'cms', cmsPreview: false } as never, preview: false }
  const query = contentQuery(source, 'home')
  cache.setQueryData(query.queryKey, { data: ['shown'] as never[], partial: true })
  return { cache, query }
}

test('content that a page contains partly is completed, and kept when that fails', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const complete = openHome(async () => ({ data: ['shown', 'other'] }))
  expect(await complete.cache.fetchQuery(complete.query)).toEqual({ data: ['shown', 'other'] })
  const failing = openHome(() => Promise.reject(new Error('no connection')))
  expect(await failing.cache.fetchQuery(failing.query)).toEqual({ data: ['shown'], partial: true })
})

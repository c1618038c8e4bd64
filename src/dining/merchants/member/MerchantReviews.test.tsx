import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'

test('a review has the day of its visit, whatever the time zone of the browser is', async () => {
  vi.resetModules()
  vi.stubEnv('TZ', 'America/Los_Angeles')
  const { apiQuery } = await import('../../../platform/browser/query.ts')
  const { QueryCache } = await import('../../../platform/browser/query-cache.ts')
  const { QueryCacheContext } = await import('../../../platform/browser/use-query.ts')
  const { ApiContext } = await import('../../../platform/browser/write-api.ts')
  const { getMerchantReviews } = await import('../contract.ts')
  const { MerchantReviews, reviewsOf } = await import('./MerchantReviews.tsx')
  const api = { call: () => Promise.reject(new Error('not called')) }
  const cache = new QueryCache()
  const review = { author: 'Ada L.', rating: 5, body: 'Warm bread.', visitedOn: '2026-03-01' }
  const page = { data: [review], totalPages: 1 }
  cache.set(apiQuery(api, getMerchantReviews, reviewsOf('m-1')).key, page as never)
  const html = renderToString(
    <ApiContext value={api}>
      <QueryCacheContext value={cache}>
        <MerchantReviews merchantId="m-1" />
      </QueryCacheContext>
    </ApiContext>,
  )
  expect(html).toContain('<time dateTime="2026-03-01">Mar 1, 2026</time>')
})

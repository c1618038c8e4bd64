import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { merchantsCopy } from '../copy.ts'

/** Returns what the page shows of a restaurant whose reviews are loaded, or are loading. */
async function render(reviews: object[] | null): Promise<string> {
  const { apiQuery } = await import('../../../platform/browser/query.ts')
  const { QueryCache } = await import('../../../platform/browser/query-cache.ts')
  const { QueryCacheContext } = await import('../../../platform/browser/use-query.ts')
  const { ApiContext } = await import('../../../platform/browser/write-api.ts')
  const { MessagesContext } = await import('../../../programs/content/member/embed/use-copy.tsx')
  const { getMerchantReviews } = await import('../contract.ts')
  const { MerchantReviews, reviewsOf } = await import('./MerchantReviews.tsx')
  const api = { call: () => Promise.reject(new Error('not called')) }
  const cache = new QueryCache()
  const page = { data: reviews, totalPages: 1 }
  if (reviews) cache.set(apiQuery(api, getMerchantReviews, reviewsOf('m-1')).key, page as never)
  return renderToString(
    <MessagesContext value={{ messages: merchantsCopy, tokens: {} }}>
      <ApiContext value={api}>
        <QueryCacheContext value={cache}>
          <MerchantReviews merchantId="m-1" />
        </QueryCacheContext>
      </ApiContext>
    </MessagesContext>,
  )
}

test('a review has the day of its visit, whatever the time zone of the browser is', async () => {
  vi.resetModules()
  vi.stubEnv('TZ', 'America/Los_Angeles')
  const review = { author: 'Ada L.', rating: 5, body: 'Warm bread.', visitedOn: '2026-03-01' }
  const html = await render([review])
  expect(html).toContain('<time dateTime="2026-03-01">Mar 1, 2026</time>')
})

test('a restaurant has no reviews only when they are loaded', async () => {
  expect(await render([])).toContain('No reviews yet.')
  expect(await render(null)).not.toContain('No reviews yet.')
})

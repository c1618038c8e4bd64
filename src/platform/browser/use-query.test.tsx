import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type Query, QueryCache } from './query-cache.ts'
import { QueryCacheContext, type QueryOptions, useQuery } from './use-query.ts'

const query: Query<string> = { key: ['a'], load: () => Promise.reject(new Error('no connection')) }

function Shown({ options, results }: { options: QueryOptions; results: unknown[] }) {
  const { data, error, isPending, isError } = useQuery(query, options)
  results.push({ data, error: error instanceof Error ? error.message : error, isPending, isError })
  return null
}

/** Returns what a component shows at its first rendering. */
function firstResult(cache: QueryCache, options: QueryOptions) {
  const results: unknown[] = []
  renderToString(
    <QueryCacheContext value={cache}>
      <Shown options={options} results={results} />
    </QueryCacheContext>,
  )
  return results[0]
}

test('a component that appears after a failure shows none while it repeats the request, unless it does not repeat it', async () => {
  const cache = new QueryCache()
  await cache.prefetch(query)
  const failed = { data: undefined, error: 'no connection', isPending: false, isError: true }
  expect(firstResult(cache, {})).toEqual({ data: undefined, error: null, isPending: true, isError: false })
  expect(firstResult(cache, { retryOnMount: false })).toEqual(failed)
  expect(firstResult(cache, { enabled: false })).toEqual(failed)
})

import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineCall, defineSchemas } from '../call.ts'
import { apiQuery, useApiQueryOnce } from './query.ts'
import { type Query, QueryCache } from './query-cache.ts'
import { QueryCacheContext, type QueryOptions, useQuery } from './use-query.ts'
import { ApiContext } from './write-api.ts'

const query: Query<string> = { key: ['a'], load: () => Promise.reject(new Error('no connection')) }

function Shown({ options, results }: { options: QueryOptions; results: unknown[] }) {
  const { data, error, isPending, isError } = useQuery(query, options)
  results.push({ data, error: error instanceof Error ? error.message : error, isPending, isError })
  return null
}

const schemas = defineSchemas({ summary: 'x', reply: z.string() })
const read = defineCall<typeof schemas>()({ id: 'read', method: 'GET', path: '/api/things', access: 'anyone' })

function ShownOnce({ results }: { results: unknown[] }) {
  results.push(useApiQueryOnce(read, {}))
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

test('a query that runs once per page is not repeated by a component that appears after its failure', async () => {
  const api = { call: () => Promise.reject(new Error('no connection')) }
  const cache = new QueryCache()
  await cache.prefetch(apiQuery(api, read, {}))
  const results: unknown[] = []
  renderToString(
    <ApiContext value={api}>
      <QueryCacheContext value={cache}>
        <ShownOnce results={results} />
      </QueryCacheContext>
    </ApiContext>,
  )
  expect(results).toMatchObject([{ isPending: false, isError: true, isFetching: false }])
})

import { Suspense, useLayoutEffect } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { type Query, QueryCache } from '../../src/platform/browser/query-cache.ts'
import { QueryCacheContext, useQuery, useSuspenseQuery } from '../../src/platform/browser/use-query.ts'

const query: Query<string> = { key: ['member'], load: async () => 'loaded again' }

type Change = (cache: QueryCache) => void

function Both() {
  const { data = 'none' } = useQuery(query)
  return (
    <p>
      {data} {useSuspenseQuery(query)}
    </p>
  )
}

function Page({ cache, change }: { cache: QueryCache; change: Change }) {
  // Before the boundary below is hydrated, which React does in a turn of its own.
  useLayoutEffect(() => change(cache), [cache, change])
  return (
    <QueryCacheContext value={cache}>
      <Suspense>
        <Both />
      </Suspense>
    </QueryCacheContext>
  )
}

const createCache = () => {
  const cache = new QueryCache()
  cache.set(query.key, 'of the server')
  return cache
}

/** Hydrates what a server has rendered, and changes the cache meanwhile. Returns what React has reported. */
export function hydrateWhile(change: Change): { errors: string[]; text: () => string; end: () => void } {
  const none = () => {}
  document.body.innerHTML = renderToString(<Page cache={createCache()} change={none} />)
  const errors: string[] = []
  const cache = createCache()
  cache.keepServed()
  const root = hydrateRoot(document.body, <Page cache={cache} change={change} />, {
    onRecoverableError: (error) => errors.push(String(error)),
  })
  return { errors, text: () => document.body.textContent ?? '', end: () => root.unmount() }
}

import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../platform/browser/api.ts'
import { MINUTE } from '../../platform/time.ts'

/** Creates the cache of one page life (browser) or one request (server). */
export function createCache(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: MINUTE,
        retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0,
        throwOnError: false,
      },
    },
  })
}

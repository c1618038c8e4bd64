import { QueryClient } from '@tanstack/react-query'
import { MINUTE } from '../../kit/time.ts'
import { ApiError } from '../../kit/web/api.ts'

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

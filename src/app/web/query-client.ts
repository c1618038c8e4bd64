import { QueryClient } from '@tanstack/react-query'
import { ApiCallError } from '../../platform/browser/api.ts'
import { MINUTE } from '../../platform/time.ts'

/** Creates the cache of one page life (browser) or one request (server). */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: MINUTE,
        retry: (count, error) => count < 2 && error instanceof ApiCallError && error.status === 0,
        throwOnError: false,
      },
    },
  })
}

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { ApiCallError, type ReadApi } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi } from '../../../../platform/browser/query.ts'
import { getMember, type Member } from '../../contract.ts'

/** The query for the signed-in member; null means a visitor and is not an error. */
export function memberQuery(api: ReadApi) {
  return {
    queryKey: apiQueryKey(getMember, {}),
    queryFn: async (): Promise<Member | null> => {
      try {
        return await api.call(getMember, {})
      } catch (error) {
        if (error instanceof ApiCallError && error.status === 401) return null
        throw error
      }
    },
    retry: false,
  }
}

/** Returns the signed-in member, or null for a visitor. */
export function useMember(): Member | null {
  return useSuspenseQuery(memberQuery(useApi())).data
}

/** Refetches the signed-in member and evicts the cached data of any other. */
export function useRefreshMember(): () => Promise<Member | null> {
  const api = useApi()
  const cache = useQueryClient()
  return async () => {
    const personal = apiQueryKey(getMember, {})[0]
    cache.removeQueries({ type: 'inactive', predicate: ({ queryKey }) => queryKey[0] !== personal })
    return cache.fetchQuery({ ...memberQuery(api), staleTime: 0 })
  }
}

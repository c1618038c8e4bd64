import { ApiCallError, type ReadApi } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi } from '../../../../platform/browser/query.ts'
import { useQueryCache, useSuspenseQuery } from '../../../../platform/browser/use-query.ts'
import { getMember, type Member } from '../../contract.ts'

/** The query for the signed-in member; null means a visitor and is not an error. */
export function memberQuery(api: ReadApi) {
  return {
    key: apiQueryKey(getMember, {}),
    load: async (): Promise<Member | null> => {
      try {
        return await api.call(getMember, {})
      } catch (error) {
        if (error instanceof ApiCallError && error.status === 401) return null
        throw error
      }
    },
  }
}

/** Returns the signed-in member, or null for a visitor. */
export function useMember(): Member | null {
  return useSuspenseQuery(memberQuery(useApi()))
}

/** Refetches the signed-in member and evicts the cached data of any other. */
export function useRefreshMember(): () => Promise<Member | null> {
  const api = useApi()
  const cache = useQueryCache()
  return async () => {
    const personal = apiQueryKey(getMember, {})[0]
    cache.removeUnused(([id]) => id !== personal)
    return cache.fetch({ ...memberQuery(api), staleTime: 0 })
  }
}

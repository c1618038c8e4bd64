import { ApiCallError, type ReadApi } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi } from '../../../../platform/browser/query.ts'
import type { QueryKey } from '../../../../platform/browser/query-cache.ts'
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

const personal = apiQueryKey(getMember, {})[0]

/** Whether a query is another one than that for the member: its data may depend on who the member is. */
export const isOtherThanMember = ([id]: QueryKey): boolean => id !== personal

/**
 * Requests the signed-in member again and evicts the cached data of any other. A request under way does not count: its
 * answer may be older than the change.
 */
export function useRefreshMember(): () => Promise<Member | null> {
  const api = useApi()
  const cache = useQueryCache()
  return async () => {
    cache.removeUnused(isOtherThanMember)
    const query = memberQuery(api)
    return cache.request(cache.entryOf<Member | null>(query.key), query, { restarts: true })
  }
}

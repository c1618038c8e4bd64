import { apiQuery, type PageArgs, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { listCards, type MemberCard } from '../../contract.ts'

/** The member's linked cards, for pages of other features: `use` returns what `load` has fetched. */
export const memberCardsQuery = {
  load: async ({ api, cache }: PageArgs): Promise<void> => {
    await cache.ensure(apiQuery(api, listCards, {}))
  },
  use: (): readonly MemberCard[] => useApiSuspenseQuery(listCards, {}),
}

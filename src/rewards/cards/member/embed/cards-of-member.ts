import { ask, type PageArgs, useAnswer } from '../../../../platform/browser/query.ts'
import { listCards, type MemberCard } from '../../contract.ts'

/** The member's linked cards, for pages of other features: `use` returns what `load` has fetched. */
export const cardsOfMember = {
  load: async ({ api, cache }: PageArgs): Promise<void> => {
    await cache.ensureQueryData(ask(api, listCards, {}))
  },
  use: (): readonly MemberCard[] => useAnswer(listCards, {}),
}

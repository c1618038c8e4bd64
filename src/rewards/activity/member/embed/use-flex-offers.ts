import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useApiQuery } from '../../../../platform/browser/query.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { listFlexOffers } from '../../contract.ts'

/** Returns a function that finds the member's personal offer at a restaurant, from one query for all. */
export function useFlexOffers(): (merchantId: string) => string | null {
  const { hasFlexOffers } = useProgram().config
  const isMember = useMember() !== null
  const { data } = useApiQuery(listFlexOffers, {}, { enabled: isMember && hasFlexOffers })
  // What was loaded for a member is not shown to the visitor after the session.
  const offers = isMember ? data?.offers : undefined
  return (merchantId) => offers?.find((offer) => offer.merchantId === merchantId)?.webMessageOfferAmount ?? null
}

/** Returns the member's personal offer at a restaurant; null without one. */
export function useFlexOffer(merchantId: string): string | null {
  return useFlexOffers()(merchantId)
}

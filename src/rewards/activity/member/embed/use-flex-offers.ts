import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useApiQuery } from '../../../../platform/browser/query.ts'
import { useProgram } from '../../../../programs/partners/member/embed/use-program.ts'
import { getFlexOffer, listFlexOffers } from '../../contract.ts'

/** Returns the member's personal offer at a restaurant, from one query for all; null without one. */
export function useFlexOffer(merchantId: string): string | null {
  const { hasFlexOffers } = useProgram().config
  const enabled = useMember() !== null && hasFlexOffers
  const { data } = useApiQuery(listFlexOffers, {}, { enabled })
  return data?.offers.find((offer) => offer.merchantId === merchantId)?.webMessageOfferAmount ?? null
}

/** Returns the same for one restaurant's page, queried individually. */
export function useFlexOfferAt(merchantId: string): string | null {
  const { hasFlexOffers } = useProgram().config
  const publicId = useMember()?.publicId ?? ''
  const { data } = useApiQuery(
    getFlexOffer,
    { params: { merchantId, publicId } },
    { enabled: hasFlexOffers && publicId !== '' },
  )
  return data?.webMessageOfferAmount ?? null
}

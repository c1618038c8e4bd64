import { useDeferredValue } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useApiQuery } from '../../../../platform/browser/query.ts'
import { searchMerchants } from '../../contract.ts'
import { radiusLimit } from '../../names.ts'

export interface NamedMerchant {
  id: string
  name: string
  /** The name with the city, which distinguishes branches of a chain. */
  text: string
}

const minLength = 3

/** Returns restaurants whose name matches the typed text, nearest to the member's home first. */
export function useNamedMerchants(typed: string): NamedMerchant[] {
  const member = useMember()
  const searchText = useDeferredValue(typed.split(',')[0]?.trim() ?? '')
  const location = member?.address.zipCode ?? ''
  const result = useApiQuery(
    searchMerchants,
    {
      query: {
        restaurantOrCuisine: searchText.slice(0, 80),
        pageSize: 8,
        ...(location !== '' && { location, radius: radiusLimit }),
      },
    },
    { enabled: searchText.length >= minLength },
  )
  return (result.data?.merchants ?? []).map(({ id, name, location: { address } }) => ({
    id,
    name,
    text: `${name}, ${address.city}`,
  }))
}

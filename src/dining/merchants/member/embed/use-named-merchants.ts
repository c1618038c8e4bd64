import { useDeferredValue } from 'react'
import { useMember } from '../../../../identity/members/member/embed/use-member.ts'
import { useApiQuery } from '../../../../platform/browser/query.ts'
import { searchMerchants } from '../../contract.ts'
import { radiusLimit } from '../../names.ts'

export interface NamedMerchant {
  id: string
  name: string
  /** The name with the city, and with the street where two would be the same. */
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
  const merchants = result.data?.merchants ?? []
  const texts = merchants.map(({ name, location: { address } }) => `${name}, ${address.city}`)
  return merchants.map(({ id, name, location: { address } }, index) => {
    const text = texts[index] as string
    const isShared = address.address1 !== '' && texts.indexOf(text) !== texts.lastIndexOf(text)
    return { id, name, text: isShared ? `${name}, ${address.address1}, ${address.city}` : text }
  })
}

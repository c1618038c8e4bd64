/** What the network says about the place of an unmatched transaction. */
export interface Place {
  name: string
  locationId: string
  address: string
  city: string
  zipCode: string
}

export interface Candidate {
  name: string
  networkIds: readonly string[]
  address1: string
  city: string
  zipCode: string
}

const words = (text: string) => [
  ...new Set(
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} ]/gu, '')
      .split(/\s+/)
      .filter((word) => word !== '' && !['the', 'and', 'restaurant'].includes(word)),
  ),
]

/** Returns how likely a restaurant is the one of a transaction, and why; 0 when nothing speaks for it. */
export function likenessOfRestaurant(place: Place, candidate: Candidate): { score: number; why: string[] } {
  const found: [number, string][] = []
  const [own, other] = [words(place.name), words(candidate.name)]
  const shared = own.filter((word) => other.includes(word)).length
  if (own.join(' ') === other.join(' ') && own.length > 0) found.push([50, 'has the same name'])
  else if (shared > 0 && shared * 2 >= Math.min(own.length, other.length)) found.push([25, 'has a similar name'])
  if (candidate.networkIds.some((id) => areNear(id, place.locationId))) found.push([30, 'has a similar network id'])
  const [street, otherStreet] = [words(place.address).join(' '), words(candidate.address1).join(' ')]
  if (street !== '' && street === otherStreet) found.push([40, 'has the same address'])
  if (place.zipCode !== '' && place.zipCode.slice(0, 5) === candidate.zipCode.slice(0, 5))
    found.push([10, 'has the same ZIP code'])
  else if (place.city !== '' && place.city.toLowerCase() === candidate.city.toLowerCase())
    found.push([5, 'is in the same city'])
  return { score: found.reduce((sum, [score]) => sum + score, 0), why: found.map(([, why]) => why) }
}

/** Returns whether two ids differ at most in their last characters, as those of terminals at one place do. */
function areNear(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same++
  const longer = Math.max(a.length, b.length)
  return a !== b && same >= 4 && longer - same <= 3
}

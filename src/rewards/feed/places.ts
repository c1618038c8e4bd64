import { instantOf } from '../../platform/instant.ts'
import { merchantAt, type NetworkMerchant } from '../awards/current-terms.ts'
import type { FeedMessage } from './message.ts'

/** Where a message says that it happened. */
export interface Place {
  /** Equal for all network ids of a restaurant. */
  key: string
  /** The keys of where it may have been: of all restaurants of the location, while none has it on that day. */
  keys: readonly string[]
  timeZone: string
}

/** Returns the place of a message: the restaurant that its location has on its day. */
export type PlaceOf = (message: Pick<FeedMessage, 'locationId' | 'datetime'>) => Place

/** Knows no restaurants: each location is a place of its own, with times in UTC. */
export const placeByLocation: PlaceOf = ({ locationId }) => ({
  key: locationId,
  keys: [locationId],
  timeZone: 'UTC',
})

/** Returns places by the restaurants of network ids. */
export function placesAmong(merchants: ReadonlyMap<string, readonly NetworkMerchant[]>): PlaceOf {
  return (message) => {
    const candidates = merchants.get(message.locationId)
    const timeZone = candidates?.[0]?.terms.timeZone
    if (!candidates || timeZone === undefined) return placeByLocation(message)
    const found = merchantAt(candidates, (zone) => instantOf(message.datetime, zone))
    if (found) return { key: keyOf(found), keys: [keyOf(found)], timeZone: found.terms.timeZone }
    // The restaurant may have had the id before it was stored.
    return { key: message.locationId, keys: [message.locationId, ...candidates.map(keyOf)], timeZone }
  }
}

const keyOf = ({ id }: NetworkMerchant) => `restaurant ${id}`

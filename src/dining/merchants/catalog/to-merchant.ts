import type { Merchant, Offer, SearchResponse } from '../contract.ts'
import { meanRating, offersOn } from '../rules.ts'
import type { MerchantRow } from './store.ts'

/** Maps a row to what cards and pages show. `today` is the local date of the restaurant. */
export function toMerchant(
  row: MerchantRow,
  seen: { miles: number | null; origin: SearchResponse['origin']; today: string },
): Merchant {
  const { miles, origin, today } = seen
  const offer = offersOn(row.offers, today)[0]
  return {
    id: row.publicId,
    name: row.name,
    images: { imageBaseUrl: `/art/${row.publicId}` },
    details: {
      rating: { overallRating: meanRating(row.ratingSum, row.ratingCount), numberOfRatings: row.ratingCount },
      priceRange: row.priceRange,
      cuisines: row.cuisines,
      highlight: {
        comingSoon: row.highlight === 'comingSoon',
        leavingSoon: row.highlight === 'leavingSoon',
        new: row.highlight === 'new',
        acclaimed: row.highlight === 'acclaimed',
      },
    },
    location: {
      address: { address1: row.address1, city: row.city, state: row.state, zipCode: row.zipCode },
      neighborhood: row.neighborhood,
      latitude: row.latitude,
      longitude: row.longitude,
      phone: row.phone,
    },
    distance: miles === null ? null : roundMiles(miles),
    origin: origin?.label ?? null,
    acclaimedLevel: row.acclaimedLevel,
    benefitAvailability: { campaignCodes: row.campaignCodes },
    reservationProviders: row.reservationProvider ? [row.reservationProvider] : [],
    earn: offer ? toEarn(offer) : null,
  }
}

/** Returns miles to two decimals. */
export function roundMiles(miles: number): number {
  return Math.round(miles * 100) / 100
}

/** Maps the best offer of a day to what cards and pins show of it. */
export function toEarn({ type, days, ratePercent, hours, minSpendCents }: Offer): NonNullable<Merchant['earn']> {
  return { type, days, ratePercent, ...(hours && { hours }), ...(minSpendCents > 0 && { minSpendCents }) }
}

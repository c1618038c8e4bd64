import type { MerchantDetail } from '../contract.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** Returns the restaurant as schema.org/Restaurant; unknown values are omitted. */
export function structuredData(merchant: MerchantDetail, page: { url: string; image: string }): object {
  const { details, location, hours } = merchant
  const { rating, priceRange, cuisines } = details
  const { address1, city, state, zipCode } = location.address
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': page.url,
    name: merchant.name,
    url: page.url,
    image: page.image,
    ...(merchant.description && { description: merchant.description }),
    ...(location.phone && { telephone: location.phone }),
    ...(merchant.website && { sameAs: [merchant.website] }),
    ...(cuisines.length > 0 && { servesCuisine: cuisines }),
    ...(priceRange > 0 && { priceRange: '$'.repeat(priceRange) }),
    ...(merchant.menuUrl && { hasMenu: merchant.menuUrl }),
    acceptsReservations: merchant.reservationProviders.length > 0,
    address: {
      '@type': 'PostalAddress',
      ...(address1 && { streetAddress: address1 }),
      addressLocality: city,
      addressRegion: state,
      ...(zipCode && { postalCode: zipCode }),
      addressCountry: 'US',
    },
    geo: { '@type': 'GeoCoordinates', latitude: location.latitude, longitude: location.longitude },
    ...(rating.numberOfRatings > 0 && {
      aggregateRating: {
        '@type': 'AggregateRating',
        ratingValue: rating.overallRating,
        reviewCount: rating.numberOfRatings,
        bestRating: 5,
      },
    }),
    ...(hours && {
      openingHoursSpecification: days.flatMap((dayOfWeek, day) =>
        (hours[String(day)] ?? []).map(([opens, closes]) => ({
          '@type': 'OpeningHoursSpecification',
          dayOfWeek,
          opens,
          closes: closes >= '24:00' ? '23:59' : closes,
        })),
      ),
    }),
  }
}

/** Serializes JSON for a script element, escaped so that it cannot close the element. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}

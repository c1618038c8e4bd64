import type { Merchant, MerchantDetail } from '../contract.ts'

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

/** Returns a page of restaurants as schema.org/ItemList. */
export function itemList(merchants: readonly Merchant[], { name, origin }: { name: string; origin: string }): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    name,
    itemListElement: merchants.map((merchant, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: merchant.name,
      url: `${origin}/merchants/${merchant.id}`,
    })),
  }
}

/** Returns the way to a page as schema.org/BreadcrumbList. */
export function breadcrumbList(crumbs: readonly { name: string; path: string }[], origin: string): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + path,
    })),
  }
}

/** Serializes JSON for a script element, escaped so that it cannot close the element. */
export function scriptJson(data: object): string {
  return JSON.stringify(data).replace(/</g, '\\u003c')
}

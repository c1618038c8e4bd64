/** Marketing parameters of an address: its name there, and ours. */
export const marketingNames = {
  utm_term: 'utmTerm',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_source: 'utmSource',
  utm_content: 'utmContent',
  referrer: 'referrer',
  source: 'source',
} as const

export type MarketingValues = Partial<Record<(typeof marketingNames)[keyof typeof marketingNames], string>>

/** Long values would swell every request until the server refuses the visitor. */
export const mostMarketingCharacters = 100

/** The marketing values of an address; empty when it has none. */
export function marketingOf(search: URLSearchParams): MarketingValues {
  const found = Object.entries(marketingNames).flatMap(([name, key]) => {
    const value = search.get(name)
    return value ? [[key, value.slice(0, mostMarketingCharacters)]] : []
  })
  return Object.fromEntries(found)
}

/** Remembers the public id of an invitation, so that its visitor is known the next time too. */
export const publicIdCookie = 'public_id'

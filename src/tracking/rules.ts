import { MINUTE, SECOND } from '../kit/time.ts'

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

export type MarketingName = keyof typeof marketingNames
export type MarketingValues = Partial<Record<(typeof marketingNames)[MarketingName], string>>

/** Long values would swell every request until the server refuses the visitor. */
export const mostMarketingCharacters = 100
/** Bytes of a value as a cookie carries it. */
const mostCookieBytes = 300
/** How long the cookies of a visit's marketing values stay: 2880 minutes. */
export const marketingStays = 2880 * MINUTE

/** A page view counts once the page has been looked at this long. */
export const pageViewDelay = SECOND / 2
/** What is seen for this long, to this share, was seen. */
export const impressionDelay = 150
export const impressionThreshold = 0.8

/** Pages that say why an invitation led to them. */
const invitedPaths = new Set(['/join', '/login'])

/** What a page view names: the path, and why an invitation led here (`rfr`). Nothing else of an address is recorded. */
export function pageViewUrl({ pathname, search }: { pathname: string; search: string }): string {
  const reason = new URLSearchParams(search).get('rfr')
  return invitedPaths.has(pathname) && /^[0-4]$/.test(reason ?? '') ? `${pathname}?rfr=${reason}` : pathname
}

/** Remembers the public id of an invitation, so that its visitor is known the next time too. */
export const publicIdCookie = 'public_id'
const publicIdShape = /^[\w-]{22}$/

/** The marketing values of an address; empty when it has none. */
export function marketingOf(search: URLSearchParams): MarketingValues {
  const found = Object.entries(marketingNames).flatMap(([name, key]) => {
    const value = search.get(name)
    return value ? [[key, cut(value)]] : []
  })
  return Object.fromEntries(found)
}

// By characters, and by what they become in a cookie: one may be twelve bytes there.
function cut(value: string): string {
  let kept = ''
  for (const character of [...value].slice(0, mostMarketingCharacters)) {
    if (encodeURIComponent(kept + character).length > mostCookieBytes) break
    kept += character
  }
  return kept
}

/** The cookies that an address asks to set: none without marketing parameters, otherwise earlier ones go first. */
export function marketingCookies(search: URLSearchParams): string[] {
  const values = marketingOf(search)
  if (Object.keys(values).length === 0) return []
  return Object.entries(marketingNames).map(([name, key]) => {
    const value = values[key]
    const rest = 'path=/;samesite=lax'
    if (value === undefined) return `${name}=;max-age=0;${rest}`
    return `${name}=${encodeURIComponent(value)};max-age=${marketingStays / SECOND};${rest}`
  })
}

/** The marketing values that cookies carry. */
export function marketingOfCookies(cookies: string): MarketingValues {
  const found = cookies.split('; ').flatMap((cookie) => {
    const at = cookie.indexOf('=')
    const name = cookie.slice(0, at)
    if (!Object.hasOwn(marketingNames, name)) return []
    const value = decoded(cookie.slice(at + 1))
    return value ? [[marketingNames[name as MarketingName], value.slice(0, mostMarketingCharacters)]] : []
  })
  return Object.fromEntries(found)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** The cookie that keeps the public id of an address; null when the address has none that could be one. */
export function publicIdCookieOf(search: URLSearchParams): string | null {
  const id = search.get('publicId')
  if (id === null || !publicIdShape.test(id)) return null
  return `${publicIdCookie}=${id};max-age=${marketingStays / SECOND};path=/;samesite=lax`
}

/** The public id that an earlier address left behind. */
export function storedPublicId(cookies: string): string | null {
  const id = cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${publicIdCookie}=`))
    ?.slice(publicIdCookie.length + 1)
  return id !== undefined && publicIdShape.test(id) ? id : null
}

/** Machines that say that they are machines. */
export function isBot(userAgent: string): boolean {
  return /bot\b|crawl|spider|slurp|headlesschrome-lighthouse|preview|monitor/i.test(userAgent)
}

/** Pages where nobody but us may run anything: cards, passwords, personal data. */
export function allowsAdTags(pathname: string): boolean {
  return !/^\/(join|login|add_card|card_added|account|recover|fix_credentials|activate)(\/|$)/.test(pathname)
}

import { MINUTE, SECOND } from '../../platform/time.ts'

/** Marketing parameters: URL name and property name. */
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

/** Maximum length of a value: longer cookies would make requests exceed the server's header limit. */
export const maxMarketingCharacters = 100
/** Maximum bytes of an encoded cookie value. */
const maxCookieBytes = 300
/** Lifetime of the marketing cookies: 2880 minutes. */
export const marketingTtlMs = 2880 * MINUTE

/** A page view counts after this time (milliseconds). */
export const pageViewDelay = SECOND / 2
/** Visible duration (milliseconds) and share of an element that count as an impression. */
export const impressionDelay = 150
export const impressionThreshold = 0.8

/** Returns whether enough of an element is in view for an impression. Of the entries of one callback the last is current. */
export function isInView(entries: readonly Pick<IntersectionObserverEntry, 'intersectionRatio'>[]): boolean {
  return (entries.at(-1)?.intersectionRatio ?? 0) >= impressionThreshold
}

/** Pages whose URL contains the reason of an invitation. */
const invitedPaths = new Set(['/join', '/login'])

/**
 * Returns the recorded URL of a page view: the path and the reason of an invitation (`rfr`). Nothing else of the URL is
 * recorded.
 */
export function pageViewUrl({ pathname, search }: { pathname: string; search: string }): string {
  const reason = new URLSearchParams(search).get('rfr')
  return invitedPaths.has(pathname) && /^[0-4]$/.test(reason ?? '') ? `${pathname}?rfr=${reason}` : pathname
}

/** Cookie with the public id of an invitation, so that the visitor is recognized later. */
export const publicIdCookie = 'public_id'
const publicIdShape = /^[\w-]{22}$/

/** Returns the marketing values of a URL; empty when it has none. */
export function marketingOf(search: URLSearchParams): MarketingValues {
  const found = Object.entries(marketingNames).flatMap(([name, key]) => {
    const value = search.get(name)
    return value ? [[key, cut(value)]] : []
  })
  return Object.fromEntries(found)
}

// Limits characters and encoded bytes: one character can take twelve bytes in a cookie.
function cut(value: string): string {
  let result = ''
  for (const character of [...value].slice(0, maxMarketingCharacters)) {
    if (encodeURIComponent(result + character).length > maxCookieBytes) break
    result += character
  }
  return result
}

/**
 * Returns the cookies to set for a URL: none without marketing parameters; otherwise earlier values are deleted too.
 */
export function marketingCookies(search: URLSearchParams): string[] {
  const values = marketingOf(search)
  if (Object.keys(values).length === 0) return []
  return Object.entries(marketingNames).map(([name, key]) => {
    const value = values[key]
    const rest = 'path=/;samesite=lax'
    if (value === undefined) return `${name}=;max-age=0;${rest}`
    return `${name}=${encodeURIComponent(value)};max-age=${marketingTtlMs / SECOND};${rest}`
  })
}

/** Returns the marketing values of cookies. */
export function marketingOfCookies(cookies: string): MarketingValues {
  const found = cookies.split('; ').flatMap((cookie) => {
    const at = cookie.indexOf('=')
    const name = cookie.slice(0, at)
    if (!Object.hasOwn(marketingNames, name)) return []
    const value = decoded(cookie.slice(at + 1))
    return value ? [[marketingNames[name as MarketingName], cut(value)]] : []
  })
  return Object.fromEntries(found)
}

/** Returns the marketing values of a URL, else those that an earlier page has stored in cookies. */
export function marketingOfVisit(search: URLSearchParams, cookies: string): MarketingValues {
  const here = marketingOf(search)
  return Object.keys(here).length > 0 ? here : marketingOfCookies(cookies)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Returns the cookie with the public id of a URL, or null without a valid one. */
export function publicIdCookieOf(search: URLSearchParams): string | null {
  const id = search.get('publicId')
  if (id === null || !publicIdShape.test(id)) return null
  return `${publicIdCookie}=${id};max-age=${marketingTtlMs / SECOND};path=/;samesite=lax`
}

/** Returns the public id stored by an earlier page. */
export function storedPublicId(cookies: string): string | null {
  const id = cookies
    .split('; ')
    .find((cookie) => cookie.startsWith(`${publicIdCookie}=`))
    ?.slice(publicIdCookie.length + 1)
  return id !== undefined && publicIdShape.test(id) ? id : null
}

/** Returns whether a user agent identifies itself as a bot. */
export function isBot(userAgent: string): boolean {
  return /bot\b|crawl|spider|slurp|headlesschrome-lighthouse|preview|monitor/i.test(userAgent)
}

/** Returns whether third-party scripts are allowed: never on pages with cards, passwords or personal data. */
export function allowsAdTags(pathname: string): boolean {
  return !/^\/(join|login|add_card|card_added|account|recover|fix_credentials|activate)(\/|$)/.test(pathname)
}

/** Recorded visitor events. */
export const eventNames = [
  'PageView',
  'CarouselImpression',
  'CardImpression',
  'MerchantSelected',
  'CardFrameLoaded',
  'CardFrameFailed',
] as const

/** Maximum number of events in one request. */
export const maxEventsPerRequest = 50

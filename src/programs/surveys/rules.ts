import { DAY, SECOND } from '../../platform/time.ts'
import type { ContentFields } from '../content/collections.ts'

/** Days that a closed survey stays hidden, unless its content sets another number. */
export const defaultCookieTimeout = 90
/** Milliseconds after submission until the bar closes. */
export const closesAfter = 4 * SECOND
/** Pixels. */
export const panelHeight = 450

/** A survey from content. */
export interface Survey {
  id: string
  text: string
  /** Seconds. */
  delay: number
  /** Days. */
  cookieTimeout: number
  allowed: readonly string[]
  disallowed: readonly string[]
}

/** Returns the survey of content fields. */
export function toSurvey(fields: ContentFields<'surveys'>): Survey {
  return {
    id: fields.id,
    text: fields.text,
    delay: fields.delay_timeout,
    cookieTimeout: fields.cookie_timeout,
    allowed: fields.url_allow_list.map(({ url_allowed }) => url_allowed),
    disallowed: fields.url_disallow_list.map(({ url_disallowed }) => url_disallowed),
  }
}

/** Returns whether a path starts with a pattern; `*` matches anything. */
export function matchesPath(pathname: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (!pathname.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = pathname.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return true
}

/** Pages where a task is in progress. */
const busyPaths = /^\/(join|login|add_card|card_added|surveys|offline)(\/|$)/

/** Returns the surveys to show on a page, in order. `closedAt` returns when one was closed; null when never. */
export function surveysFor(
  surveys: readonly Survey[],
  { pathname, now, closedAt }: { pathname: string; now: number; closedAt: (id: string) => number | null },
): Survey[] {
  if (busyPaths.test(pathname)) return []
  return surveys.filter(({ id, cookieTimeout, allowed, disallowed }) => {
    const closed = closedAt(id)
    if (closed !== null && now - closed < cookieTimeout * DAY) return false
    if (disallowed.some((pattern) => matchesPath(pathname, pattern))) return false
    return allowed.length === 0 || allowed.some((pattern) => matchesPath(pathname, pattern))
  })
}

/** Returns the URL of a survey's form, with the fields that the form service stores beside the responses. */
export function formAddress(
  formsOrigin: string,
  {
    serviceCode,
    survey,
    campaign,
    pathname,
    publicId,
  }: {
    serviceCode: string
    survey: Pick<Survey, 'id'>
    campaign: string | undefined
    pathname: string
    publicId: string | undefined
  },
): string {
  const url = new URL(`/forms/${serviceCode}/${survey.id}`, formsOrigin)
  url.search = new URLSearchParams({
    view: 'frame',
    utm_campaign: campaign ?? survey.id,
    utm_medium: 'web',
    utm_source: pathname,
    partner_code: serviceCode,
    ...(publicId && { public_id: publicId }),
  }).toString()
  return url.href
}

import { DAY, SECOND } from '../kit/time.ts'

/** A survey that was closed stays away this many days, unless its content says otherwise. */
export const defaultCookieTimeout = 90
/** After the answers have arrived the bar closes by itself. */
export const closesAfter = 4 * SECOND
/** Pixels. */
export const panelHeight = 450

/** A survey as its content has it. */
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

/** A survey of the fields of its content; null when it has no id or no text. */
export function surveyOf(fields: Record<string, unknown>): Survey | null {
  const { id, text, delay_timeout: delay, cookie_timeout: timeout } = fields
  if (typeof id !== 'string' || typeof text !== 'string' || id === '' || text === '') return null
  return {
    id,
    text,
    delay: typeof delay === 'number' && delay > 0 ? delay : 0,
    cookieTimeout: typeof timeout === 'number' ? timeout : defaultCookieTimeout,
    allowed: pathsOf(fields.url_allow_list, 'url_allowed'),
    disallowed: pathsOf(fields.url_disallow_list, 'url_disallowed'),
  }
}

function pathsOf(list: unknown, name: string): string[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item) => (typeof item?.[name] === 'string' ? [item[name]] : []))
}

/** Whether a path begins with a pattern; `*` stands for anything. */
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

/** Pages where somebody is in the middle of something. */
const busyPaths = /^\/(join|login|add_card|card_added|surveys|offline)(\/|$)/

/** The surveys that may show on a page, in their order. `closedAt` tells when one was closed; null when never. */
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

/** The address of a survey's form, with what the form service keeps beside the answers. */
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

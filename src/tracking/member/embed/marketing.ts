import {
  type MarketingValues,
  marketingCookies,
  marketingOf,
  marketingOfCookies,
  publicIdCookieOf,
} from '../../rules.ts'
import { mayTrack } from './privacy.ts'

/** What brought the visitor here: this page's address, else what an earlier one left behind. */
export function marketingValues(): MarketingValues {
  const here = marketingOf(new URLSearchParams(window.location.search))
  return Object.keys(here).length > 0 ? here : marketingOfCookies(document.cookie)
}

/** Keeps what the address says of where the visitor comes from, and who was invited. */
export function keepMarketing(search: URLSearchParams): void {
  // An invitation is followed by its own reader; it says nothing of anybody's ways.
  const invited = publicIdCookieOf(search)
  const cookies = mayTrack() ? marketingCookies(search) : []
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookie store yet
  for (const cookie of invited ? [...cookies, invited] : cookies) document.cookie = cookie
}

import { type MarketingValues, marketingCookies, marketingOfVisit, publicIdCookieOf } from '../../rules.ts'
import { mayTrack } from './privacy.ts'

/** Returns the marketing values of this URL, else those stored by an earlier page. */
export function marketingValues(): MarketingValues {
  return marketingOfVisit(new URLSearchParams(window.location.search), document.cookie)
}

/** Stores the marketing values and the invitation's public id of a URL in cookies. */
export function storeMarketing(search: URLSearchParams): void {
  // Stored even when tracking is declined: the invitation was sent to this visitor, and its id reveals no browsing
  // behavior.
  const invited = publicIdCookieOf(search)
  const cookies = mayTrack() ? marketingCookies(search) : []
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no cookie store yet
  for (const cookie of invited ? [...cookies, invited] : cookies) document.cookie = cookie
}

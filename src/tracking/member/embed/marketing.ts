import { type MarketingValues, marketingOf } from '../../rules.ts'

/** What brought the visitor here, as far as this page's address tells. */
export function marketingValues(): MarketingValues {
  return marketingOf(new URLSearchParams(window.location.search))
}

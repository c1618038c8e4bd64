import { spellOut } from '../../console-kit/spell-out.ts'
import type { Flag } from './contract.ts'

/** What each flag is called, and what it does while it is on. */
const flags: Readonly<Record<string, readonly [string, string]>> = {
  'authFlags.loginMaintenance': ['Sign-in closed', 'Nobody signs in. Who is signed in stays so.'],
  'authFlags.joinMaintenance': ['Joining closed', 'Nobody joins or activates an account.'],
  'authFlags.siteMaintenance': ['Site closed', 'Every page says that the program is closed for maintenance.'],
  'authFlags.botCheck': ['Check for robots', 'Forms of visitors ask for a proof that no robot sends them.'],
  'filters.acclaimed': ['Filter: acclaimed', 'The search offers this filter.'],
  'filters.benefitsFor': ['Filter: day of the visit', 'The search offers this filter.'],
  'filters.features': ['Filter: features', 'The search offers this filter.'],
  'filters.isNew': ['Filter: new restaurants', 'The search offers this filter.'],
  'filters.mealsServed': ['Filter: meals served', 'The search offers this filter.'],
  'filters.priceRange': ['Filter: price', 'The search offers this filter.'],
  'filters.reservations': ['Filter: takes reservations', 'The search offers this filter.'],
  'filters.sortBy': ['Sorting', 'The search offers its sorting.'],
  'partnerFeatureFlags.hasDiscoverPage': ['Discover page', 'The program has the Discover page.'],
  'partnerFeatureFlags.hasPPN': ['Partner number', 'Members have a number of the partner.'],
  'partnerFeatureFlags.hasAutoEnroll': ['Automatic enrollment', 'The partner enrolls members by itself.'],
  'partnerFeatureFlags.hasVIP': ['VIP', 'Members reach VIP status.'],
  'partnerFeatureFlags.fullAddressRequired': ['Full address', 'Joining asks for the full postal address.'],
  'partnerFeatureFlags.hasSmsOptIn': ['Text messages', 'Members may choose text messages.'],
  'partnerFeatureFlags.hasSmsOptInV2': ['Text messages, new form', 'The choice of text messages has its new form.'],
  'partnerFeatureFlags.hasPartnerLoadedCards': ['Cards of the partner', 'The partner loads cards of its customers.'],
  'partnerFeatureFlags.acclaimedEnabled': ['Acclaimed restaurants', 'Acclaimed restaurants are marked.'],
  'partnerFeatureFlags.acclaimed2Enabled': ['Acclaimed restaurants, second kind', 'The second kind is marked, too.'],
  'partnerFeatureFlags.hasFlexOffers': ['Flex offers', 'Restaurants have offers by day and hour.'],
  'partnerFeatureFlags.openTableReservationsEnabled': ['Reservations', 'Members reserve tables.'],
  'partnerFeatureFlags.hasReservationBonus': ['Reservation bonus', 'A dine after a reservation earns a bonus.'],
  'partnerFeatureFlags.showEarnRate': ['Earn rates', 'Pages show what each restaurant gives.'],
  'partnerFeatureFlags.hasPWAInstallBanner': ['Install banner', 'Phones are offered to install the app.'],
  'partnerFeatureFlags.ssoModal': ['Sign-in explained', 'A window explains the sign-in at the partner first.'],
  'partnerFeatureFlags.hideEmailOptIn': ['Email consent hidden', 'Joining does not show the choice of emails.'],
  'partnerFeatureFlags.showNetworkLogo': ['Network logo', 'Pages show the logo of the dining network.'],
  'partnerFeatureFlags.merchantFavorites': ['Favorites', 'Members keep favorite restaurants.'],
  'partnerFeatureFlags.cmsPreview': ['Preview of content', 'Editors preview content on the site.'],
  'partnerFeatureFlags.countsTip': ['Tips earn', 'The tip of a dine earns rewards, too.'],
  'partnerFeatureFlags.countsTax': ['Tax earns', 'The tax of a dine earns rewards, too.'],
  'partnerFeatureFlags.excludesPinDebit': ['No rewards with a PIN', 'Debit payments with a PIN earn nothing.'],
  'partnerFeatureFlags.awardsNeedReview': ['Reward after a review', 'A reward needs the review of the member.'],
}

/** Returns what a flag is called. */
export const flagName = ({ kind, name }: Pick<Flag, 'kind' | 'name'>): string =>
  flags[`${kind}.${name}`]?.[0] ?? spellOut(name)

/** Returns what a flag does while it is on; empty for one without words. */
export const flagEffect = ({ kind, name }: Pick<Flag, 'kind' | 'name'>): string => flags[`${kind}.${name}`]?.[1] ?? ''

/** The kinds of flags in the order of the page. */
export const flagKinds: readonly { kind: Flag['kind']; title: string }[] = [
  { kind: 'authFlags', title: 'Access' },
  { kind: 'partnerFeatureFlags', title: 'Program' },
  { kind: 'filters', title: 'Search' },
]

import type { TierLevel } from '../programs/partners/contract.ts'

/** What operators read for each tier. */
export const tierNames: Readonly<Record<TierLevel, string>> = {
  OptedOut: 'Opted out of emails',
  NonActivated: 'Not activated',
  OptedIn: 'Opted in to emails',
  VIP: 'VIP',
}

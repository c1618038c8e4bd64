import type { AwardInput, MemberTerms, MerchantTerms, Offer, ProgramTerms } from '../../src/rewards/earning/terms.ts'
import type { FeedEvent, NetworkTransaction } from '../../src/rewards/feed/contract.ts'

/** Skyharbor's rates: one, three and five miles per dollar. */
export const milesProgram: ProgramTerms = {
  currencyType: 'Mile',
  earnRates: { OptedOut: 100, NonActivated: 100, OptedIn: 300, VIP: 500 },
  earnStepCents: 1,
  linkActivationHours: 0,
}

/** Gallonaire's: 10 cents for every whole 50 dollars. */
export const fuelProgram: ProgramTerms = {
  currencyType: 'Dollar',
  earnRates: { OptedOut: 20, NonActivated: 20, OptedIn: 20, VIP: 20 },
  earnStepCents: 50_00,
  linkActivationHours: 0,
}

export const everyDay: Offer = {
  id: 1,
  type: 'Unlimited',
  days: [0, 1, 2, 3, 4, 5, 6],
  startsOn: '2026-01-01',
  endsOn: null,
  maxSpendCents: null,
  maxVisitsPerMonth: null,
  ratePercent: 100,
}

export const bistro: MerchantTerms = {
  timeZone: 'America/New_York',
  participating: true,
  joinedOn: '2026-01-01',
  leftOn: null,
  offers: [everyDay],
}

export const optedIn: MemberTerms = { tier: 'OptedIn', open: true, cardLinkedAt: '2026-01-02T12:00:00.000Z' }

/** Tuesday, March 10, 2026, 7:30 p.m. in New York: 42.10 earns 126 miles. */
export const awardInput: AwardInput = {
  stage: 'cleared',
  currency: 'USD',
  cents: 42_10,
  refundedCents: 0,
  dinedAt: '2026-03-10T23:30:00.000Z',
  earlierVisits: 0,
  program: milesProgram,
  member: optedIn,
  merchant: bistro,
}

/** Returns a message of the network about that transaction; `transaction` overrides single fields. */
export function feedEvent(event: FeedEvent['event'], transaction: Partial<NetworkTransaction> = {}): FeedEvent {
  return {
    event,
    transaction: {
      id: '7d0f3c1e-8a55-4e0b-9a3c-2f6d1c9b0a11',
      programId: 'skyharbor',
      amount: '42.10',
      currency: 'USD',
      datetime: '2026-03-10T23:30:00.000Z',
      created: '2026-03-10T23:30:02.000Z',
      updated: '2026-03-10T23:30:02.000Z',
      card: { id: 'token-0002', scheme: 'visa', lastNumbers: '0002' },
      brand: { name: 'Corner Bistro' },
      location: { id: 'loc-corner-bistro' },
      ...transaction,
    },
  }
}

import type { Figure } from './names.ts'

interface FigureWords {
  name: string
  /** What it counts, for who reads it. */
  definition: string
  kind: 'count' | 'people' | 'money' | 'reward'
}

/** What reports call each figure, and what it counts. */
export const figureWords: Readonly<Record<Figure, FigureWords>> = {
  members: {
    name: 'Members',
    definition: 'Accounts at the end of the period: those who joined, less those who deleted their account.',
    kind: 'count',
  },
  joined: { name: 'New members', definition: 'Members who joined in the period.', kind: 'count' },
  left: { name: 'Deleted accounts', definition: 'Members who deleted their account in the period.', kind: 'count' },
  cards: {
    name: 'Linked cards',
    definition: 'Cards at the end of the period: those that were linked, less those that were removed.',
    kind: 'count',
  },
  linked: { name: 'Cards added', definition: 'Cards that were linked in the period.', kind: 'count' },
  removed: { name: 'Cards removed', definition: 'Cards that were removed in the period.', kind: 'count' },
  diners: {
    name: 'Active diners',
    definition: 'Members with at least one dine that became known in the period, each once, in whole tens.',
    kind: 'people',
  },
  dines: {
    name: 'Dines',
    definition:
      'Cleared payments of members at restaurants, on the day on which we learned of them. One that is taken back later counts as minus one on that later day.',
    kind: 'count',
  },
  spend: {
    name: 'Spend',
    definition: 'The cleared amounts of dines, less refunds. A refund counts on the day on which we learned of it.',
    kind: 'money',
  },
  rewards: {
    name: 'Rewards',
    definition:
      'Award cost: what the ledger posted to members, with bonuses, corrections and refunds; without payouts.',
    kind: 'reward',
  },
  payouts: {
    name: 'Paid out',
    definition: 'Statement credits that the ledger took from members’ balances, less those that came back.',
    kind: 'reward',
  },
  liability: {
    name: 'Liability',
    definition: 'Earned and not yet paid out, at the end of the period: the sum of all balances of members.',
    kind: 'reward',
  },
  fees: { name: 'Revenue', definition: 'What the ledger charged to restaurants.', kind: 'money' },
  partnerShare: {
    name: 'Partner’s share',
    definition: 'What the ledger posted to the partner: the worth of the rewards, and its share of the rest.',
    kind: 'money',
  },
  margin: {
    name: 'Margin',
    definition: 'What the ledger posted to the platform: revenue less the partner’s share.',
    kind: 'money',
  },
  views: {
    name: 'Page views of visitors',
    definition:
      'Pages that were viewed without signing in, where visits are measured. Visitors who opted out are not counted, and one visitor has several views.',
    kind: 'count',
  },
  firstCards: { name: 'First card', definition: 'Members who linked their first card in the period.', kind: 'count' },
  firstDines: {
    name: 'First dine',
    definition: 'Members whose first dine became known in the period.',
    kind: 'count',
  },
  fifthDines: {
    name: 'Fifth dine',
    definition: 'Members whose fifth dine became known in the period.',
    kind: 'count',
  },
}

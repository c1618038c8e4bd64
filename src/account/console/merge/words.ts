import type { MergePreview } from '../contract.ts'

const oneOrMany = (one: string, many: string) => (count: number) => `${count} ${count === 1 ? one : many}`

type Moved = MergePreview['moves'][number]['what']

/** What moves with a merge, in words. */
export const movedWords: Readonly<Record<Moved, (count: number) => string>> = {
  linkedCards: oneOrMany('linked card', 'linked cards'),
  removedCards: oneOrMany('removed card', 'removed cards'),
  loadedCards: oneOrMany('card that the partner has loaded', 'cards that the partner has loaded'),
  transactions: oneOrMany('transaction with its award', 'transactions with their awards'),
  pending: oneOrMany('of them still pending', 'of them still pending'),
  credits: oneOrMany('statement credit', 'statement credits'),
  openCredits: oneOrMany('of them under way, with its own number', 'of them under way, with their own numbers'),
  bonuses: oneOrMany('activated bonus', 'activated bonuses'),
  reservations: oneOrMany('reservation', 'reservations'),
  claims: oneOrMany('claim', 'claims'),
  reviews: oneOrMany('review', 'reviews'),
  notifications: oneOrMany('notification', 'notifications'),
  notes: oneOrMany('note', 'notes'),
  tags: oneOrMany('tag', 'tags'),
  identities: () => 'the sign-in with the partner',
}

/** What the rules change for one person, in words. */
export const changeWords: Readonly<Record<MergePreview['changes'][number]['kind'], string>> = {
  awards: 'Awards beyond a limit of one person',
  bonusTaken: 'Bonuses that one person has once',
  bonusEarned: 'Bonuses that both together earn',
  reservations: 'Reservation bonuses that one person has once',
  claims: 'Credits of claims that a transaction replaces',
  payout: 'Ordered as a statement credit',
  debt: 'Debts of earlier accounts',
}

/** Returns what stays with the account that ends, and why. */
export function stayingWords({ stays }: MergePreview): string[] {
  const { emails, consents, bonuses, claims } = stays
  return [
    'Past postings: the ledger is never rewritten. The balance moves by an entry of its own.',
    `Consents (${consents}): those of the account to keep apply, as they do today.`,
    `Emails (${emails}) and events: they show what happened in that account.`,
    'The email address: nobody signs in with it any more. To keep that one, merge in the other direction.',
    ...(bonuses > 0 ? [`Bonuses (${bonuses}): the account to keep has the same ones.`] : []),
    ...(claims > 0 ? [`Settled claims (${claims}): the account to keep has claimed the same meals.`] : []),
  ]
}

/** Returns the ways to sign in that end, in words. */
export function endingWords({ ends: { passkeys, sessions, devices } }: MergePreview): string {
  const counted = [
    oneOrMany('session', 'sessions')(sessions),
    oneOrMany('passkey', 'passkeys')(passkeys),
    oneOrMany('known browser', 'known browsers')(devices),
  ]
  return `Its password, ${counted[0]}, ${counted[1]} and ${counted[2]} end.`
}

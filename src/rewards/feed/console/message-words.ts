import { spellOut } from '../../../console-kit/spell-out.ts'
import type { ListedMessage } from './contract.ts'

const outcomes: Readonly<Record<ListedMessage['outcome'], { label: string; color: string }>> = {
  applied: { label: 'Applied', color: 'green' },
  unmatched: { label: 'Waits for card or restaurant', color: 'orange' },
  ignored: { label: 'Without effect', color: 'gray' },
}

/** The outcomes for a list to choose from. */
export const outcomeOptions = Object.entries(outcomes).map(([value, { label }]) => ({ value, label }))

/** Returns what became of a message when it came, for a badge. */
export const outcomeOf = ({ outcome }: Pick<ListedMessage, 'outcome'>) => outcomes[outcome]

const eventNames: Readonly<Record<string, string>> = {
  'transaction.auth': 'Authorized',
  'transaction.auth.qualified': 'Authorized, with an offer',
  'transaction.clearing': 'Cleared',
  'transaction.clearing.qualified': 'Cleared, with an offer',
  'transaction.refund': 'Refunded',
  'transaction.refund.qualified': 'Refunded, with an offer',
}

/** Returns what a message says in words. */
export const eventName = (event: string): string => eventNames[event] ?? spellOut(event.replace(/^transaction\./, ''))

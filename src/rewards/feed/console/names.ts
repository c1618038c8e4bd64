import { spellOut } from '../../../console-kit/spell-out.ts'

/** What became of a message of the card network. */
export const outcomeNames: Readonly<Record<string, string>> = {
  applied: 'applied',
  unmatched: 'waits for its card or restaurant',
  ignored: 'without effect',
}

/** What messages of the card network report. */
export const eventNames: Readonly<Record<string, string>> = {
  'transaction.auth': 'Authorization',
  'transaction.auth.qualified': 'Authorization, qualified',
  'transaction.clearing': 'Clearing',
  'transaction.clearing.qualified': 'Clearing, qualified',
  'transaction.refund': 'Refund',
  'transaction.refund.qualified': 'Refund, qualified',
}

/** Returns what a message reports. */
export const eventName = (event: string): string => eventNames[event] ?? spellOut(event)

/** Why a line of a file is rejected. */
const faultNames: Readonly<Record<string, string>> = {
  malformed: 'A value is missing or wrong',
  notJson: 'Not JSON',
  cardNumber: 'A card number',
  futureDate: 'A date in the future',
  otherProgram: 'Of another program',
}

/** Returns why a line is rejected. */
export const faultName = (code: string): string => faultNames[code] ?? spellOut(code)

/** What an unmatched transaction is attached to. */
export const kindNames: Readonly<Record<'restaurant' | 'card', string>> = { restaurant: 'Restaurant', card: 'Card' }

import { typeNames } from '../../account/console/member-words.ts'
import { reservationStates } from '../../console-kit/reservation-states.ts'
import { spellOut } from '../../console-kit/spell-out.ts'
import { timeText } from '../../console-kit/times.ts'
import { resolutionNames } from '../../rewards/claims/console/resolution-names.ts'

const fields: Readonly<Record<string, string>> = {
  asked: 'Asked for',
  approval: 'Request',
  askedBy: 'Asked by',
  bytes: 'Size in bytes',
  code: 'Outcome',
  cost: 'Cost',
  isDisabled: 'Disabled',
  isLocked: 'Locked',
  isVerified: 'Verified',
  missing: 'Unknown',
  noShow: 'No-show',
  sentAgain: 'Sent twice',
  type: 'Account',
  units: 'In the smallest unit',
}

/** Returns the words for a changed field. */
export const fieldName = (field: string): string => fields[field] ?? spellOut(field)

const states = Object.fromEntries(Object.entries(reservationStates).map(([state, { label }]) => [state, label]))

/** Values that are ids, by their words. */
const values: Readonly<Record<string, string>> = {
  ...typeNames,
  // The log of all programs has one name for each, whatever a program calls it.
  OptedOut: 'Opted out of emails',
  NonActivated: 'Not activated',
  OptedIn: 'Opted in to emails',
  VIP: 'VIP',
  ...resolutionNames,
  ...states,
  credited: 'Credited',
  open: 'Open',
  closed: 'Closed',
  on: 'On',
  off: 'Off',
  partly: 'Partly',
  ignored: 'Set aside',
  approved: 'Approved',
  refused: 'Refused',
  merchant: 'The restaurant',
  card: 'The card',
  waiting: 'Waits to be sent',
  failed: 'Failed',
}

/** Fields with texts of people, ids or names, which stay as they are. */
const asTyped = ['asked', 'approval', 'note', 'email', 'name', 'reason', 'session', 'passkey', 'owner', 'askedBy']

/** Returns the value of a changed field as text. Lists have a line for each entry. */
export function valueText(field: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (Array.isArray(value)) return value.map((each) => valueText(field, each)).join('\n')
  if (typeof value === 'object')
    return Object.entries(value)
      .map(([name, each]) => `${fieldName(name)}: ${valueText(name, each)}`)
      .join('\n')
  const text = String(value)
  if (asTyped.includes(field)) return text
  if (/^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)) return timeText(text, 'UTC')
  return values[text] ?? (field === 'changed' ? fieldName(text) : text)
}

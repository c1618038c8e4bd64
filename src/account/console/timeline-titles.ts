import { emailStateText } from '../../console-kit/email-states.ts'
import { spellOut } from '../../console-kit/spell-out.ts'
import { resolutionNames } from '../../rewards/claims/console/service.ts'
import type { TimelineRecord } from './detail-store.ts'

type Facts = Readonly<Record<string, unknown>>
type Entry = Pick<TimelineRecord, 'kind' | 'what' | 'detail' | 'facts'>

/** The words of a program: the name of a bonus by its code. */
export interface TimelineWords {
  bonusName: (code: string) => string
}

/** What operators read for each event; some say more, by their details. */
export const events: Readonly<Record<string, string>> = {
  'bonus.activated': 'Bonus activated',
  'bonus.granted': 'Bonus granted',
  'card.linked': 'Card linked',
  'card.removed': 'Card removed',
  'card.requested': 'Card of another program requested',
  'claim.opened': 'Claim opened',
  'claim.settled': 'Claim settled',
  'consent.chosen': 'Consent changed',
  'emulation.started': 'An operator began to view the account',
  'emulation.ended': 'An operator stopped viewing the account',
  'emulation.attempted': 'An operator began a change as the member',
  'emulation.acted': 'An operator changed something as the member',
  'emulation.refused': 'A change of an operator was refused',
  'emulation.rejected': 'An operator tried what only the member may do',
  'ledger.adjusted': 'Balance adjusted',
  'member.activated': 'Account activated',
  'member.address-fixed': 'Email address changed',
  'member.changed': 'Profile changed',
  'member.deleted': 'Account deleted',
  'member.closed': 'Account closed',
  'member.reopened': 'Account reopened',
  'member.email-verified': 'Email address verified',
  'member.enrolled': 'Enrolled',
  'member.exported': 'Data exported',
  'member.joined': 'Joined',
  'member.merged': 'Merged into another account',
  'member.merged-in': 'Another account was merged into this one',
  'member.password-changed': 'Password changed',
  'member.unlocked': 'Sign-in unlocked',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'recovery.password-set': 'Password set after a recovery',
  'recovery.requested': 'Recovery requested',
  'reservation.booked': 'Reservation made',
  'reservation.changed': 'Reservation changed',
  'reservation.canceled': 'Reservation canceled',
  'session.copied-id-shown': 'A copied session was detected',
  'session.signed-in': 'Signed in',
  'session.others-ended': 'Other sessions ended',
  'session.ended': 'Session ended by an operator',
  'tier.ended': 'Given tier ended',
  'tier.given': 'Tier given until a day',
}

const acts: Readonly<Record<string, string>> = {
  tagMember: 'Tags changed',
  correctMember: 'Name, address or phone number corrected',
  changeMemberEmail: 'Email address changed',
  endMemberSession: 'Session ended',
  removeMemberPasskey: 'Passkey removed',
  resendMemberEmail: 'Email sent again',
  unlockMember: 'Sign-in unlocked',
  endTier: 'Given tier ended',
  closeMember: 'Account closed',
  reopenMember: 'Account reopened',
  cancelReservationByOperator: 'Reservation canceled',
  confirmReservationByOperator: 'Reservation confirmed',
  attachTransaction: 'Unmatched transaction attached',
}

const fields: Readonly<Record<string, string>> = {
  address1: 'address',
  address2: 'apartment, suite',
  zip_code: 'ZIP code',
  zipCode: 'ZIP code',
  sms_opt_in: 'text messages',
  email_opt_in: 'offers by email',
  tier_level: 'tier',
}

const signIns: Readonly<Record<string, string>> = {
  password: 'a password',
  passkey: 'a passkey',
  sso: 'the partner’s provider',
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(text) : [])
const withName = (what: string, name: string) => (name === '' ? what : `${what}: ${name}`)
const resolutions: Readonly<Record<string, string>> = { ...resolutionNames, credited: 'Credited' }
const resolutionOf = (code: string) => resolutions[code] ?? spellOut(code)

/** Returns the title of an entry of the timeline: what was done, and with which outcome. */
export function titleOf(entry: Entry, words: TimelineWords): string {
  switch (entry.kind) {
    case 'note':
      return 'Note'
    case 'email':
      return `Email ${emailStateText(entry.what)}`.trim()
    case 'transaction':
      return `Transaction at ${entry.detail || 'an unknown restaurant'}`
    case 'act':
      return titleOfAct(entry, words)
    case 'event':
      return titleOfEvent(entry, words)
  }
}

function titleOfAct({ what, facts }: Entry, { bonusName }: TimelineWords): string {
  const { after = {}, label } = (facts ?? {}) as { after?: Facts; label?: string }
  // Above the limit of one operator.
  if (after.asked !== undefined) return withName('Asked for approval', text(after.asked))
  switch (what) {
    case 'adjustBalance':
      return after.debit === undefined ? `Credit of ${text(after.credit)}` : `Debit of ${text(after.debit)}`
    case 'decideApproval':
      return withName(after.state === 'approved' ? 'Approved' : 'Refused', label ?? '')
    case 'grantMemberBonus':
      return withName('Bonus granted', bonusName(text(after.bonus)))
    case 'decideClaim':
      return withName(
        after.reward === undefined
          ? `Claim decided: ${resolutionOf(text(after.code))}`
          : `Claim credited with ${text(after.reward)}`,
        label ?? '',
      )
    case 'giveTier':
      return withName('Tier given until a day', text(after.tier))
    case 'markNoShow':
      return after.noShow === false ? 'No-show taken back' : 'Marked as a no-show'
    default:
      return acts[what] ?? spellOut(what)
  }
}

function titleOfEvent({ what, facts }: Entry, { bonusName }: TimelineWords): string {
  const detail = (facts ?? {}) as Facts
  switch (what) {
    case 'bonus.activated':
      return withName('Bonus activated', bonusName(text(detail.code)))
    case 'bonus.granted':
      return withName('Bonus granted', bonusName(text(detail.code)))
    case 'claim.settled':
      return withName('Claim settled', resolutionOf(text(detail.code)))
    case 'session.signed-in': {
      const means = signIns[text(detail.by)]
      return means ? `Signed in with ${means}` : 'Signed in'
    }
    default:
      return events[what] ?? spellOut(what)
  }
}

/** Returns what an entry says below its title: the words of a person, or what was changed. */
export function detailOf({ kind, what, detail, facts }: Entry): string {
  if (kind === 'transaction') return ''
  if (kind !== 'act' && kind !== 'event') return detail
  const { after, ...own } = (facts ?? {}) as Facts & { after?: Facts }
  const { changed, tags } = (kind === 'act' ? (after ?? {}) : own) as Facts
  const names = textsOf(changed).map((field) => fields[field] ?? spellOut(field).toLowerCase())
  const said = [
    names.length > 0 && `Changed: ${names.join(', ')}`,
    Array.isArray(tags) && (tags.length > 0 ? textsOf(tags).join(', ') : 'None'),
    what.startsWith('emulation.') && text(own.call) !== '' && spellOut(text(own.call)),
    what.startsWith('emulation.') && text(own.reason),
    what === 'consent.chosen' && spellOut(text(own.channel)),
    kind === 'act' && detail,
  ]
  return said.filter(Boolean).join(' · ')
}

import { wordsOf } from '../../console-kit/words-of.ts'
import type { TimelineRecord } from './detail-store.ts'

const events: Readonly<Record<string, string>> = {
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
  'member.closed': 'Account closed',
  'member.reopened': 'Account reopened',
  'member.email-verified': 'Email address verified',
  'member.enrolled': 'Enrolled',
  'member.exported': 'Data exported',
  'member.joined': 'Joined',
  'member.password-changed': 'Password changed',
  'member.unlocked': 'Sign-in unlocked',
  'passkey.added': 'Passkey added',
  'passkey.removed': 'Passkey removed',
  'recovery.password-set': 'Password set after a recovery',
  'recovery.requested': 'Recovery requested',
  'reservation.canceled': 'Reservation canceled',
  'session.others-ended': 'Other sessions ended',
  'session.signed-in': 'Signed in',
  'session.ended': 'Session ended by an operator',
}

const acts: Readonly<Record<string, string>> = {
  tagMember: 'Tags changed',
  correctMember: 'Name, address or phone number corrected',
  changeMemberEmail: 'Email address changed',
  adjustBalance: 'Credit or debit',
  endMemberSession: 'Session ended',
  removeMemberPasskey: 'Passkey removed',
  resendMemberEmail: 'Email sent again',
  grantMemberBonus: 'Bonus granted',
  unlockMember: 'Sign-in unlocked',
  closeMember: 'Account closed',
  reopenMember: 'Account reopened',
  setMemberVip: 'VIP changed',
  exportMemberData: 'Data exported',
  decideClaim: 'Claim decided',
}

/** Returns the title of an entry of the timeline. */
export function titleOf({ kind, what, detail }: Pick<TimelineRecord, 'kind' | 'what' | 'detail'>): string {
  switch (kind) {
    case 'note':
      return 'Note'
    case 'email':
      return `Email, ${what}`
    case 'transaction':
      return `Transaction at ${detail}`
    case 'act':
      return acts[what] ?? wordsOf(what)
    case 'event':
      return events[what] ?? wordsOf(what)
  }
}

import { emailStates } from '../../../console-kit/email-states.ts'
import { spellOut } from '../../../console-kit/spell-out.ts'
import type { ListedEmail } from './contract.ts'

const topicNames: Readonly<Record<string, string>> = {
  'account.opened': 'Account opened',
  'offers.welcome': 'Welcome',
  'verification.code': 'Code to verify an address',
  'recovery.code': 'Code to recover an account',
  'recovery.changed': 'Password changed',
  'recovery.address': 'Email address changed, to the new one',
  'recovery.former-address': 'Email address changed, to the former one',
  'session.new-device': 'Sign-in from a new device',
  'session.passkey-added': 'Passkey added',
  'session.passkey-removed': 'Passkey removed',
  'session.identity-linked': 'Sign-in at a provider linked',
  'session.others-ended': 'Other sessions ended',
  'card.moveRequested': 'Card of another program requested',
  'card.movedHere': 'Card moved here',
  'card.moveFailed': 'Card could not be moved here',
  'card.movedAway': 'Card moved to another program',
  'card.movedBack': 'Card moved back',
  'reservation.booked': 'Reservation booked',
  'reservation.changed': 'Reservation changed',
  'reservation.canceled': 'Reservation canceled',
  'claim.decided': 'Claim decided',
  'privacy.deleted': 'Account deleted',
  'notice.rewards': 'Rewards of the day',
  'notice.mealSeen': 'Dine seen',
  'notice.rewardPosted': 'Reward posted',
  'notice.balanceAdjusted': 'Credited or debited',
  'notice.bonusEarned': 'Bonus earned',
  'notice.vipReached': 'VIP reached',
  'notice.reviewDue': 'Review asked for',
  'notice.cardExpires': 'Card expires',
}

/** The names of the topics for a list to choose from. */
export const topicOptions = Object.entries(topicNames).map(([value, label]) => ({ value, label }))

/** Returns what the console calls the kind of an email. */
export const topicName = (topic: string): string => topicNames[topic] ?? spellOut(topic)

/** The states for a list to choose from. */
export const stateOptions = Object.entries(emailStates).map(([value, { label }]) => ({ value, label }))

/** Returns the state of an email, for a badge. */
export const emailState = ({ status }: Pick<ListedEmail, 'status'>) => emailStates[status]

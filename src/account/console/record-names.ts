import type { MemberRecords } from './contract.ts'

/** What operators read for the brands of cards. */
export const networkNames: Readonly<Record<string, string>> = {
  VISA: 'Visa',
  AMEX: 'American Express',
  MAST: 'Mastercard',
  DISC: 'Discover',
}

/** With what a session began. */
export const beginnings: Readonly<Record<string, string>> = {
  visit: 'A visit',
  join: 'Joining',
  password: 'A password',
  passkey: 'A passkey',
  sso: 'The partner',
}

/** States of notifications. */
export const notificationStates: Readonly<Record<'waiting' | 'sent' | 'failed' | 'unwanted', string>> = {
  waiting: 'Waiting to be sent',
  sent: 'Sent',
  failed: 'Failed',
  unwanted: 'Not wanted',
}

export const channelNames: Readonly<Record<MemberRecords['consents'][number]['channel'] | 'push', string>> = {
  email: 'Email',
  sms: 'Text messages',
  card: 'Linking of a card',
  terms: 'Terms',
  push: 'Push message',
}

/** What members are notified of. */
export const topicNames: Readonly<Record<string, string>> = {
  mealSeen: 'A meal was seen',
  rewardPosted: 'A reward was posted',
  balanceAdjusted: 'Customer service credited or debited',
  bonusEarned: 'A bonus was earned',
  vipReached: 'VIP was reached',
  reviewDue: 'A review is due',
  cardExpires: 'A card expires',
}

/** Where a consent was given or withdrawn. */
export const consentSources: Readonly<Record<string, string>> = {
  join: 'When joining',
  profile: 'In the profile',
  consents: 'Among the consents',
  'link-card': 'When linking a card',
  support: 'By an operator as the member',
}

/** Where members come from, beside the codes of programs. */
export const enrollmentSources: Readonly<Record<string, string>> = {
  simulated: 'A simulation',
  staging: 'The staging tools',
}

export const bonusStates: Readonly<Record<MemberRecords['bonuses'][number]['state'], string>> = {
  Eligible: 'Can be activated',
  Enrolled: 'Activated',
  Qualified: 'Earned',
}

/** How an operator viewed an account. */
export const viewNames: Readonly<Record<MemberRecords['impersonations'][number]['how'], string>> = {
  notStarted: 'Not started',
  viewOnly: 'View only',
  couldChange: 'Could change',
}

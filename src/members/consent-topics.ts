import type { PublicConfig } from '../partners/contract.ts'

/** What a member can say yes or no to, now and later. Terms and cards are agreed to where they are used. */
export const consentTopics = [
  { channel: 'email', topic: 'offers' },
  { channel: 'sms', topic: 'offers' },
] as const
export type ConsentChannel = (typeof consentTopics)[number]['channel']
export type ConsentTopic = (typeof consentTopics)[number]['topic']

/**
 * Whether a program asks for a consent at all. Emails are always asked for where all consents are, also where the forms
 * leave the question out (`hideEmailOptIn`): a tier and its rate depend on the answer.
 */
export function asksFor(config: PublicConfig, channel: ConsentChannel): boolean {
  if (channel === 'email') return true
  return config.hasSmsOptIn || config.hasSmsOptInV2
}

/** The copy key of the very words that are agreed to. */
export const wordingKey = (channel: ConsentChannel, topic: ConsentTopic) => `consents.${channel}_${topic}`

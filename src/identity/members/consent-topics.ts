import type { PublicConfig } from '../../programs/partners/contract.ts'

/** Consents that a member can give or withdraw at any time. Consent to terms and cards is given where they are used. */
export const consentTopics = [
  { channel: 'email', topic: 'offers' },
  { channel: 'sms', topic: 'offers' },
] as const
export type ConsentChannel = (typeof consentTopics)[number]['channel']
export type ConsentTopic = (typeof consentTopics)[number]['topic']

/**
 * Returns true when a program has a consent. The consent page always has email, even if the forms omit it
 * (`hideEmailOptIn`), because a tier and its rate depend on it.
 */
export function hasConsent(config: PublicConfig, channel: ConsentChannel): boolean {
  if (channel === 'email') return true
  return config.hasSmsOptIn || config.hasSmsOptInV2
}

/** Returns the copy key of the exact consent text. */
export const consentTextKey = (channel: ConsentChannel, topic: ConsentTopic) => `consents.${channel}_${topic}`

/**
 * Every table with rows of members: what an export leaves out of it, and what becomes of it when an account is
 * deleted. A table that is missing here fails a test.
 */
export interface HeldTable {
  table: string
  /** Columns that are nobody's to have, not even the member's: they would open something. */
  secret?: readonly string[]
  /** What deleting an account does to these rows. */
  deletion: 'gone' | 'blanked' | 'kept'
}

export const heldTables: readonly HeldTable[] = [
  { table: 'members', deletion: 'blanked' },
  { table: 'credentials', secret: ['password_hash'], deletion: 'gone' },
  { table: 'identities', deletion: 'gone' },
  { table: 'passkeys', secret: ['public_key'], deletion: 'gone' },
  { table: 'known_devices', secret: ['device_hash'], deletion: 'gone' },
  {
    table: 'sessions',
    secret: ['id_hash', 'previous_hash', 'csrf_token', 'id_token', 'sso_session'],
    deletion: 'gone',
  },
  { table: 'recoveries', secret: ['code_hash', 'reset_hash', 'browser_hash', 'digits_hash'], deletion: 'gone' },
  // What was agreed to must be shown to have been: the words, the time, no name.
  { table: 'consents', deletion: 'kept' },
  { table: 'cards', secret: ['token', 'fingerprint', 'home_key'], deletion: 'blanked' },
  { table: 'reservations', secret: ['token', 'hold_token'], deletion: 'kept' },
  { table: 'transactions', secret: ['card_token', 'reason', 'terms_id'], deletion: 'kept' },
  { table: 'postings', deletion: 'kept' },
  { table: 'statement_credits', deletion: 'kept' },
  // Name and words are taken off the restaurants' pages; that a meal was reviewed decided about its reward.
  { table: 'reviews', deletion: 'kept' },
  { table: 'member_bonuses', deletion: 'kept' },
  { table: 'member_tiers', deletion: 'kept' },
  { table: 'claims', secret: ['receipt'], deletion: 'blanked' },
  { table: 'notice_choices', deletion: 'gone' },
  { table: 'push_subscriptions', secret: ['auth', 'p256dh'], deletion: 'gone' },
  { table: 'notices', deletion: 'gone' },
  { table: 'mails', secret: ['attachments', 'last_error'], deletion: 'gone' },
  { table: 'impressions', deletion: 'gone' },
  {
    table: 'emulations',
    secret: ['hand_over_hash', 'session_hash', 'csrf_token', 'operator_id'],
    deletion: 'blanked',
  },
  { table: 'audit_entries', secret: ['hash', 'previous_hash'], deletion: 'kept' },
]

/** Why an export has not everything. */
export const leftOut: Readonly<Record<string, string>> = {
  secrets: 'Hashes, tokens and keys: they say nothing about you, and could be misused by anyone who finds the file.',
  cards: 'Card numbers: we never have them. The card vault keeps them sealed.',
  surveys: 'Answers to surveys: they are with the form service, without your name.',
}

/**
 * A table with member rows: which columns an export omits, and what account deletion does. A test fails when a table is
 * missing here.
 */
export interface MemberTable {
  table: string
  /** Columns that no export contains, because they grant access. */
  secret?: readonly string[]
  /** Columns that grant access for as long as another column has a value. */
  secretWhile?: { column: string; hides: readonly string[] }
  /** What account deletion does to these rows. */
  deletion: 'deleted' | 'redacted' | 'retained'
}

export const memberTables: readonly MemberTable[] = [
  { table: 'members', deletion: 'redacted' },
  { table: 'credentials', secret: ['password_hash'], deletion: 'deleted' },
  { table: 'identities', deletion: 'deleted' },
  { table: 'passkeys', secret: ['public_key'], deletion: 'deleted' },
  { table: 'known_devices', secret: ['device_hash'], deletion: 'deleted' },
  {
    table: 'sessions',
    secret: ['id_hash', 'previous_hash', 'csrf_token', 'id_token', 'sso_session'],
    deletion: 'deleted',
  },
  { table: 'recoveries', secret: ['code_hash', 'reset_hash', 'browser_hash', 'digits_hash'], deletion: 'deleted' },
  { table: 'email_verifications', secret: ['code_hash'], deletion: 'deleted' },
  // Consents must remain provable: the text and the time, without a name.
  { table: 'consents', deletion: 'retained' },
  { table: 'cards', secret: ['token', 'fingerprint', 'home_key'], deletion: 'redacted' },
  { table: 'reservations', secret: ['token', 'hold_token'], deletion: 'retained' },
  { table: 'transactions', secret: ['card_token', 'reason', 'terms_id'], deletion: 'retained' },
  { table: 'postings', deletion: 'retained' },
  { table: 'statement_credits', secret: ['last_error'], deletion: 'retained' },
  { table: 'debts', deletion: 'retained' },
  // Only deleted accounts have rows, which are deleted after two years.
  { table: 'former_member_identifiers', secret: ['identifier_hash'], deletion: 'retained' },
  // Author and text are redacted on the restaurants' pages. The row remains because the review decided about an award.
  { table: 'reviews', deletion: 'retained' },
  { table: 'member_bonuses', deletion: 'retained' },
  { table: 'member_tiers', deletion: 'retained' },
  { table: 'claims', secret: ['receipt'], deletion: 'redacted' },
  { table: 'notification_preferences', deletion: 'deleted' },
  { table: 'push_subscriptions', secret: ['auth', 'p256dh'], deletion: 'deleted' },
  { table: 'notifications', deletion: 'deleted' },
  // An email with a code: whoever is signed in would read what only the mailbox is to have.
  {
    table: 'emails',
    secret: ['attachments', 'last_error'],
    secretWhile: { column: 'secret_until', hides: ['body_text', 'body_html'] },
    deletion: 'deleted',
  },
  { table: 'impressions', deletion: 'deleted' },
  {
    table: 'impersonations',
    secret: ['handoff_hash', 'session_hash', 'csrf_token', 'operator_id'],
    deletion: 'redacted',
  },
  { table: 'audit_entries', secret: ['hash', 'previous_hash'], deletion: 'retained' },
]

/** What an export omits, and why. */
export const leftOut: Readonly<Record<string, string>> = {
  secrets: 'Hashes, tokens and keys: they say nothing about you, and could be misused by anyone who finds the file.',
  cards: 'Card numbers: we never have them. The card vault stores them encrypted.',
  surveys: 'Survey responses: the form service stores them without your name.',
}

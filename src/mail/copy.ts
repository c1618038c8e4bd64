export const mailCopy = {
  'mail.outbox': 'Outbox',
  'mail.none_title': 'No mail yet',
  'mail.none_tagline': 'Reserve a table, and its confirmation stands here.',
  'mail.to': 'To {recipient}.',
  'mail.look': 'See it as it looks',
  'mail.status_waiting': 'Waiting',
  'mail.status_sent': 'Sent',
  'mail.status_kept': 'Kept here',
  'mail.status_failed': 'Failed',
}

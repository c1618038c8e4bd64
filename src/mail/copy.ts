export const mailCopy = {
  'mail.outbox': 'Outbox',
  'mail.none_title': 'No mail yet',
  'mail.none_tagline': 'Reserve a table, or ask for a new password, and its mail stands here.',
  'mail.blanked': 'This mail could open an account. Its words were taken away when that was over.',
  'mail.to': 'To {recipient}.',
  'mail.look': 'See it as it looks',
  'mail.status_waiting': 'Waiting',
  'mail.status_sent': 'Sent',
  'mail.status_kept': 'Kept here',
  'mail.status_failed': 'Failed',
  'mail.status_withheld': 'Withheld: consent was taken back',
}

export const mailCopy = {
  'mail.outbox': 'Outbox',
  'mail.none_title': 'No emails yet',
  'mail.none_tagline': 'Reserve a table or ask for a new password, and the email will show here.',
  'mail.redacted': 'This email could be used to open an account, so its text was removed after it expired.',
  'mail.to': 'To {recipient}.',
  'mail.look': 'View email',
  'mail.status_waiting': 'Waiting',
  'mail.status_sent': 'Sent',
  'mail.status_stored': 'Stored here',
  'mail.status_failed': 'Failed',
  'mail.status_withheld': 'Withheld: the member opted out',
}

export const activationCopy = {
  'activation.loading': 'Do not refresh, loading more content.',
  'activation.failed': 'There was an error activating your account. Please contact customer support.',
  'activation.no_password': 'No password yet? We’ll email you a code to set one, and then you can sign in.',
  'error.activationRejected': 'This invitation has expired. Please open the link in our message again.',
  'error.notToActivate': 'This account doesn’t need to be activated.',
} as const

export const activationCopy = {
  'activation.loading': 'Do not refresh, loading more content.',
  'activation.failed': 'There was an error activating your account. Please contact customer support.',
  'refusal.activationRefused': 'This invitation has run out. Please open the link in our message again.',
  'refusal.notToActivate': 'There is nothing to activate for this account.',
} as const

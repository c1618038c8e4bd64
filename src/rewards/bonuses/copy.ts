/** Texts about bonuses. */
export const bonusesCopy = {
  'bonuses.available': 'Bonuses for you',
  'bonuses.activated': 'Activated',
  'bonuses.done': 'Bonus activated.',
  'bonuses.activating': 'Activating…',
  // The programs' existing text, kept verbatim.
  'bonuses.failed': 'Something went wrong, please refresh you browser.',
  'error.bonusNotFound': 'We couldn’t find this bonus.',
  'error.bonusNotOffered': 'This bonus isn’t available to you right now.',
} as const

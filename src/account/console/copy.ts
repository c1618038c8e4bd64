/** What the console says about members, by key. */
export const membersConsoleCopy = {
  'error.sessionNotFound': 'This session has ended already.',
  'error.passkeyNotFound': 'This passkey was removed already.',
  'error.notFailed': 'This email has not failed, or its text was deleted: it cannot be sent again.',
  'error.bonusNotFound': 'The program has no such bonus.',
  'error.bonusNotOffered': 'This bonus is not running, or the person has earned it in an earlier account.',
  'error.bonusHeld': 'The member has this bonus already.',
  'error.alreadyClosed': 'This account is closed already.',
  'error.alreadyOpen': 'This account is open already.',
  'error.tooManyChanges': 'This profile was changed too often today. Please try again tomorrow.',
  'error.notOffered': 'The partner’s provider signs these members in, and knows their addresses.',
  'console.members.note_missing': 'Write the note.',
  'console.members.note_long': 'A note may have at most 2,000 characters.',
  'console.members.tag': 'A tag has lower-case letters, digits and hyphens, such as vip-care; at most 40 characters.',
  'console.members.tags_many': 'A member may have at most 20 tags.',
} as const

import type { Resolution } from '../rules.ts'

/** What operators read for each decision. */
export const resolutionNames: Readonly<Record<Resolution, string>> = {
  credited: 'Credit it',
  alreadyEarned: 'It had already earned',
  cardNotLinked: 'Paid with a card that was not linked',
  notParticipating: 'The restaurant was not participating then',
  noRewardThen: 'No reward on that day',
  notCaptured: 'The card network has no record of this payment',
  otherProgram: 'The card earned in another program',
  noEvidence: 'No record of it',
}

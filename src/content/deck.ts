import { activationCopy } from '../activation/copy.ts'
import { bonusesCopy } from '../bonuses/copy.ts'
import { botCheckCopy } from '../bot-check/copy.ts'
import { cardsCopy } from '../cards/copy.ts'
import { claimsCopy } from '../claims/copy.ts'
import { contentCopy } from '../content/copy.ts'
import { emulationCopy } from '../emulation/copy.ts'
import { enrollmentCopy } from '../enrollment/copy.ts'
import { mailCopy } from '../mail/copy.ts'
import { membersCopy } from '../members/copy.ts'
import { merchantsCopy } from '../merchants/copy.ts'
import { noticesCopy } from '../notices/copy.ts'
import { privacyCopy } from '../privacy/copy.ts'
import { pwaCopy } from '../pwa/copy.ts'
import { recoveryCopy } from '../recovery/copy.ts'
import { reservationsCopy } from '../reservations/copy.ts'
import { reviewsCopy } from '../reviews/copy.ts'
import { rewardsCopy } from '../rewards/copy.ts'
import { sessionCopy } from '../session/copy.ts'
import { shellCopy } from '../shell/copy.ts'
import { surveysCopy } from '../surveys/copy.ts'

/** The default messages by key. A partner's copy overrides them key by key. */
export const defaultDeck = {
  ...contentCopy,
  ...shellCopy,
  ...sessionCopy,
  ...botCheckCopy,
  ...recoveryCopy,
  ...privacyCopy,
  ...emulationCopy,
  ...enrollmentCopy,
  ...membersCopy,
  ...bonusesCopy,
  ...cardsCopy,
  ...noticesCopy,
  ...claimsCopy,
  ...activationCopy,
  ...mailCopy,
  ...merchantsCopy,
  ...reservationsCopy,
  ...rewardsCopy,
  ...reviewsCopy,
  ...pwaCopy,
  ...surveysCopy,
} as const

export type CopyKey = keyof typeof defaultDeck

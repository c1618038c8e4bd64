import { privacyCopy } from './account/privacy/copy.ts'
import { shellCopy } from './app/shell/copy.ts'
import { merchantsCopy } from './dining/merchants/copy.ts'
import { reservationsCopy } from './dining/reservations/copy.ts'
import { activationCopy } from './identity/activation/copy.ts'
import { botCheckCopy } from './identity/bot-check/copy.ts'
import { mailCopy } from './identity/email/copy.ts'
import { enrollmentCopy } from './identity/enrollment/copy.ts'
import { impersonationCopy } from './identity/impersonation/copy.ts'
import { membersCopy } from './identity/members/copy.ts'
import { notificationsCopy } from './identity/notifications/copy.ts'
import { recoveryCopy } from './identity/recovery/copy.ts'
import { sessionCopy } from './identity/session/copy.ts'
import { verificationCopy } from './identity/verification/copy.ts'
import { contentCopy } from './programs/content/copy.ts'
import { pwaCopy } from './programs/pwa/copy.ts'
import { surveysCopy } from './programs/surveys/copy.ts'
import { bonusesCopy } from './rewards/bonuses/copy.ts'
import { cardsCopy } from './rewards/cards/copy.ts'
import { claimsCopy } from './rewards/claims/copy.ts'
import { debtsCopy } from './rewards/debts/copy.ts'
import { rewardsCopy } from './rewards/earning/copy.ts'
import { reviewsCopy } from './rewards/reviews/copy.ts'

/** The default messages by key. A partner's copy overrides them key by key. */
export const defaultMessages = {
  ...contentCopy,
  ...shellCopy,
  ...sessionCopy,
  ...botCheckCopy,
  ...recoveryCopy,
  ...verificationCopy,
  ...privacyCopy,
  ...impersonationCopy,
  ...enrollmentCopy,
  ...membersCopy,
  ...bonusesCopy,
  ...cardsCopy,
  ...notificationsCopy,
  ...claimsCopy,
  ...activationCopy,
  ...mailCopy,
  ...merchantsCopy,
  ...reservationsCopy,
  ...rewardsCopy,
  ...debtsCopy,
  ...reviewsCopy,
  ...pwaCopy,
  ...surveysCopy,
} as const

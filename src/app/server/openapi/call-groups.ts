import { privacyExamples } from '../../../account/privacy/examples.ts'
import { merchantExamples } from '../../../dining/merchants/examples.ts'
import { reservationExamples } from '../../../dining/reservations/examples.ts'
import { activationExamples } from '../../../identity/activation/examples.ts'
import { botCheckExamples } from '../../../identity/bot-check/examples.ts'
import { enrollmentExamples } from '../../../identity/enrollment/examples.ts'
import { memberExamples } from '../../../identity/members/examples.ts'
import { notificationExamples } from '../../../identity/notifications/examples.ts'
import { recoveryExamples } from '../../../identity/recovery/examples.ts'
import { sessionExamples } from '../../../identity/session/examples.ts'
import { verificationExamples } from '../../../identity/verification/examples.ts'
import type { CallSpec } from '../../../platform/call.ts'
import type { AnyExample, CallGroup } from '../../../platform/call-examples.ts'
import { contentExamples } from '../../../programs/content/examples.ts'
import { partnerExamples } from '../../../programs/partners/examples.ts'
import { placesExamples } from '../../../programs/places/examples.ts'
import { trackingExamples } from '../../../programs/tracking/examples.ts'
import { activityExamples } from '../../../rewards/activity/examples.ts'
import { bonusExamples } from '../../../rewards/bonuses/examples.ts'
import { cardExamples } from '../../../rewards/cards/examples.ts'
import { claimExamples } from '../../../rewards/claims/examples.ts'
import { debtExamples } from '../../../rewards/debts/examples.ts'
import { feedExamples } from '../../../rewards/feed/examples.ts'
import { reviewExamples } from '../../../rewards/reviews/examples.ts'
import { stagingExamples } from '../../../staging/examples.ts'

/** All groups, in the order of the API description. */
export const callGroups: readonly CallGroup[] = [
  partnerExamples,
  contentExamples,
  placesExamples,
  merchantExamples,
  sessionExamples,
  enrollmentExamples,
  activationExamples,
  recoveryExamples,
  verificationExamples,
  botCheckExamples,
  memberExamples,
  cardExamples,
  activityExamples,
  debtExamples,
  bonusExamples,
  claimExamples,
  reservationExamples,
  reviewExamples,
  notificationExamples,
  privacyExamples,
  feedExamples,
  trackingExamples,
  stagingExamples,
]

const byId = new Map(
  callGroups.flatMap(({ tag, examples }) => examples.map(({ call, example }) => [call.id, { tag, example }] as const)),
)

/** Returns the tag and the example of a call. Throws when its module has none. */
export function findExample({ id }: CallSpec): { tag: string; example: AnyExample } {
  // Content has further routes in some programs: `getContent_beacon_cms` is `getContent` at `/beacon/cms`.
  const found = byId.get(id) ?? byId.get(id.replace(/_.*/, ''))
  if (!found) throw new Error(`${id} has no example: add one to examples.ts of its module`)
  return found
}

import type { Cents } from '../../platform/money.ts'
import type { TierLevel } from '../../programs/partners/contract.ts'
import type { AwardInput } from './terms.ts'

/** The results of a decision, by reason code; the fields beside a code are the parameters of its sentence. */
export type AwardReason =
  | { code: 'earned'; countedCents: Cents }
  | { code: 'earnedUpToLimit'; countedCents: Cents; limitCents: Cents }
  | { code: 'earnedUpToMonth'; countedCents: Cents; limitCents: Cents }
  | { code: 'earnedUpToMaximum'; countedCents: Cents }
  | { code: 'partlyRefunded'; countedCents: Cents }
  | { code: 'refunded' }
  | { code: 'reversed' }
  | { code: 'neverCharged' }
  | { code: 'belowStep'; neededCents: Cents }
  | { code: 'belowMinimum'; neededCents: Cents }
  | { code: 'tierWithoutReward'; tier: TierLevel }
  | { code: 'accessLocked'; neededTier: 2 | 3 }
  | { code: 'debitWithPin' }
  | { code: 'currencyNotSupported'; currency: string }
  | { code: 'closedAccount' }
  | { code: 'cardUnknown' }
  | { code: 'cardLinkedTooLate'; linkedAt: string; earnsFrom: string }
  | { code: 'merchantUnknown' }
  | { code: 'locationNotEnrolled'; brand: string }
  | { code: 'merchantNotYetJoined'; joinedOn: string }
  | { code: 'merchantLeft'; leftOn: string; leftAt?: string }
  | { code: 'merchantNotParticipating' }
  | { code: 'processingChanged'; changedOn: string }
  | { code: 'noOffer'; date: string }
  | { code: 'dayWithoutReward'; weekday: number; night?: { from: string; until: string } }
  | { code: 'hourWithoutReward'; from: string; until: string }
  | { code: 'visitsUsedUp'; limit: number }
  | { code: 'monthlySpendUsedUp'; limitCents: Cents }
  | { code: 'reviewExpired' }
  | { code: 'countedElsewhere' }
  | { code: 'reportedTwice' }

export type ReasonCode = AwardReason['code']

/** Stored with every transaction: the reason code, the rule version and the inputs. */
export type StoredReason = AwardReason & { rule: number; inputs: AwardInput }

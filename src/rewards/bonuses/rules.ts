import { DAY, HOUR, localMoment, MINUTE, parseClock } from '../../platform/time.ts'
import type { Bonus, PublicConfig } from '../../programs/partners/contract.ts'

/** How long a browser stores that a bonus was activated: 2.1 million milliseconds. */
export const storedForMs = 35 * MINUTE
/** How long after joining a member counts as new, in milliseconds. */
export const newMemberPeriodMs = 90 * DAY

/** The fields of a rewarded transaction that bonuses use. */
export interface BonusTransaction {
  dinedAt: Date
  timeZone: string
  merchantId: number
  cents: number
  /** Whether its card was linked in an earlier account of the program. */
  cardLinkedBefore?: boolean
}

export type BonusTerms = Pick<
  Bonus,
  'amount' | 'description' | 'dines' | 'withinDays' | 'distinctPlaces' | 'minimumCents' | 'days' | 'from' | 'until'
> & {
  /** Absent for bonuses that were activated before it was stored. */
  newMembers?: boolean
}

/** Returns the index of the transaction that completes a bonus; null while none does. They are sorted by time. */
export function findCompletingIndex(
  terms: BonusTerms,
  enrolledAt: Date,
  transactions: readonly BonusTransaction[],
): number | null {
  return findQualifyingIndexes(terms, enrolledAt, transactions)[terms.dines - 1] ?? null
}

/**
 * Returns the indexes of the transactions that count toward a bonus, up to the required number. Of those at one
 * restaurant on one local day, only the first counts.
 */
export function findQualifyingIndexes(
  terms: BonusTerms,
  enrolledAt: Date,
  transactions: readonly BonusTransaction[],
): number[] {
  const until = enrolledAt.getTime() + terms.withinDays * DAY
  const visits = new Set<string>()
  const counted: number[] = []
  for (const [index, transaction] of transactions.entries()) {
    const at = transaction.dinedAt.getTime()
    if (at < enrolledAt.getTime() || at > until || !counts(terms, transaction)) continue
    const visit = terms.distinctPlaces ? `${transaction.merchantId}` : `${transaction.merchantId} ${dayOf(transaction)}`
    if (visits.has(visit)) continue
    visits.add(visit)
    counted.push(index)
    if (counted.length === terms.dines) break
  }
  return counted
}

const dayOf = ({ dinedAt, timeZone }: BonusTransaction) => localMoment(dinedAt, timeZone).date

function counts(terms: BonusTerms, transaction: BonusTransaction): boolean {
  const { weekday, minutes } = localMoment(transaction.dinedAt, transaction.timeZone)
  // A card that was linked in an earlier account does not make a new member.
  if (terms.newMembers && transaction.cardLinkedBefore) return false
  return (
    transaction.cents >= terms.minimumCents &&
    terms.days.includes(weekday) &&
    minutes >= parseClock(terms.from) &&
    minutes <= parseClock(terms.until)
  )
}

/** The fields of a member's bonus that banners use. */
export interface MemberBonus {
  code: string
  bonusStatus: 'Eligible' | 'Enrolled' | 'Qualified'
  createDateUtc: string
  isNewMemberBonus: boolean
  memberIsEligibleForNMB: boolean
}

interface Recipient {
  enrollmentSource: string | null
  /** ISO date. */
  joinDate: string
  activeBonuses: readonly MemberBonus[]
}

/** Returns whether a bonus is injected for a member, by enrollment source and time since joining. */
export function isInjected(
  bonus: PublicConfig['injectedBonuses'][number],
  member: Pick<Recipient, 'enrollmentSource' | 'joinDate'>,
  now: Date,
): boolean {
  if (bonus.enrollmentSource !== undefined && bonus.enrollmentSource !== member.enrollmentSource) return false
  if (bonus.withinHours === undefined) return true
  return now.getTime() - Date.parse(member.joinDate) <= bonus.withinHours * HOUR
}

/** Returns a member's bonuses with injected ones and those just activated in this browser. */
export function mergeBonuses(
  member: Recipient,
  { injected, stored, now }: { injected: PublicConfig['injectedBonuses']; stored: ReadonlySet<string>; now: Date },
): MemberBonus[] {
  const own = new Set(member.activeBonuses.map(({ code }) => code))
  const added = injected
    .filter((bonus) => !own.has(bonus.code) && isInjected(bonus, member, now))
    .map(
      ({ code }): MemberBonus => ({
        code,
        bonusStatus: 'Eligible',
        createDateUtc: `${member.joinDate}T00:00:00.000Z`,
        isNewMemberBonus: false,
        memberIsEligibleForNMB: false,
      }),
    )
  return [...member.activeBonuses, ...added].map((bonus) =>
    stored.has(bonus.code) && bonus.bonusStatus === 'Eligible' ? { ...bonus, bonusStatus: 'Enrolled' } : bonus,
  )
}

export interface Showable {
  code: string
  /** From content: whole days; any other value means always. */
  daysToDisplay: unknown
}

/** Returns the banners of bonuses that can be activated, and of activated ones. */
export function sortBanners<B extends Showable>(
  banners: readonly B[],
  bonuses: readonly MemberBonus[],
  now: Date,
): { available: B[]; activated: B[] } {
  const byCode = new Map(bonuses.map((bonus) => [bonus.code, bonus]))
  const shown = banners.flatMap((banner) => {
    const bonus = byCode.get(banner.code)
    return bonus && isWithinDisplayPeriod(banner, bonus, now) && isForMember(bonus) ? [{ banner, bonus }] : []
  })
  const of = (isEligible: boolean) =>
    shown.filter(({ bonus }) => (bonus.bonusStatus === 'Eligible') === isEligible).map(({ banner }) => banner)
  return { available: of(true), activated: of(false) }
}

// A new-member bonus is shown to eligible new members, and to members who have activated it.
const isForMember = ({ bonusStatus, isNewMemberBonus, memberIsEligibleForNMB }: MemberBonus) =>
  bonusStatus !== 'Eligible' || !isNewMemberBonus || memberIsEligibleForNMB

function isWithinDisplayPeriod({ daysToDisplay }: Showable, { createDateUtc }: MemberBonus, now: Date): boolean {
  if (typeof daysToDisplay !== 'number' || !Number.isInteger(daysToDisplay)) return true
  const created = Date.parse(createDateUtc)
  return Number.isNaN(created) || now.getTime() <= created + daysToDisplay * DAY
}

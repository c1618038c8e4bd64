import { addDays, DAY, HOUR, localMoment, MINUTE, parseClock, startOfDay } from '../../platform/time.ts'
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
  /** The codes of the bonuses that another account of its person, or one that has had its card, has earned. */
  earnedElsewhere?: readonly string[]
}

export type BonusTerms = Pick<
  Bonus,
  'amount' | 'description' | 'dines' | 'withinDays' | 'distinctPlaces' | 'minimumCents' | 'days' | 'from' | 'until'
> & {
  /** Absent for bonuses that were activated before it was stored. */
  newMembers?: boolean
  /** Absent for bonuses that were activated before a card could complete each only once. */
  code?: string
}

/** When transactions count toward a bonus: from its activation until the end of a day, on each restaurant's calendar. */
export interface BonusPeriod {
  from: Date
  /** `YYYY-MM-DD`. */
  lastDay: string
}

/** Returns the index of the transaction that completes a bonus; null while none does. They are sorted by time. */
export function findCompletingIndex(
  terms: BonusTerms,
  period: BonusPeriod,
  transactions: readonly BonusTransaction[],
): number | null {
  return findQualifyingIndexes(terms, period, transactions)[terms.dines - 1] ?? null
}

/**
 * Returns the indexes of the transactions that count toward a bonus, up to the required number. Of those at one
 * restaurant on one local day, only the first counts.
 */
export function findQualifyingIndexes(
  terms: BonusTerms,
  { from, lastDay }: BonusPeriod,
  transactions: readonly BonusTransaction[],
): number[] {
  const visits = new Set<string>()
  const counted: number[] = []
  for (const [index, transaction] of transactions.entries()) {
    const { date } = nightOf(terms, transaction)
    if (transaction.dinedAt < from || date > lastDay || !counts(terms, transaction)) continue
    const visit = terms.distinctPlaces ? `${transaction.merchantId}` : `${transaction.merchantId} ${date}`
    if (visits.has(visit)) continue
    visits.add(visit)
    counted.push(index)
    if (counted.length === terms.dines) break
  }
  return counted
}

/**
 * Returns the local moment of a transaction. Where the hours of a bonus end after midnight, what is paid until then
 * belongs to the day on which the night began.
 */
function nightOf({ from, until }: Pick<BonusTerms, 'from' | 'until'>, { dinedAt, timeZone }: BonusTransaction) {
  const local = localMoment(dinedAt, timeZone)
  if (from <= until || local.minutes > parseClock(until)) return local
  return { ...local, date: addDays(local.date, -1), weekday: (local.weekday + 6) % 7 }
}

function counts(terms: BonusTerms, transaction: BonusTransaction): boolean {
  const { weekday, minutes } = nightOf(terms, transaction)
  const [from, until] = [parseClock(terms.from), parseClock(terms.until)]
  // A card that was linked in an earlier account does not make a new member.
  if (terms.newMembers && transaction.cardLinkedBefore) return false
  // Each bonus is given once, also to whoever joins again with another address.
  if (terms.code !== undefined && transaction.earnedElsewhere?.includes(terms.code)) return false
  return (
    transaction.cents >= terms.minimumCents &&
    terms.days.includes(weekday) &&
    (from <= until ? from <= minutes && minutes <= until : minutes >= from || minutes <= until)
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
  /** ISO date, by the program's calendar. */
  joinDate: string
  activeBonuses: readonly MemberBonus[]
}

/** Returns whether a bonus is injected for a member, by enrollment source and time since joining. */
export function isInjected(
  bonus: PublicConfig['injectedBonuses'][number],
  member: Pick<Recipient, 'enrollmentSource' | 'joinDate'>,
  { now, timeZone }: { now: Date; timeZone: string },
): boolean {
  if (bonus.enrollmentSource !== undefined && bonus.enrollmentSource !== member.enrollmentSource) return false
  if (bonus.withinHours === undefined) return true
  return now.getTime() - startOfDay(member.joinDate, timeZone).getTime() <= bonus.withinHours * HOUR
}

/** Returns a member's bonuses with injected ones and those just activated in this browser. */
export function mergeBonuses(
  member: Recipient,
  {
    injected,
    stored,
    now,
    timeZone,
  }: { injected: PublicConfig['injectedBonuses']; stored: ReadonlySet<string>; now: Date; timeZone: string },
): MemberBonus[] {
  const own = new Set(member.activeBonuses.map(({ code }) => code))
  const added = injected
    .filter((bonus) => !own.has(bonus.code) && isInjected(bonus, member, { now, timeZone }))
    .map(
      ({ code }): MemberBonus => ({
        code,
        bonusStatus: 'Eligible',
        createDateUtc: startOfDay(member.joinDate, timeZone).toISOString(),
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

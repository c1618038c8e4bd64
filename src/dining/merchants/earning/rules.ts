import { formatCents } from '../../../platform/money.ts'
import { formatClock } from '../../../platform/time.ts'
import type { PublicConfig, TierLevel } from '../../../programs/partners/contract.ts'
import { bestTier, describeRate, tierNumber } from '../../../programs/partners/rates.ts'
import { earnKey, tierNeeded } from '../rules.ts'

/** What must happen before meals at a restaurant earn: activate the account, opt in to emails, or become a VIP. */
export type Unlocking = 'activate' | 'emails' | 'vip'

/** What a restaurant earns for one visitor, on the days and in the hours of its offer. Every text is made from this. */
export type Earning =
  /** It has no offer. */
  | { kind: 'nothing' }
  /** It has an offer, but not for this member yet. */
  | { kind: 'locked'; unlocking: Unlocking }
  /** The visitor is not known: the best rate of those who earn here, who are all members or only some of them. */
  | { kind: 'upTo'; audience: 'members' | 'emails' | 'vip'; tier: TierLevel; ratePercent: number }
  /** The rate of this visitor. `flexRate` is a personal offer, in smallest units per 100 dollars. */
  | { kind: 'earns'; tier: TierLevel; ratePercent: number; flexRate: number }

export interface EarningFacts {
  config: PublicConfig
  /** The visitor's tier, also of the recipient of an invitation; null for others. */
  tier: TierLevel | null
  acclaimedLevel: number
  /** The percentage of the restaurant's best offer; null without an offer. */
  ratePercent: number | null
  /** The member's personal offer, in smallest units per 100 dollars. */
  flexRate?: number
}

/** Returns what a restaurant earns for a visitor, as the award engine decides it. */
export function earningOf({ config, tier, acclaimedLevel, ratePercent, flexRate = 0 }: EarningFacts): Earning {
  if (ratePercent === null) return { kind: 'nothing' }
  const level = config.acclaimed2Enabled ? acclaimedLevel : 0
  if (tier === null) {
    const audience = level === 0 ? 'members' : level === 1 ? 'emails' : 'vip'
    return { kind: 'upTo', audience, tier: audience === 'vip' ? 'VIP' : bestTier(config), ratePercent }
  }
  const needed = tierNeeded(level, tierNumber(tier))
  if (needed === null) return { kind: 'earns', tier, ratePercent, flexRate }
  return { kind: 'locked', unlocking: tier === 'NonActivated' ? 'activate' : needed === 2 ? 'emails' : 'vip' }
}

/** A copy key and its parameters. */
interface EarningText {
  key: string
  params: Record<string, string>
}

/** Returns the whole rate, with any personal offer: `6 points per dollar`; null where nothing is earned. */
export function rateText(config: PublicConfig, earning: Earning, ratePercent?: number): string | null {
  if (!('tier' in earning)) return null
  const flexRate = earning.kind === 'earns' ? earning.flexRate : 0
  return describeRate(config, earning.tier, ratePercent ?? earning.ratePercent, flexRate)
}

/** Returns the part of a rate that is a personal offer: `3 points per dollar`; null without one. */
export function personalText(config: PublicConfig, earning: Earning): string | null {
  if (earning.kind !== 'earns' || earning.flexRate === 0) return null
  const noRates = { OptedOut: 0, NonActivated: 0, OptedIn: 0, VIP: 0 }
  return describeRate({ ...config, earnRates: noRates }, earning.tier, earning.ratePercent, earning.flexRate)
}

/**
 * Returns the text of cards and pins. Null for locked restaurants, and for visitors who have to sign in to see offers:
 * cards have a button or a link in its place.
 */
export function shortText(config: PublicConfig, earning: Earning): EarningText | null {
  const rate = rateText(config, earning)
  const isOpen = config.enrollmentType === 'none'
  if (rate === null) return earning.kind === 'nothing' ? { key: 'merchant.earn_nothing', params: {} } : null
  if (earning.kind === 'earns') return { key: earnKey(config, earning.tier), params: { rate } }
  return isOpen ? { key: 'merchant.earn_up_to', params: { rate } } : null
}

/** Returns the sentence of a restaurant's page about the rate of its best offer; null where nothing is earned. */
export function sentenceOf(config: PublicConfig, earning: Earning): EarningText | null {
  const rate = rateText(config, earning)
  if (rate === null) return null
  if (earning.kind === 'earns') return { key: 'merchant.earns_sentence', params: { rate } }
  if (config.enrollmentType === 'none') return { key: 'merchant.earns_browse', params: { rate } }
  return { key: `merchant.earns_visitor_${earning.kind === 'upTo' ? earning.audience : ''}`, params: { rate } }
}

type Translate = (key: string, params?: Record<string, string>) => string

/** The parts of an offer that limit when and for what it earns. */
export interface Limits {
  days?: readonly number[]
  hours?: { from: string; until: string } | null
  minSpendCents?: number
}

/** Returns the days, the hours and the minimum of an offer, `Mon–Thu, 5 PM to 9 PM`; empty where it has no limits. */
export function limitsText(t: Translate, { days = [], hours, minSpendCents }: Limits): string {
  return [
    days.length % 7 !== 0 && daysText(days, (day) => t(`merchant.day_${day}`).slice(0, 3)),
    hours && t('merchant.earn_hours', { from: formatClock(hours.from), until: formatClock(hours.until) }),
    minSpendCents && t('merchant.earn_minimum', { amount: formatCents(minSpendCents) }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns weekdays as a text: `Mon–Thu`, or `Fri, Sat`. */
export function daysText(days: readonly number[], nameOf: (day: number) => string): string {
  const names = days.toSorted().map(nameOf)
  const isRun = days.length > 2 && Math.max(...days) - Math.min(...days) === days.length - 1
  return isRun ? `${names[0]}–${names.at(-1)}` : names.join(', ')
}

/** Converts the amount of a personal offer, `+5` or `+2%`, to smallest units per 100 dollars; 0 without one. */
export function flexRateFrom(amount: string | null): number {
  return amount === null ? 0 : Math.round(Number(amount.replace(/[+%,]/g, '')) * 100)
}

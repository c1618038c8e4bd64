import { formatCents, formatCount } from '../kit/money.ts'
import type { PublicConfig, TierLevel } from './contract.ts'

const tierNumbers = { OptedOut: 0, NonActivated: 1, OptedIn: 2, VIP: 3 } as const

/** The opt-in level of a tier: 0 opted out, 1 not activated, 2 opted in, 3 VIP. */
export function tierNumber(tier: TierLevel): 0 | 1 | 2 | 3 {
  return tierNumbers[tier]
}

/**
 * The earn rate of a tier in words a diner uses: "3 miles per dollar", "3% cash back", or, where rewards
 * come per whole step, "10¢ fuel savings per $50".
 */
export function describeRate(config: PublicConfig, tier: TierLevel, percent = 100, extraRate = 0): string {
  const perHundred = (((config.earnRates[tier] ?? 0) + extraRate) * percent) / 100
  if (config.earnStepCents > 1) {
    const perStep = (perHundred * config.earnStepCents) / 10_000
    const step = formatCents(config.earnStepCents).replace(/\.00$/, '')
    return `${trimmed(perStep)}${inCents(config) ? '¢' : ''} ${config.currencyName} per ${step}`
  }
  if (inCents(config)) return `${trimmed(perHundred / 100)}% ${config.currencyName}`
  return `${counted(config, perHundred / 100, trimmed)} per dollar`
}

/** The best rate anyone can have here, for those we do not know yet. */
export function bestTier(config: PublicConfig): TierLevel {
  return config.hasVIP ? 'VIP' : 'OptedIn'
}

/** A reward in the smallest unit as it is shown: `$1.20`, or `1,204 miles`. */
export function formatReward(config: PublicConfig, amount: number): string {
  return inCents(config) ? formatCents(amount) : counted(config, amount, formatCount)
}

// One mile, two miles: what is counted one by one has a name in the plural.
function counted({ currencyName }: PublicConfig, amount: number, format: (amount: number) => string): string {
  return `${format(amount)} ${amount === 1 ? currencyName.replace(/s$/, '') : currencyName}`
}

function inCents({ currencyType }: PublicConfig): boolean {
  return currencyType === 'Dollar' || currencyType === 'Credit'
}

function trimmed(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

/** What a personal offer adds to a rate, as it is announced: `+2%`, or `+5` miles per dollar. */
export function extraRateText(config: PublicConfig, extraRate: number): string {
  return `+${trimmed(extraRate / 100)}${inCents(config) ? '%' : ''}`
}

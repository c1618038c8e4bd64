import { formatCents, formatCount } from '../kit/money.ts'
import type { PublicConfig, TierLevel } from './contract.ts'

/**
 * The earn rate of a tier in words a diner uses: "3 miles per dollar", "3% cash back", or, where rewards
 * come per whole step, "10¢ fuel savings per $50".
 */
export function describeRate(config: PublicConfig, tier: TierLevel, percent = 100): string {
  const perHundred = ((config.earnRates[tier] ?? 0) * percent) / 100
  if (config.earnStepCents > 1) {
    const perStep = (perHundred * config.earnStepCents) / 10_000
    const step = formatCents(config.earnStepCents).replace(/\.00$/, '')
    return `${trimmed(perStep)}${inCents(config) ? '¢' : ''} ${config.currencyName} per ${step}`
  }
  if (inCents(config)) return `${trimmed(perHundred / 100)}% ${config.currencyName}`
  return `${trimmed(perHundred / 100)} ${config.currencyName} per dollar`
}

/** The best rate anyone can have here, for those we do not know yet. */
export function bestTier(config: PublicConfig): TierLevel {
  return config.hasVIP ? 'VIP' : 'OptedIn'
}

/** A reward in the smallest unit as it is shown: `$1.20`, or `1,204 miles`. */
export function formatReward(config: PublicConfig, amount: number): string {
  return inCents(config) ? formatCents(amount) : `${formatCount(amount)} ${config.currencyName}`
}

function inCents({ currencyType }: PublicConfig): boolean {
  return currencyType === 'Dollar' || currencyType === 'Credit'
}

function trimmed(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1)
}

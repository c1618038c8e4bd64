import { formatCents, formatCount } from '../kit/money.ts'
import type { PublicConfig, TierLevel } from './contract.ts'

const tierNumbers = { OptedOut: 0, NonActivated: 1, OptedIn: 2, VIP: 3 } as const

/** The opt-in level of a tier: 0 opted out, 1 not activated, 2 opted in, 3 VIP. */
export function tierNumber(tier: TierLevel): 0 | 1 | 2 | 3 {
  return tierNumbers[tier]
}

/** The best rate anyone can have here, for those we do not know yet. */
export function bestTier(config: PublicConfig): TierLevel {
  return config.hasVIP ? 'VIP' : 'OptedIn'
}

/** What decides how the amounts of a program read. */
export type Currency = Pick<PublicConfig, 'currencyType' | 'currencyName' | 'currencyNameSingular' | 'rewardPer'>

type Rates = Currency & Pick<PublicConfig, 'earnRates' | 'earnStepCents'>

/**
 * The earn rate of a tier, exactly as the engine applies it: "3.75 miles per dollar", "3% cash back", or, where rewards
 * come per whole step, "10¢ per gallon for every $50". `percent` is the restaurant's offer, `extraRate` a personal
 * offer, per 100 dollars.
 */
export function describeRate(config: Rates, tier: TierLevel, percent = 100, extraRate = 0): string {
  const perHundred = (((config.earnRates[tier] ?? 0) + extraRate) * percent) / 100
  const { earnStepCents, rewardPer, currencyName } = config
  if (earnStepCents > 1) {
    const perStep = (perHundred * earnStepCents) / 10_000
    const step = formatCents(earnStepCents).replace(/\.00$/, '')
    if (!isMoney(config)) return `${counted(config, perStep)} per ${step}`
    return rewardPer
      ? `${exact(perStep)}¢ per ${rewardPer} for every ${step}`
      : `${exact(perStep)}¢ ${currencyName} per ${step}`
  }
  if (isMoney(config)) return `${exact(perHundred / 100)}% ${currencyName}`
  return `${counted(config, perHundred / 100)} per dollar`
}

/** What a personal offer adds to a rate, as it is announced: `+2%`, or `+5` miles per dollar. */
export function extraRateText(config: Currency, extraRate: number): string {
  return `+${exact(extraRate / 100)}${isMoney(config) ? '%' : ''}`
}

/**
 * The one way to write an amount of a program's currency, given in its smallest unit: `$1.20`, `10¢ per gallon`,
 * `1,204 miles`, `1 point`. Amounts below zero begin with a minus sign.
 */
export function formatReward(config: Currency, amount: number): string {
  const { number, unit } = rewardParts(config, amount)
  return isMoney(config) ? number : `${number} ${unit}`
}

/** The same in two parts, for a large number with its name below it: `$1.20` and `cash back`, `1` and `mile`. */
export function rewardParts(config: Currency, amount: number): { number: string; unit: string } {
  if (!isMoney(config)) return { number: formatCount(amount), unit: nameFor(config, amount) }
  return { number: moneyText(config, amount), unit: config.currencyName }
}

function moneyText({ rewardPer }: Currency, cents: number): string {
  if (!rewardPer) return formatCents(cents)
  return `${Math.abs(cents) < 100 ? `${formatCount(cents)}¢` : formatCents(cents)} per ${rewardPer}`
}

/** An amount of the API, in dollars or in whole miles or points, in the smallest unit. */
export function smallestUnits(config: Currency, amount: number): number {
  return isMoney(config) ? Math.round(amount * 100) : amount
}

// One mile, two miles: what is counted one by one has a name in the plural.
function nameFor({ currencyName, currencyNameSingular }: Currency, amount: number): string {
  return Math.abs(amount) === 1 ? (currencyNameSingular ?? currencyName.replace(/s$/, '')) : currencyName
}

function counted(config: Currency, amount: number): string {
  return `${exact(amount)} ${nameFor(config, amount)}`
}

/** Whether rewards are dollars: their smallest unit is the cent. */
function isMoney({ currencyType }: Currency): boolean {
  return currencyType === 'Dollar' || currencyType === 'Credit'
}

// Rates are whole numbers per 100 dollars times whole percents: four decimals are always enough.
const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })

const exact = (value: number) => decimals.format(value)

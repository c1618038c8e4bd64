import { decimalFromCents, formatCents, formatCount, formatDecimal } from '../../platform/money.ts'
import type { PublicConfig, TierLevel } from './contract.ts'

const tierNumbers = { OptedOut: 0, NonActivated: 1, OptedIn: 2, VIP: 3 } as const

/** Returns the opt-in level of a tier: 0 opted out, 1 not activated, 2 opted in, 3 VIP. */
export function tierNumber(tier: TierLevel): 0 | 1 | 2 | 3 {
  return tierNumbers[tier]
}

/** Returns the tier with the best rate, used for unknown visitors. */
export function bestTier(config: PublicConfig): TierLevel {
  return config.hasVIP ? 'VIP' : 'OptedIn'
}

/** Settings that determine how reward amounts are formatted. */
export type Currency = Pick<PublicConfig, 'currencyType' | 'currencyName' | 'currencyNameSingular' | 'rewardPer'>

type Rates = Currency & Pick<PublicConfig, 'earnRates' | 'earnStepCents'>

/**
 * Returns the earn rate of a tier exactly as the engine applies it: "3.75 miles per dollar", "3% cash back", "3% in rewards", or, for
 * rewards per whole step, "10¢ per gallon for every $50". `percent` is the restaurant's offer, `extraRate` a personal
 * offer per 100 dollars.
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
      : `${exact(perStep)}¢ ${inUnit(currencyName)} per ${step}`
  }
  if (isMoney(config)) return `${exact(perHundred / 100)}% ${inUnit(currencyName)}`
  return `${counted(config, perHundred / 100)} per dollar`
}

/** "3% cash back" needs no preposition, "3% in rewards" does. */
const inUnit = (currencyName: string) => (/\bback$/i.test(currencyName) ? currencyName : `in ${currencyName}`)

/** Formats the additional rate of a personal offer: `+2%`, or `+5` miles per dollar. */
export function extraRateText(config: Currency, extraRate: number): string {
  return `+${exact(extraRate / 100)}${isMoney(config) ? '%' : ''}`
}

/**
 * Formats an amount in the smallest unit of a program's currency: `$1.20`, `10¢ per gallon`, `1,204 miles`, `1 point`.
 * Negative amounts start with a minus sign. Use it for all reward amounts.
 */
export function formatReward(config: Currency, amount: number): string {
  const { number, unit } = rewardParts(config, amount)
  return isMoney(config) ? number : `${number} ${unit}`
}

/** Formats an amount as number and unit, for a large number above its name: `$1.20` and `cash back`, `1` and `mile`. */
export function rewardParts(config: Currency, amount: number): { number: string; unit: string } {
  if (!isMoney(config)) return { number: formatCount(amount), unit: nameFor(config, amount) }
  return { number: moneyText(config, amount), unit: config.currencyName }
}

/** Returns an amount as a number for a file: `1.20` where rewards are money, `1204` otherwise. */
export function rewardNumber(config: Pick<Currency, 'currencyType'>, amount: number): string | number {
  return isMoney(config) ? decimalFromCents(amount) : amount
}

function moneyText({ rewardPer }: Currency, cents: number): string {
  if (!rewardPer) return formatCents(cents)
  return `${Math.abs(cents) < 100 ? `${formatCount(cents)}¢` : formatCents(cents)} per ${rewardPer}`
}

/** Converts an API amount (dollars, or whole miles or points) to the smallest unit. */
export function smallestUnits(config: Currency, amount: number): number {
  return isMoney(config) ? Math.round(amount * 100) : amount
}

// Countable currencies have a singular and a plural name.
function nameFor({ currencyName, currencyNameSingular }: Currency, amount: number): string {
  return Math.abs(amount) === 1 ? (currencyNameSingular ?? currencyName.replace(/s$/, '')) : currencyName
}

function counted(config: Currency, amount: number): string {
  return `${exact(amount)} ${nameFor(config, amount)}`
}

/** Returns in what people type a reward: `dollars per gallon`, or `miles`. */
export const typedUnitOf = (currency: Currency): string =>
  isMoney(currency) ? (currency.rewardPer ? `dollars per ${currency.rewardPer}` : 'dollars') : currency.currencyName

/** Returns whether rewards are dollars, whose smallest unit is the cent. */
export function isMoney({ currencyType }: Pick<Currency, 'currencyType'>): boolean {
  return currencyType === 'Dollar' || currencyType === 'Credit'
}

// Rates are integers per 100 dollars times integer percentages: four decimals are always enough.
const exact = formatDecimal

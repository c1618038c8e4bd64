import { decimalFromCents, parseDollars } from '../../../platform/money.ts'
import { type Currency, isMoney, typedUnitOf } from '../../../programs/partners/rates.ts'

const maxReward = 1_000_000

/** How operators type a reward: dollars where the program's rewards are money, else its miles or points. */
export interface RewardField {
  unit: string
  /** Returns the text of an amount in the smallest unit. */
  format: (amount: number) => string
  /** Returns the amount in the smallest unit; null when it is not from 1 to `maxReward`. */
  parse: (typed: string) => number | null
  /** Key of the message about another text. */
  problem: string
}

/** Returns how operators type the rewards of a program. */
export function rewardFieldFor(currency: Currency): RewardField {
  return isMoney(currency) ? moneyField(currency) : countField(currency)
}

const moneyField = (currency: Currency): RewardField => ({
  unit: typedUnitOf(currency),
  format: decimalFromCents,
  parse: (typed) => withinLimits(parseDollars(typed)),
  problem: 'console.claims.reward_money',
})

const countField = (currency: Currency): RewardField => ({
  unit: typedUnitOf(currency),
  format: String,
  parse(typed) {
    const text = typed.trim()
    return withinLimits(/^(\d+|\d{1,3}(,\d{3})+)$/.test(text) ? Number(text.replaceAll(',', '')) : null)
  },
  problem: 'console.claims.reward_count',
})

const withinLimits = (reward: number | null) => (reward !== null && reward >= 1 && reward <= maxReward ? reward : null)

import { formatCents, formatCount } from '../../platform/money.ts'
import type { PublicConfig } from '../../programs/partners/contract.ts'
import { formatReward } from '../../programs/partners/rates.ts'
import { figureWords } from './figure-words.ts'
import type { Figure, Period } from './names.ts'

type Currency = Pick<PublicConfig, 'currencyType' | 'currencyName' | 'currencyNameSingular' | 'rewardPer'>

/** Returns a figure as text; people are counted in whole tens, so `120+` are at least 120. */
export function formatFigure(figure: Figure, value: number, currency: Currency): string {
  const { kind } = figureWords[figure]
  if (kind === 'money') return formatCents(value)
  if (kind === 'reward') return formatReward(currency, value)
  return kind === 'people' && value > 0 ? `${formatCount(value)}+` : formatCount(value)
}

/** What is said where fewer than ten people are behind a figure. */
export const hiddenText = 'under 10'

const formatOf = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
const monthFormat = formatOf({ month: 'long', year: 'numeric' })
const dayFormat = formatOf({ weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' })
const weekFormat = formatOf({ month: 'short', day: 'numeric', year: 'numeric' })
const shortFormat = formatOf({ month: 'short', day: 'numeric' })
const shortMonthFormat = formatOf({ month: 'short', year: 'numeric' })

const at = (day: string) => new Date(`${day}T00:00:00Z`)

/** Returns the name of a period: `Thu, Nov 26, 2026`, `Nov 16 – 22, 2026` or `October 2026`. */
export function periodText(by: Period, { from, to }: { from: string; to: string }): string {
  if (by === 'month') return monthFormat.format(at(from))
  return by === 'day' ? dayFormat.format(at(from)) : weekFormat.formatRange(at(from), at(to))
}

/** Returns a short name of a period, for the axis of a chart. */
export const shortPeriodText = (by: Period, from: string): string =>
  (by === 'month' ? shortMonthFormat : shortFormat).format(at(from))

/** Returns how much a figure has changed: `+12%`; null where a side is not known. */
export function changeText(now: number | null, before: number | null): string | null {
  if (now === null || before === null) return null
  if (now === before) return '±0%'
  if (before === 0) return null
  const percent = ((now - before) / Math.abs(before)) * 100
  const sign = percent > 0 ? '+' : '−'
  const size = Math.abs(percent)
  return `${sign}${size < 10 ? size.toFixed(1) : formatCount(size)}%`
}

import { escapeHtml } from '../../platform/html.ts'
import { interpolate } from '../../platform/interpolate.ts'
import type { ProgramConfig } from './contract.ts'
import { copyTokens } from './rules.ts'

/** Fields of `program.json` in which tokens like `{programName}` are replaced. */
export const filledFields = [
  'appAnnouncementModal',
  'bonuses',
  'brandLogos',
  'payoutBrand',
  'reservationBonus',
  'routeMeta',
  'tagline',
] as const

/** Returns the configuration with its tokens replaced and with the defaults derived from its code. */
export function fillConfig(config: ProgramConfig): ProgramConfig {
  const tokens = copyTokens(config)
  const filled = Object.fromEntries(filledFields.map((name) => [name, fillDeep(config[name], tokens)]))
  return { ...config, formServiceCode: config.formServiceCode ?? config.code, ...filled }
}

/** Replaces tokens in every string of a value. */
export function fillDeep<T>(value: T, tokens: Readonly<Record<string, string>>): T {
  if (typeof value === 'string') return interpolate(value, tokens) as T
  if (Array.isArray(value)) return value.map((item) => fillDeep(item, tokens)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillDeep(inner, tokens)])) as T
}

/** Replaces tokens in markup, with escaped values. */
export function fillMarkup(markup: string, config: ProgramConfig): string {
  const escaped = Object.entries(copyTokens(config)).map(([name, value]) => [name, escapeHtml(value)])
  return interpolate(markup, Object.fromEntries(escaped))
}

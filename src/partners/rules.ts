import type { FeatureFlags, ProgramConfig, PublicConfig } from './contract.ts'

/** The configuration with run-time overrides laid over it; names that are not switches are ignored. */
export function withOverrides(config: ProgramConfig, overrides: Record<string, unknown>): ProgramConfig {
  const switches = Object.entries(overrides).filter(
    ([name, value]) => typeof value === 'boolean' && typeof config[name as keyof ProgramConfig] === 'boolean',
  )
  return switches.length === 0 ? config : { ...config, ...Object.fromEntries(switches) }
}

/** What the browser may know of the configuration. */
export function publicConfig({ sso: _sso, ...config }: ProgramConfig): PublicConfig {
  return config
}

/** Which search filters show: those of the configuration, minus those switched off at run time. */
export function visibleFilters(config: ProgramConfig, flags: FeatureFlags['filters']): string[] {
  return config.filters.filter((name) => flags[name] !== false)
}

/** The tokens that copy may name. A missing short code shows, on purpose, that it is missing. */
export function copyTokens(config: PublicConfig): Record<string, string> {
  return {
    partnerName: config.name,
    currencyName: config.currencyName,
    programName: config.programName,
    supportPhone: config.customerSupport.phone.formatted,
    supportEmail: config.customerSupport.email.display,
    shortCode: config.shortCode ?? 'MISSING SHORT CODE',
    product: config.product,
  }
}

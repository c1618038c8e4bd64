import type { FeatureFlags, ProgramConfig, PublicConfig } from './contract.ts'

/** The names and values of everything in a configuration that is simply on or off. */
export function switchesOf(config: ProgramConfig): [name: string, on: boolean][] {
  return Object.entries(config).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
}

/** The configuration with run-time overrides laid over it; names that are not switches are ignored. */
export function withOverrides(config: ProgramConfig, overrides: Record<string, unknown>): ProgramConfig {
  const switches = switchesOf(config).flatMap(([name]) =>
    Object.hasOwn(overrides, name) && typeof overrides[name] === 'boolean' ? [[name, overrides[name]]] : [],
  )
  return switches.length === 0 ? config : { ...config, ...Object.fromEntries(switches) }
}

/** What the browser may know of the configuration. */
export function publicConfig({
  sso: _sso,
  settlement: _settlement,
  fidel: _fidel,
  ...config
}: ProgramConfig): PublicConfig {
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

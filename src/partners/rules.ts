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
  sample: _sample,
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

/** What the program is called at its identity provider. */
export function clientIdOf({ code, sso }: Pick<ProgramConfig, 'code' | 'sso'>): string {
  return sso?.clientId ?? code
}

/**
 * A partner number without the spaces and hyphens that people copy from a card. What has the form of a number already,
 * and what has it with neither, stays as it is.
 */
export function plainPartnerNumber(
  typed: string,
  { partnerNumberPattern }: Pick<PublicConfig, 'partnerNumberPattern'>,
) {
  const pattern = new RegExp(partnerNumberPattern)
  const [text, plain] = [typed.trim(), typed.replace(/[\s-]/g, '')]
  return !pattern.test(text) && pattern.test(plain) ? plain : text
}

/** Whether a program is one that shows what there is; a copy under another code is a program like any other. */
export function isSample({ code, sample }: Pick<ProgramConfig, 'code' | 'sample'>): boolean {
  return sample === true || sample === code
}

/** The tokens that copy may name. A missing short code shows, on purpose, that it is missing. */
export function copyTokens(config: PublicConfig): Record<string, string> {
  return {
    partnerName: config.name,
    currencyName: config.currencyName,
    // For the beginning of a sentence.
    CurrencyName: config.currencyName.charAt(0).toUpperCase() + config.currencyName.slice(1),
    programName: config.programName,
    supportPhone: config.customerSupport.phone.formatted,
    supportEmail: config.customerSupport.email.display,
    shortCode: config.shortCode ?? 'MISSING SHORT CODE',
    product: config.product,
  }
}

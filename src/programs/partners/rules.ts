import type { CallSpec } from '../../platform/call.ts'
import { dayIn } from '../../platform/time.ts'
import type { FeatureFlags, ProgramConfig, PublicConfig } from './contract.ts'

/** Returns the names and values of all boolean settings. */
export function booleanSettings(config: ProgramConfig): [name: string, on: boolean][] {
  return Object.entries(config).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')
}

/** Applies run-time overrides to the configuration; names that are not boolean settings are ignored. */
export function withOverrides(config: ProgramConfig, overrides: Record<string, unknown>): ProgramConfig {
  const overridden = booleanSettings(config).flatMap(([name]) =>
    Object.hasOwn(overrides, name) && typeof overrides[name] === 'boolean' ? [[name, overrides[name]]] : [],
  )
  return overridden.length === 0 ? config : { ...config, ...Object.fromEntries(overridden) }
}

/**
 * Returns whether a call is closed for maintenance: with its program, or with sign-in or joining. What machines send
 * cannot wait, and the staging tools can end the maintenance.
 */
export function isClosedForMaintenance(
  { flags }: { flags: Pick<FeatureFlags, 'authFlags'> },
  { access, path, maintenance }: Pick<CallSpec, 'access' | 'path' | 'maintenance'>,
): boolean {
  if (access === 'machine' || maintenance === 'open' || path.startsWith('/api/staging/')) return false
  const { siteMaintenance, loginMaintenance, joinMaintenance } = flags.authFlags
  return siteMaintenance || (maintenance === 'login' && loginMaintenance) || (maintenance === 'join' && joinMaintenance)
}

/** Returns the configured search filters except those disabled at run time. */
export function visibleFilters(config: ProgramConfig, flags: FeatureFlags['filters']): string[] {
  return config.filters.filter((name) => flags[name] !== false)
}

/** Paths of pages that concern one person; search engines list neither them nor what is below them. */
export const memberPaths = [
  '/account',
  '/activate',
  '/add_card',
  '/card_added',
  '/card_move',
  '/fix_credentials',
  '/recover',
  '/staging-tools',
  '/surveys',
] as const

export function isMemberPage(pathname: string): boolean {
  return memberPaths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
}

/** Returns the client id at the identity provider. */
export function clientIdOf({ code, sso }: Pick<ProgramConfig, 'code' | 'sso'>): string {
  return sso?.clientId ?? code
}

/**
 * Returns a typed partner number without spaces and hyphens when only that makes it valid; otherwise it is only
 * trimmed. Members copy the number from a card, with its spaces.
 */
export function plainPartnerNumber(
  typed: string,
  { partnerNumberPattern }: Pick<PublicConfig, 'partnerNumberPattern'>,
) {
  const pattern = new RegExp(partnerNumberPattern)
  const [text, plain] = [typed.trim(), typed.replace(/[\s-]/g, '')]
  return !pattern.test(text) && pattern.test(plain) ? plain : text
}

type Zone = Pick<PublicConfig, 'timeZone'>

/**
 * Returns the day of an instant by the program's own calendar, `YYYY-MM-DD`: for what belongs to no restaurant. The day
 * of a transaction is that of its restaurant.
 */
export function dayOf({ timeZone }: Zone, instant: Date): string {
  return dayIn(instant, timeZone)
}

/** Returns the calendar year of an instant by the program's own calendar. */
export function yearOf(program: Zone, instant: Date): number {
  return Number(dayOf(program, instant).slice(0, 4))
}

/** Returns the name of the program's time zone for members: `Eastern Time`. */
export function zoneName({ timeZone }: Zone): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longGeneric' }).formatToParts(0)
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
}

/** Returns whether a program is a sample; a copy under another code is not. */
export function isSample({ code, sample }: Pick<ProgramConfig, 'code' | 'sample'>): boolean {
  return sample === true || sample === code
}

/** Names of the tokens that every message of a program may contain. */
export const copyTokenNames = [
  'partnerName',
  'currencyName',
  'CurrencyName',
  'programName',
  'supportPhone',
  'supportEmail',
  'shortCode',
  'product',
] as const

/** Returns the tokens available in messages. A missing short code is deliberately visible. */
export function copyTokens(config: PublicConfig): Record<(typeof copyTokenNames)[number], string> {
  return {
    partnerName: config.name,
    currencyName: config.currencyName,
    // For the start of a sentence.
    CurrencyName: config.currencyName.charAt(0).toUpperCase() + config.currencyName.slice(1),
    programName: config.programName,
    supportPhone: config.customerSupport.phone.formatted,
    supportEmail: config.customerSupport.email.display,
    shortCode: config.shortCode ?? 'MISSING SHORT CODE',
    product: config.product,
  }
}

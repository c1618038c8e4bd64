/** The virtual host of a request. */
export type VirtualHost =
  | { kind: 'gallery' }
  | { kind: 'partner'; partnerId: string }
  | { kind: 'vault' }
  | { kind: 'forms' }
  | { kind: 'console' }
  | { kind: 'id' }

export interface HostRules {
  baseDomain: string
  /** Public scheme and port (null for the scheme's default port). */
  scheme: 'http' | 'https'
  port: number | null
  partners: ReadonlySet<string>
  singlePartner?: string | undefined
}

/**
 * Resolves a Host header by allow-list; returns null for any other name, which the server rejects with 421. The header
 * is untrusted: only an exact match counts.
 */
export function resolveHost(host: string | undefined, rules: HostRules): VirtualHost | null {
  const name = nameOf(host, rules)
  if (name === null) return null
  if (name === `vault.${rules.baseDomain}`) return { kind: 'vault' }
  if (name === `console.${rules.baseDomain}`) return { kind: 'console' }
  if (name === `forms.${rules.baseDomain}`) return { kind: 'forms' }
  if (name === `id.${rules.baseDomain}`) return { kind: 'id' }
  if (rules.singlePartner) return { kind: 'partner', partnerId: rules.singlePartner }
  if (name === rules.baseDomain) return { kind: 'gallery' }
  const label = name.endsWith(`.${rules.baseDomain}`) ? name.slice(0, -rules.baseDomain.length - 1) : ''
  return rules.partners.has(label) ? { kind: 'partner', partnerId: label } : null
}

function nameOf(host: string | undefined, rules: HostRules): string | null {
  const match = /^([a-z0-9.-]{1,253})(?::(\d{1,5}))?$/.exec(host?.toLowerCase() ?? '')
  if (!match?.[1]) return null
  const port = match[2] === undefined ? null : Number(match[2])
  return port === rules.port ? match[1] : null
}

/** Returns the public origin of a host under the base domain; a null label is the base domain itself. */
export function originOf(label: string | null, rules: Pick<HostRules, 'baseDomain' | 'scheme' | 'port'>): string {
  const name = label === null ? rules.baseDomain : `${label}.${rules.baseDomain}`
  return `${rules.scheme}://${name}${rules.port === null ? '' : `:${rules.port}`}`
}

/** Settings that determine the public URLs of an installation. */
export interface AddressSettings {
  BASE_DOMAIN: string
  PUBLIC_SCHEME: 'http' | 'https'
  PUBLIC_PORT?: number | undefined
  PORT: number
  SINGLE_PARTNER?: string | undefined
}

/** Returns the part of the host rules that URLs are built from. */
export function addressRules(settings: AddressSettings): Pick<HostRules, 'baseDomain' | 'scheme' | 'port'> {
  const { BASE_DOMAIN: baseDomain, PUBLIC_SCHEME: scheme } = settings
  const port = settings.PUBLIC_PORT ?? settings.PORT
  return { baseDomain, scheme, port: port === (scheme === 'https' ? 443 : 80) ? null : port }
}

/** Returns the origin of a program's pages. */
export function programOrigin(settings: AddressSettings, partnerId: string): string {
  return originOf(settings.SINGLE_PARTNER === partnerId ? null : partnerId, addressRules(settings))
}

import { createHash, hkdfSync } from 'node:crypto'
import { z } from 'zod'

/** A 32-byte secret as base64, base64url or hex text. */
const Secret = z
  .string()
  .refine((text) => secretBytes(text).length >= 32, 'must be at least 32 random bytes as base64 or hex')

const Port = z.coerce.number().int().min(1).max(65535)
const optionalUrl = z.url({ protocol: /^https?$/ }).optional()

/** Every setting of the installation. `.env.example` documents each one. */
export const Settings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: Port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** The domain that partner hosts hang under, without port: `skyharbor.localhost`. */
  BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a domain name in lower case')
    .default('localhost'),
  /** What a browser types: `http` or `https` (behind a proxy that ends TLS). */
  PUBLIC_SCHEME: z.enum(['http', 'https']).default('http'),
  /** The port a browser types, when a proxy stands in front. */
  PUBLIC_PORT: Port.optional(),
  /** Pins a single-partner installation to its partner: every host name serves it. */
  SINGLE_PARTNER: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/)
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  PROGRAMS_DIR: z.string().min(1).default('programs'),
  /** The address of the proxy whose X-Forwarded-For may be believed; none by default. */
  TRUSTED_PROXY: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  APP_SECRET: Secret,
  VAULT_SECRET: Secret,
  FEED_SECRET: Secret,
  ID_SECRET: Secret,
  /** Where the card vault is, when it is not this process. */
  VAULT_URL: optionalUrl,
  /** Where the app reaches the vault's own API, when that is not VAULT_URL. */
  VAULT_API_URL: optionalUrl,
  /** The script of a card provider in place of the one that comes along, and its publishable key for this environment. */
  CARD_PROVIDER_SCRIPT: optionalUrl,
  CARD_PROVIDER_KEY: z.string().min(1).optional(),
  /** Where the form service is, when it is not this process. */
  FORMS_URL: optionalUrl,
  /** What a form service deployed apart signs with when it tells of reviews; 32 random bytes as base64. */
  REVIEW_KEY: Secret.optional(),
  /** Google's reCAPTCHA (invisible) in place of the check that comes along: the two keys of this environment. */
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  RECAPTCHA_SECRET: z.string().min(1).optional(),
  RECAPTCHA_URL: z.url({ protocol: /^https?$/ }).default('https://www.google.com/recaptcha'),
  /** An SMTP server, `smtps://name:password@mail.example.com`; without it mails stay in the outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mails. */
  MAIL_FROM: z.string().min(3).default('Dineback <no-reply@dineback.example>'),
  /** Hosts, with ports, of push services of one's own, separated by commas; those of the browsers are known. */
  PUSH_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').filter(Boolean)),
  /** A payout processor that carries statement credits out, and its bearer key; without it our own books do. */
  PAYOUT_URL: optionalUrl,
  PAYOUT_KEY: z.string().min(1).optional(),
  /** A booking server for restaurants with the provider `http`, and its basic credentials `name:password`. */
  BOOKING_URL: optionalUrl,
  BOOKING_CREDENTIALS: z.string().optional(),
  /** Raster tiles for maps, `https://tiles.example.com/{z}/{x}/{y}.png`; without them maps draw what comes along. */
  MAP_TILES_URL: z
    .string()
    .regex(/^https?:\/\/[^\s{}]+\/.*\{z\}.*$/)
    .optional(),
  MAP_TILES_ATTRIBUTION: z.string().default(''),
  /** A script for advertising tags; programs with a tag prefix load it. None by default. */
  AD_TAG_URL: z.url({ protocol: /^https$/ }).optional(),
  /** Months of page views and impressions that are kept. */
  IMPRESSIONS_KEPT_MONTHS: z.coerce.number().int().min(1).max(120).default(13),
  /** The sample identity provider is left out when the partners bring their own. */
  SAMPLE_ID: z.stringbool().default(true),
  /** Staging tools: never in production. */
  STAGING_TOOLS: z.stringbool().optional(),
})
export type Settings = z.output<typeof Settings> & { STAGING_TOOLS: boolean }

const secretNames = ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET'] as const
export type SecretName = (typeof secretNames)[number]

/** A setting that is wrong; the message is one readable line. */
export class SettingsError extends Error {}

/**
 * Reads the settings from an environment. `developmentSecrets` supplies what is missing outside
 * production; in production a missing, weak or development secret stops the start.
 * Throws SettingsError.
 */
export function readSettings(
  env: Record<string, string | undefined>,
  developmentSecrets: () => Record<SecretName, string>,
): Settings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const production = given.NODE_ENV === 'production'
  const secrets = production ? {} : developmentSecrets()
  const parsed = Settings.safeParse({ ...secrets, ...given })
  if (!parsed.success) {
    const wrong = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${wordIssue(issue, given)}`)
    throw new SettingsError(`Cannot start: ${wrong.join('; ')}. See .env.example.`)
  }
  if (!parsed.data.RECAPTCHA_SITE_KEY !== !parsed.data.RECAPTCHA_SECRET) {
    throw new SettingsError('Cannot start: RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET go together. See .env.example.')
  }
  const settings = { ...parsed.data, STAGING_TOOLS: parsed.data.STAGING_TOOLS ?? !production }
  if (production) refuseDevelopmentValues(settings)
  return settings
}

function wordIssue(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = issue.path.join('.')
  return given[name] === undefined ? 'is required' : `is not valid (${issue.message})`
}

function refuseDevelopmentValues(settings: Settings): void {
  if (settings.STAGING_TOOLS) throw new SettingsError('Cannot start: STAGING_TOOLS must be off in production.')
  if (!settings.DATABASE_URL) throw new SettingsError('Cannot start: DATABASE_URL is required in production.')
  if (settings.PUBLIC_SCHEME !== 'https') {
    throw new SettingsError('Cannot start: PUBLIC_SCHEME must be https in production.')
  }
  const values = secretNames.map((name) => settings[name])
  if (new Set(values).size !== values.length) {
    throw new SettingsError('Cannot start: each secret must be different from the others.')
  }
  const development = values.find((value) => value.startsWith(developmentMark))
  if (development) throw new SettingsError('Cannot start: a generated development secret was given in production.')
}

/** Marks secrets that were generated for development, so that production can refuse them. */
export const developmentMark = 'ZGV2'

/** The bytes of a secret given as base64, base64url or hex. */
export function secretBytes(text: string): Buffer {
  return /^[0-9a-f]{64,}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
}

/** A key of its own for every purpose, so that one that leaks opens nothing else. 32 bytes. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretBytes(secret), 'dineback', purpose, 32))
}

/** A short name for a key that does not give it away. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12)
}

import { createHash, hkdfSync } from 'node:crypto'
import { z } from 'zod'
import { poolSizes } from '../database/pool-use.ts'
import { harmlessHtml } from '../harmless-html.ts'
import { defaultDataDir } from './data-dir.ts'
import { type Env, nonEmptyValues } from './non-empty-values.ts'

/** A 32-byte secret as base64, base64url or hex text. */
const Secret = z
  .string()
  .refine((text) => secretBytes(text).length >= 32, 'must be at least 32 random bytes as base64 or hex')

const Port = z.coerce.number().int().min(1).max(65535)
const optionalUrl = z.url({ protocol: /^https?$/ }).optional()

/** All settings of the installation. `.env.example` documents each one. */
export const Settings = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: Port.default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  /** Port of probes and metrics; 0 or off disables them; 9464 by default. */
  ADMIN_PORT: z.union([z.literal('off').transform(() => 0), z.coerce.number().int().min(0).max(65535)]).optional(),
  ADMIN_HOST: z.string().min(1).default('127.0.0.1'),
  /** Parent domain of partner hosts, without port: `skyharbor.localhost`. */
  BASE_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, 'must be a domain name in lower case')
    .default('localhost'),
  /** Public scheme: `http` or `https` (behind a TLS proxy). */
  PUBLIC_SCHEME: z.enum(['http', 'https']).default('http'),
  /** Public port, when behind a proxy. */
  PUBLIC_PORT: Port.optional(),
  /** Pins a single-partner installation to its partner: every host serves it. */
  SINGLE_PARTNER: z
    .string()
    .regex(/^[a-z][a-z0-9-]{1,30}$/)
    .optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** Maximum connections of the member app's login per process, for all programs together. */
  DATABASE_POOL_SIZE: z.coerce.number().int().min(2).max(1000).default(poolSizes.app),
  /** Host and port of a transaction pooler in front of DATABASE_URL. */
  DATABASE_POOLER: z
    .string()
    .regex(/^([a-z0-9.-]+|\[[0-9a-f:]+\]):\d{1,5}$/i, 'must be host:port')
    .optional(),
  DATA_DIR: z.string().min(1).default(defaultDataDir),
  PROGRAMS_DIR: z.string().min(1).default('programs'),
  /** Address of the proxy whose X-Forwarded-For is trusted; none by default. */
  TRUSTED_PROXY: z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]).optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  APP_SECRET: Secret,
  VAULT_SECRET: Secret,
  FEED_SECRET: Secret,
  ID_SECRET: Secret,
  /** URL of the card vault when it runs in another process. */
  VAULT_URL: optionalUrl,
  /** URL at which the app reaches the vault's API, when it differs from VAULT_URL. */
  VAULT_API_URL: optionalUrl,
  /** Script of a card provider in place of the included one, and its publishable key for this environment. */
  CARD_PROVIDER_SCRIPT: optionalUrl,
  CARD_PROVIDER_KEY: z.string().min(1).optional(),
  /** URL of the form service when it runs in another process. */
  FORMS_URL: optionalUrl,
  /** Key that a separately deployed form service signs review notifications with; 32 random bytes as base64. */
  REVIEW_KEY: Secret.optional(),
  /** Google reCAPTCHA (invisible) in place of the included check: the two keys of this environment. */
  RECAPTCHA_SITE_KEY: z.string().min(1).optional(),
  RECAPTCHA_SECRET: z.string().min(1).optional(),
  RECAPTCHA_URL: z.url({ protocol: /^https?$/ }).default('https://www.google.com/recaptcha'),
  /** An SMTP server, `smtps://name:password@mail.example.com`; without it, emails stay in the outbox. */
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** Interval at which pending emails, notifications, payouts and reservations are processed, in milliseconds. */
  JOB_POLL_MS: z.coerce.number().int().min(500).max(60_000).default(3_000),
  /** Time that a request may take, including the arrival of its body, in milliseconds. */
  REQUEST_TIMEOUT_MS: z.coerce.number().int().min(1_000).max(60_000).default(8_000),
  /** Allows production to start without an SMTP server: no emails or recovery codes are sent. */
  WITHOUT_SMTP: z.stringbool().default(false),
  /** Sender of emails. */
  MAIL_FROM: z.string().min(3).default('Dineback <no-reply@dineback.example>'),
  /** Additional push service hosts, with ports, separated by commas; the hosts of the browsers are built in. */
  PUSH_HOSTS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((host) => host.trim() || [])),
  /** A payout processor for statement credits and its bearer key; without it, the built-in ledger handles them. */
  PAYOUT_URL: optionalUrl,
  PAYOUT_KEY: z.string().min(1).optional(),
  /** A booking server for restaurants with the provider `http`, and its basic credentials `name:password`. */
  BOOKING_URL: optionalUrl,
  BOOKING_CREDENTIALS: z.string().optional(),
  /** Raster tiles for maps, `https://tiles.example.com/{z}/{x}/{y}.png`; without them, maps draw the included data. */
  MAP_TILES_URL: z
    .string()
    .regex(/^https?:\/\/[^\s{}]+\/.*\{z\}.*$/)
    .optional(),
  /** Text and links. */
  MAP_TILES_ATTRIBUTION: z.string().regex(new RegExp(harmlessHtml), 'must be text and links').default(''),
  /** A script for advertising tags, loaded by programs with a tag prefix. None by default. */
  AD_TAG_URL: z.url({ protocol: /^https$/ }).optional(),
  /** Retention of page views and impressions, in months. */
  IMPRESSIONS_KEPT_MONTHS: z.coerce.number().int().min(1).max(120).default(13),
  /** The sample identity provider (a bank with publicly known passwords). Off by default in production. */
  SAMPLE_ID: z.stringbool().optional(),
  /** The sample operator with a publicly known password. Off by default in production. */
  SAMPLE_OPERATOR: z.stringbool().optional(),
  /** Codes of the sample programs that production serves, separated by commas. */
  SAMPLE_PROGRAMS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((code) => code.trim() || [])),
  /** Staging tools: never in production. */
  STAGING_TOOLS: z.stringbool().optional(),
})
/** Settings that are on by default outside production and off in production. */
const developmentOnly = ['STAGING_TOOLS', 'SAMPLE_ID', 'SAMPLE_OPERATOR'] as const
export type Settings = z.output<typeof Settings> & Record<(typeof developmentOnly)[number], boolean>

export const secretNames = ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET'] as const
export type SecretName = (typeof secretNames)[number]

/** Startup failure with every problem as a readable line. */
export class SettingsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    const [only] = problems
    super(
      problems.length === 1
        ? `Cannot start: ${only}. See .env.example.`
        : `Cannot start:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\nSee .env.example.`,
    )
    this.problems = problems
  }
}

/**
 * Reads the settings from an environment. `developmentSecrets` supplies missing secrets outside production; in
 * production, a missing, weak or development secret prevents the start. Throws SettingsError with all problems.
 */
export function readSettings(env: Env, developmentSecrets: () => Record<SecretName, string>): Settings {
  const given = nonEmptyValues(env)
  const production = given.NODE_ENV === 'production'
  const values = { ...(production ? {} : developmentSecrets()), ...given }
  const parsed = Settings.safeParse(values)
  const problems = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${describeIssue(issue, values)}`)
  const read = readerOf(values)
  if (!read('RECAPTCHA_SITE_KEY') !== !read('RECAPTCHA_SECRET')) {
    problems.push('RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET go together')
  }
  if (production) problems.push(...problemsInProduction(given, read))
  if (!parsed.success || problems.length > 0) throw new SettingsError(problems)
  const flags = Object.fromEntries(developmentOnly.map((name) => [name, parsed.data[name] ?? !production]))
  return { ...parsed.data, ...(flags as Record<(typeof developmentOnly)[number], boolean>) }
}

/**
 * Returns the settings that determine the served programs, as far as they are readable when other settings are invalid.
 */
export function programSettings(env: Env) {
  const values = nonEmptyValues(env)
  const read = readerOf(values)
  const production = values.NODE_ENV === 'production'
  return {
    production,
    directory: read('PROGRAMS_DIR') ?? 'programs',
    sampleBank: read('SAMPLE_ID') ?? !production,
    samplePrograms: read('SAMPLE_PROGRAMS') ?? [],
    only: read('SINGLE_PARTNER'),
  }
}
export type ProgramSettings = ReturnType<typeof programSettings>

type Read = <N extends keyof typeof Settings.shape>(name: N) => z.output<(typeof Settings.shape)[N]> | undefined

// Reads one setting; undefined when it is missing or invalid.
const readerOf =
  (values: Record<string, unknown>): Read =>
  (name) =>
    Settings.shape[name].safeParse(values[name]).data as never

function describeIssue(issue: z.core.$ZodIssue, given: Record<string, unknown>): string {
  const name = issue.path.join('.')
  return given[name] === undefined ? 'is required' : `is not valid (${issue.message})`
}

function problemsInProduction(given: Record<string, unknown>, read: Read): string[] {
  const problems: string[] = []
  if (read('STAGING_TOOLS')) problems.push('STAGING_TOOLS must be off in production')
  if (given.DATABASE_URL === undefined) problems.push('DATABASE_URL is required in production')
  if (given.PUBLIC_SCHEME !== 'https') problems.push('PUBLIC_SCHEME must be https in production')
  if (given.SMTP_URL === undefined && !read('WITHOUT_SMTP')) {
    problems.push('SMTP_URL is required in production (without it no email is sent; WITHOUT_SMTP=true accepts that)')
  }
  const secrets = secretNames.flatMap((name) =>
    given[name] === undefined ? [] : [[name, String(given[name])] as const],
  )
  if (new Set(secrets.map(([, value]) => value)).size !== secrets.length) {
    problems.push('each secret must be different from the others')
  }
  for (const [name, value] of secrets) {
    if (value.startsWith(developmentSecretPrefix)) problems.push(`${name} is a generated development secret`)
  }
  return problems
}

/** Prefix of secrets generated for development, which production rejects. */
export const developmentSecretPrefix = 'ZGV2'

/** Decodes a secret given as base64, base64url or hex. */
export function secretBytes(text: string): Buffer {
  return /^[0-9a-f]{64,}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64')
}

/** Derives a separate 32-byte key per purpose, so that a leaked key compromises only that purpose. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secretBytes(secret), 'dineback', purpose, 32))
}

/** Returns a short fingerprint of a key. */
export function keyId(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12)
}

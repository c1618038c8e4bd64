import { expect, test } from 'vitest'
import { poolSizes } from '../database/pool-use.ts'
import { deriveKey, readSettings, SettingsError } from './settings.ts'

const secret = (character: string) => Buffer.from(character.repeat(48)).toString('base64')
const development = () => ({
  APP_SECRET: secret('a'),
  VAULT_SECRET: secret('b'),
  FEED_SECRET: secret('c'),
  ID_SECRET: secret('d'),
})
const production = {
  NODE_ENV: 'production',
  PUBLIC_SCHEME: 'https',
  DATABASE_URL: 'postgres://owner@db/dineback',
  SMTP_URL: 'smtps://name:password@mail.example.com',
  ...development(),
}
const lineOf = (env: Record<string, string>) => {
  try {
    readSettings(env, development)
  } catch (error) {
    expect(error).toBeInstanceOf(SettingsError)
    return (error as Error).message
  }
  return 'started'
}

test('no setting is required in development', () => {
  expect(readSettings({}, development)).toMatchObject({ PORT: 3000, BASE_DOMAIN: 'localhost', STAGING_TOOLS: true })
})

test('each setting that is on by default in development can be turned off', () => {
  for (const name of ['STAGING_TOOLS', 'SAMPLE_ID', 'SAMPLE_OPERATOR'] as const) {
    const settings = readSettings({ [name]: 'false' }, development)
    expect([name, settings.STAGING_TOOLS, settings.SAMPLE_ID, settings.SAMPLE_OPERATOR]).toEqual([
      name,
      name !== 'STAGING_TOOLS',
      name !== 'SAMPLE_ID',
      name !== 'SAMPLE_OPERATOR',
    ])
  }
})

test('an invalid setting stops the start with one line that names it', () => {
  expect(lineOf({ PORT: 'eighty' })).toMatch(/^Cannot start: PORT is not valid .*\.env\.example\.$/)
  expect(lineOf({ DATABASE_URL: 'mysql://x' })).toContain('DATABASE_URL')
  expect(lineOf({ TRUSTED_PROXY: 'everybody' })).toContain('TRUSTED_PROXY')
  expect(lineOf({ APP_SECRET: 'short' })).toContain('APP_SECRET')
  const secretOf = (bytes: number) => Buffer.alloc(bytes, 'e').toString('base64')
  expect(lineOf({ APP_SECRET: secretOf(31) })).toContain('APP_SECRET')
  expect(lineOf({ APP_SECRET: secretOf(32) })).toBe('started')
  expect(lineOf({ PORT: 'eighty' })).not.toContain('\n')
})

test('production requires real values', () => {
  expect(lineOf(production)).toBe('started')
  for (const name of ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET', 'DATABASE_URL'] as const) {
    expect(lineOf({ ...production, [name]: '' })).toContain(name)
  }
  expect(lineOf({ ...production, PUBLIC_SCHEME: 'http' })).toContain('https')
  expect(lineOf({ ...production, STAGING_TOOLS: 'true' })).toContain('STAGING_TOOLS')
  expect(lineOf({ ...production, APP_SECRET: production.ID_SECRET })).toContain('different')
  expect(lineOf({ ...production, APP_SECRET: `ZGV2${secret('e')}` })).toContain('development secret')
})

test('a failed start lists every invalid setting', () => {
  const message = lineOf({ NODE_ENV: 'production', PORT: 'eighty', STAGING_TOOLS: 'true', RECAPTCHA_SECRET: 'x' })
  const [first, ...rest] = message.split('\n')
  expect(first).toBe('Cannot start:')
  expect(rest.at(-1)).toBe('See .env.example.')
  for (const problem of [
    /^ {2}- PORT is not valid/,
    /^ {2}- APP_SECRET is required$/,
    /^ {2}- VAULT_SECRET is required$/,
    /^ {2}- FEED_SECRET is required$/,
    /^ {2}- ID_SECRET is required$/,
    /^ {2}- RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET go together$/,
    /^ {2}- STAGING_TOOLS must be off/,
    /^ {2}- DATABASE_URL is required/,
    /^ {2}- PUBLIC_SCHEME must be https/,
    /^ {2}- SMTP_URL is required/,
  ]) {
    expect(rest.filter((line) => problem.test(line))).toHaveLength(1)
  }
  expect(rest).toHaveLength(11)
})

test('the two keys of reCAPTCHA go together', () => {
  const keys = { RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET: 'secret' }
  expect(lineOf(keys)).toBe('started')
  for (const name of Object.keys(keys)) expect(lineOf({ ...keys, [name]: '' })).toContain('go together')
})

test('the hosts of push services are separated by commas, with spaces or without', () => {
  const { PUSH_HOSTS } = readSettings({ PUSH_HOSTS: 'push.example.com, push.example.com:8443 ,' }, development)
  expect(PUSH_HOSTS).toEqual(['push.example.com', 'push.example.com:8443'])
  expect(readSettings({}, development).PUSH_HOSTS).toEqual([])
})

test('production without an SMTP server requires an explicit setting', () => {
  expect(lineOf({ ...production, SMTP_URL: '' })).toMatch(/SMTP_URL is required.*WITHOUT_SMTP=true/)
  expect(lineOf({ ...production, SMTP_URL: '', WITHOUT_SMTP: 'true' })).toBe('started')
})

test('samples are enabled in development, and in production only when a setting names them', () => {
  const samples = ({ SAMPLE_ID, SAMPLE_OPERATOR, SAMPLE_PROGRAMS }: ReturnType<typeof readSettings>) => [
    SAMPLE_ID,
    SAMPLE_OPERATOR,
    SAMPLE_PROGRAMS,
  ]
  expect(samples(readSettings({}, development))).toEqual([true, true, []])
  expect(samples(readSettings(production, development))).toEqual([false, false, []])
  const named = { SAMPLE_ID: 'true', SAMPLE_OPERATOR: 'true', SAMPLE_PROGRAMS: 'skyharbor, beacon' }
  expect(samples(readSettings({ ...production, ...named }, development))).toEqual([true, true, ['skyharbor', 'beacon']])
})

test('each purpose has its own key', () => {
  expect(deriveKey(secret('a'), 'one')).toHaveLength(32)
  expect(deriveKey(secret('a'), 'one')).not.toEqual(deriveKey(secret('a'), 'two'))
})

test('four processes with the default pool size fit into 100 PostgreSQL connections', () => {
  const { DATABASE_POOL_SIZE: app } = readSettings({}, development)
  const { console: operators, vault, forms } = poolSizes
  // Three connections are reserved for superusers.
  expect(4 * (app + operators + vault + forms + 1)).toBeLessThanOrEqual(97 - 10)
  expect(readSettings({ DATABASE_POOL_SIZE: '25' }, development).DATABASE_POOL_SIZE).toBe(25)
  expect(lineOf({ DATABASE_POOL_SIZE: '1' })).toContain('DATABASE_POOL_SIZE')
})

test('the transaction pooler must be a host with a port', () => {
  for (const pooler of ['127.0.0.1:6432', 'pgbouncer.internal:6432', '[::1]:6432']) {
    expect(readSettings({ DATABASE_POOLER: pooler }, development).DATABASE_POOLER).toBe(pooler)
  }
  for (const pooler of ['127.0.0.1', 'postgres://u:p@pgbouncer:6432/d', 'a@b:6432', 'b:6432/other']) {
    expect(lineOf({ DATABASE_POOLER: pooler })).toContain('DATABASE_POOLER')
  }
})

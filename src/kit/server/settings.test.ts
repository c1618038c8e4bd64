import { expect, test } from 'vitest'
import { deriveKey, readSettings, SettingsError } from './settings.ts'

const secret = (letter: string) => Buffer.from(letter.repeat(48)).toString('base64')
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

test('nothing has to be set to try it', () => {
  expect(readSettings({}, development)).toMatchObject({ PORT: 3000, BASE_DOMAIN: 'localhost', STAGING_TOOLS: true })
})

test('a wrong setting stops the start with one line that names it', () => {
  expect(lineOf({ PORT: 'eighty' })).toMatch(/^Cannot start: PORT is not valid .*\.env\.example\.$/)
  expect(lineOf({ DATABASE_URL: 'mysql://x' })).toContain('DATABASE_URL')
  expect(lineOf({ TRUSTED_PROXY: 'everybody' })).toContain('TRUSTED_PROXY')
  expect(lineOf({ APP_SECRET: 'short' })).toContain('APP_SECRET')
  expect(lineOf({ PORT: 'eighty' })).not.toContain('\n')
})

test('production starts with real values and not without them', () => {
  expect(lineOf(production)).toBe('started')
  for (const name of ['APP_SECRET', 'VAULT_SECRET', 'FEED_SECRET', 'ID_SECRET', 'DATABASE_URL'] as const) {
    expect(lineOf({ ...production, [name]: '' })).toContain(name)
  }
  expect(lineOf({ ...production, PUBLIC_SCHEME: 'http' })).toContain('https')
  expect(lineOf({ ...production, STAGING_TOOLS: 'true' })).toContain('STAGING_TOOLS')
  expect(lineOf({ ...production, APP_SECRET: production.ID_SECRET })).toContain('different')
  expect(lineOf({ ...production, APP_SECRET: `ZGV2${secret('e')}` })).toContain('development secret')
})

test('each purpose has a key of its own', () => {
  expect(deriveKey(secret('a'), 'one')).toHaveLength(32)
  expect(deriveKey(secret('a'), 'one')).not.toEqual(deriveKey(secret('a'), 'two'))
})

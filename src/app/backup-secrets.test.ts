import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BackupError } from '../backup/manifest.ts'
import { assertSameSecrets, fingerprintsOf, readCurrentSecrets, storeSecrets } from './backup-secrets.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dineback-secrets-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a secret of the environment counts before a stored one, and production uses no stored one', () => {
  storeSecrets(folder, { APP_SECRET: 'stored', FEED_SECRET: 'stored too' })
  expect(readCurrentSecrets({ APP_SECRET: 'set' }, folder)).toEqual({ APP_SECRET: 'set', FEED_SECRET: 'stored too' })
  expect(readCurrentSecrets({ APP_SECRET: 'set', NODE_ENV: 'production' }, folder)).toEqual({ APP_SECRET: 'set' })
})

test('secrets that replace others leave those in a file beside, and are readable by their owner only', () => {
  const own = join(folder, 'replaced')
  for (const APP_SECRET of ['first', 'second']) storeSecrets(own, { APP_SECRET })
  const [current = '', before = '', ...others] = readdirSync(own).toSorted()
  expect([current, before, others]).toEqual([
    'secrets.json',
    expect.stringMatching(/^secrets\.json\.before-restore-/),
    [],
  ])
  expect([before, current].map((name) => JSON.parse(readFileSync(join(own, name), 'utf8')))).toEqual([
    { APP_SECRET: 'first' },
    { APP_SECRET: 'second' },
  ])
  expect((statSync(join(own, current)).mode & 0o777).toString(8)).toBe('600')
})

test('the secrets of a backup complete those of the installation and do not replace them', () => {
  const fingerprints = fingerprintsOf({ APP_SECRET: 'first', FEED_SECRET: 'feed' })
  const archived = { APP_SECRET: 'first', FEED_SECRET: 'feed' }
  const check = (current: object, from: typeof archived | null) => () =>
    assertSameSecrets(fingerprints, { current, archived: from })
  expect(check({}, archived)).not.toThrow()
  expect(check({ APP_SECRET: 'first' }, archived)).not.toThrow()
  expect(check({ APP_SECRET: 'other' }, archived)).toThrow(BackupError)
  expect(check({ APP_SECRET: 'other' }, archived)).toThrow('APP_SECRET is another one')
  expect(check({ APP_SECRET: 'first' }, null)).toThrow('FEED_SECRET is not set')
})

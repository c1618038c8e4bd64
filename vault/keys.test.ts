import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { HOUR } from '../src/platform/time.ts'
import { deriveVaultKeys } from './keys.ts'

const secret = randomBytes(32).toString('base64url')

test('a session of the provider script is valid for an hour, and only as this vault signed it', () => {
  const keys = deriveVaultKeys(secret)
  const opened = new Date('2026-03-10T12:00:00Z')
  const session = keys.openSession(opened)
  const after = (ms: number) => keys.isSession(session, new Date(opened.getTime() + ms))
  expect([after(-1), after(0), after(HOUR - 1), after(HOUR)]).toEqual([false, true, true, false])
  const [, random, signature] = session.split('.')
  const later = `${opened.getTime() + HOUR}.${random}.${signature}`
  expect(keys.isSession(later, new Date(opened.getTime() + HOUR))).toBe(false)
  const other = deriveVaultKeys(randomBytes(32).toString('base64url'))
  expect([other.isSession(session, opened), keys.isSession('', opened)]).toEqual([false, false])
})

import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MINUTE } from '../../platform/time.ts'
import { isKnownToken, signKnownToken } from './known-token.ts'

test('a token of a known member is valid for 15 minutes, for this member and program', () => {
  const key = randomBytes(32)
  const now = 1_800_000_000_000
  const given = { token: signKnownToken(key, 'skyharbor', 'ada', now), partnerId: 'skyharbor', publicId: 'ada' }
  expect(isKnownToken(key, given, now + 15 * MINUTE - 1)).toBe(true)
  expect(isKnownToken(key, given, now + 15 * MINUTE)).toBe(false)
  for (const over of [{ partnerId: 'beacon' }, { publicId: 'bob' }, { token: '' }, { token: `9${given.token}` }])
    expect([over, isKnownToken(key, { ...given, ...over }, now)]).toEqual([over, false])
})

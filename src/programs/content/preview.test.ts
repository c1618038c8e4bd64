import { expect, test } from 'vitest'
import { readPreviewPass, signPreviewPass } from './preview.ts'

test('a preview pass is valid for less than an hour, for its program only', () => {
  const key = Buffer.alloc(32, 1)
  const now = Date.parse('2026-03-10T12:00:00Z')
  const pass = signPreviewPass(key, { partnerId: 'beacon', editor: 'ed@example.com' }, now)
  const hour = 3_600_000
  const read = (at: number, partnerId = 'beacon') => readPreviewPass(key, partnerId, pass, at)
  expect(read(now + hour - 1)).toEqual({ partnerId: 'beacon', editor: 'ed@example.com', issuedAt: new Date(now) })
  expect(read(now + hour)).toBeNull()
  expect(read(now, 'orchard')).toBeNull()
})

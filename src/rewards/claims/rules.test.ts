import { expect, test } from 'vitest'
import { isOverdue, matchesFileType } from './rules.ts'

test('HIST-024 a missing transaction is overdue after more than ten days', () => {
  const now = new Date('2026-03-20T23:59:00Z')
  expect([isOverdue('2026-03-10', now), isOverdue('2026-03-09', now)]).toEqual([false, true])
})

test('files are recognized by their first bytes', () => {
  const bytes = (text: string) => new TextEncoder().encode(text)
  expect(matchesFileType('application/pdf', bytes('%PDF-1.7'))).toBe(true)
  expect(matchesFileType('application/pdf', bytes('<!doctype html>'))).toBe(false)
  expect(matchesFileType('image/webp', bytes('RIFF0000WEBPVP8 '))).toBe(true)
  expect(matchesFileType('image/webp', bytes('RIFF0000WAVEfmt '))).toBe(false)
  expect(matchesFileType('image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe(true)
  expect(matchesFileType('image/png', new Uint8Array())).toBe(false)
})

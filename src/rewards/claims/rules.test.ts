import { expect, test } from 'vitest'
import { isFutureDate, isOverdue, matchesFileType } from './rules.ts'

test('HIST-024 a missing transaction is overdue after more than ten days', () => {
  const now = new Date('2026-03-20T23:59:00Z')
  expect([isOverdue('2026-03-10', now), isOverdue('2026-03-09', now)]).toEqual([false, true])
})

test('tomorrow is no future date, because it has begun in some time zones', () => {
  const isFuture = (now: string) => isFutureDate('2026-03-11', new Date(now))
  expect([isFuture('2026-03-09T23:59:59.999Z'), isFuture('2026-03-10T00:00:00Z')]).toEqual([true, false])
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

test('HIST-024 days are counted from date to date, whatever the time of day', () => {
  const isLate = (now: string) => isOverdue('2026-03-10', new Date(now))
  expect([isLate('2026-03-20T23:59:59Z'), isLate('2026-03-21T00:00:00Z')]).toEqual([false, true])
})

test('a receipt needs the whole signature of its type', () => {
  const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  expect(matchesFileType('image/png', new Uint8Array(png))).toBe(true)
  expect(matchesFileType('image/png', new Uint8Array(png.with(7, 0)))).toBe(false)
  expect(matchesFileType('application/pdf', new Uint8Array(png))).toBe(false)
  expect(matchesFileType('image/jpeg', new Uint8Array([0xff, 0xd8, 0, 0]))).toBe(false)
})

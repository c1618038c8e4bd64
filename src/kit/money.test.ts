import fc from 'fast-check'
import { expect, test } from 'vitest'
import { centsFromDecimal, formatCents, formatCount } from './money.ts'

test('a decimal amount becomes exactly its cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
      const text = `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
      expect(centsFromDecimal(text)).toBe(cents)
      expect(centsFromDecimal(cents / 100)).toBe(cents)
    }),
  )
})

test('what is not an amount is refused', () => {
  for (const text of ['', '1.234', '1e3', 'NaN', '--1', '1,000', ' 1'])
    expect(() => centsFromDecimal(text)).toThrow(RangeError)
})

test('amounts read as US readers write them', () => {
  expect(formatCents(123_456)).toBe('$1,234.56')
  expect(formatCount(1234)).toBe('1,234')
})

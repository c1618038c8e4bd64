import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  centsFromDecimal,
  decimalFromCents,
  formatCents,
  formatCount,
  formatDecimal,
  parseDollars,
  positiveAmountPattern,
  readSoughtAmount,
  readSoughtDollars,
} from './money.ts'

test('a decimal amount is converted exactly to cents', () => {
  fc.assert(
    fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
      const text = `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`
      expect(centsFromDecimal(text)).toBe(cents)
      expect(decimalFromCents(cents)).toBe(text)
      expect(centsFromDecimal(cents / 100)).toBe(cents)
    }),
  )
})

test('an invalid amount is rejected', () => {
  for (const text of ['', '1.234', '1e3', 'NaN', '--1', '1,000', ' 1'])
    expect(() => centsFromDecimal(text)).toThrow(RangeError)
})

test('amounts are formatted for US readers', () => {
  expect(formatCents(123_456)).toBe('$1,234.56')
  expect(formatCount(1234)).toBe('1,234')
  expect(formatCents(-1500)).toBe('−$15.00')
  expect(formatCount(-1204)).toBe('−1,204')
  expect([formatCents(0), formatCount(0), formatDecimal(0), decimalFromCents(0)]).toEqual(['$0.00', '0', '0', '0.00'])
})

test('an amount is parsed in the formats that people type', () => {
  const read: [string, number | null][] = [
    ['60', 60_00],
    ['72.50', 72_50],
    ['72.5', 72_50],
    ['80.', 80_00],
    ['$80', 80_00],
    [' $ 80.00 ', 80_00],
    ['1,000', 1_000_00],
    ['$1,000.50', 1_000_50],
    ['12,345.6', 12_345_60],
    ['99999.99', 99_999_99],
    ['0', 0],
    ['0.00', 0],
    ['0.', 0],
    ['0.01', 1],
    ['', null],
    ['$', null],
    ['eighty', null],
    ['-5', null],
    ['1,00', null],
    ['1,0000', null],
    ['1,000,000', null],
    ['100000', null],
    ['100,000', null],
    ['60.555', null],
    ['60,50', null],
    ['€60', null],
    ['6 0', null],
  ]
  for (const [typed, cents] of read) {
    expect([typed, parseDollars(typed)]).toEqual([typed, cents])
    expect([typed, positiveAmountPattern.test(typed.trim())]).toEqual([typed, cents !== null && cents > 0])
  }
})

test('every formatted amount can be parsed again', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999_99 }), (cents) => {
      expect(parseDollars(formatCents(cents))).toBe(cents)
      expect(positiveAmountPattern.test(formatCents(cents))).toBe(cents > 0)
    }),
  )
})

test('an amount as a number is one below a trillion; minus nothing is nothing', () => {
  expect([centsFromDecimal(0.1), centsFromDecimal(19.99), centsFromDecimal(999_999_999_999)]).toEqual([
    10, 19_99, 999_999_999_999_00,
  ])
  for (const amount of [1e12, -1e12, 1e21, Number.NaN, Number.POSITIVE_INFINITY, 0.001, 1e-7])
    expect(() => centsFromDecimal(amount)).toThrow(RangeError)
  expect(() => centsFromDecimal(1e12)).toThrow('not an amount of money: too large')
  expect(() => centsFromDecimal('1,5')).toThrow('not an amount of money: 1,5')
  expect(['-0', '-0.00'].map((text) => Object.is(centsFromDecimal(text), 0))).toEqual([true, true])
  expect(['5', '5.5', '-5.05'].map(centsFromDecimal)).toEqual([5_00, 5_50, -5_05])
})

test('amounts and counts are formatted as Intl does', () => {
  const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
  const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
  const decimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), fc.double({ min: 0, max: 1e9, noNaN: true }), (whole, count) => {
      expect(formatCents(whole)).toBe(dollars.format(whole / 100))
      expect(formatCount(whole)).toBe(plain.format(whole))
      expect(formatCount(count)).toBe(plain.format(count))
      expect(formatCount(whole + 0.5)).toBe(plain.format(whole + 0.5))
      expect(formatDecimal(whole / 10_000)).toBe(decimals.format(whole / 10_000))
      expect(formatDecimal(-1 - whole)).toBe(decimals.format(-1 - whole))
    }),
  )
})

test('an amount to look for is read as people and other pages write it', () => {
  const read = (typed: string) => {
    const sought = readSoughtAmount(typed)
    return sought && [sought.number, sought.unit]
  }
  for (const typed of ['$2,600.00', '2600.00', '$ 2,600.00', '−$2,600.00', ' 2,600.00 USD'])
    expect([typed, read(typed)]).toEqual([typed, ['2600.00', 'dollars']])
  expect(read('2,600')).toEqual(['2600', null])
  expect(read('$42')).toEqual(['42', 'dollars'])
  for (const typed of ['200,000 miles', '200000 Miles', '-200,000 points'])
    expect([typed, read(typed)]).toEqual([typed, ['200000', 'rewards']])
  for (const typed of ['', 'much', '1.234,50', '12,34', '4.215', '$5 miles', '4.21 miles', '1e3', '--5'])
    expect([typed, read(typed)]).toEqual([typed, null])
  expect(['$2,600.5', '42', '5 miles', 'much'].map(readSoughtDollars)).toEqual([2600_50, 42_00, null, null])
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  brandKind,
  brandList,
  brandOf,
  cardCapacity,
  cardDigits,
  expiryMonth,
  formatCardNumber,
  formatExpiry,
  hasBrandPrefix,
  hasExpired,
  healthOf,
  isExpiryMonth,
  passesLuhn,
} from './rules.ts'

const pad = (prefix: string, length: number) => prefix.padEnd(length, '0')

test('LINK-025 Amex begins with 34 or 37 and has 15 digits', () => {
  expect(['34', '37'].map((prefix) => brandOf(pad(prefix, 15)))).toEqual(['AMEX', 'AMEX'])
  expect([pad('35', 15), pad('34', 14), pad('34', 16)].map(brandOf)).toEqual([null, null, null])
})

test('LINK-026 Discover begins with 6011 or 65 and has 16 digits', () => {
  expect(['6011', '65'].map((prefix) => brandOf(pad(prefix, 16)))).toEqual(['DISC', 'DISC'])
  expect([pad('6012', 16), pad('65', 15)].map(brandOf)).toEqual([null, null])
})

test('LINK-027 Mastercard begins with 51 to 55 or 2221 to 2720 and has 16 digits', () => {
  for (const prefix of ['51', '55', '2221', '2229', '2230', '2299', '2300', '2699', '2700', '2719', '2720']) {
    expect([prefix, brandOf(pad(prefix, 16))]).toEqual([prefix, 'MAST'])
  }
  for (const prefix of ['50', '56', '2220', '2721']) expect([prefix, brandOf(pad(prefix, 16))]).toEqual([prefix, null])
  fc.assert(
    fc.property(fc.integer({ min: 2000, max: 2999 }), (prefix) => {
      expect(brandOf(pad(String(prefix), 16)) === 'MAST').toBe(prefix >= 2221 && prefix <= 2720)
    }),
  )
})

test('LINK-028 Visa begins with 4 and has 13 or 16 digits', () => {
  expect([13, 14, 15, 16, 17].map((length) => brandOf(pad('4', length)))).toEqual(['VISA', null, null, 'VISA', null])
})

test('LINK-029 exactly one of ten check digits is valid, and a single wrong digit never is', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{15}$/), fc.nat(14), fc.integer({ min: 1, max: 9 }), (body, at, change) => {
      const whole = [...'0123456789'].map((last) => body + last).filter(passesLuhn)
      expect(whole).toHaveLength(1)
      const number = whole[0] as string
      const digit = (Number(number[at]) + change) % 10
      expect(passesLuhn(number.slice(0, at) + digit + number.slice(at + 1))).toBe(false)
    }),
  )
})

test('LINK-030 a number of another brand is recognized by its first digits', () => {
  for (const prefix of ['34', '37', '6011', '65', '51', '55', '2221', '2720', '4']) {
    expect([prefix, hasBrandPrefix(pad(prefix, 12))]).toEqual([prefix, true])
  }
  for (const prefix of ['35', '36', '30', '62', '50', '2220', '2721', '6012', '9']) {
    expect([prefix, hasBrandPrefix(pad(prefix, 12))]).toEqual([prefix, false])
  }
})

test('LINK-030 brands are listed in the order of the program', () => {
  expect(brandList(['VISA', 'MAST', 'AMEX', 'DISC'])).toBe('Visa, Mastercard, Amex or Discover')
  expect(brandList(['VISA', 'MAST'])).toBe('Visa or Mastercard')
  expect(brandList(['VISA'])).toBe('Visa')
})

test('a month is formatted the same way however it is typed or pasted', () => {
  const typed = [
    '1',
    '12',
    '12/',
    '12//',
    '12/ ',
    '1/',
    '12/30',
    '1230',
    '12/2030',
    '122030',
    '1/30',
    '12 / 30',
    '12-30',
  ]
  expect(typed.map(formatExpiry)).toEqual([
    '1',
    '12/',
    '12/',
    '12/',
    '12/',
    '01/',
    '12/30',
    '12/30',
    '12/2030',
    '12/2030',
    '01/30',
    '12/30',
    '12/30',
  ])
})

test('a month is parsed in common notations, and a card is valid to the end of its month', () => {
  expect(['12/30', '1/30', '01 / 2030', '0130', '13/30', '00/30', 'x'].map(expiryMonth)).toEqual([
    '2030-12',
    '2030-01',
    '2030-01',
    '2030-01',
    null,
    null,
    null,
  ])
  expect(hasExpired('2026-11', new Date('2026-11-30T23:00:00Z'))).toBe(false)
  expect(hasExpired('2026-10', new Date('2026-11-01T00:00:00Z'))).toBe(true)
})

test('LINK-029 known test numbers pass the check, and neighbors, other lengths and other characters do not', () => {
  const valid = ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117', '4222222222222']
  for (const number of valid) expect([number, passesLuhn(number)]).toEqual([number, true])
  for (const number of ['4111111111111112', '1411111111111111', '5555555555554445', '378282246310006'])
    expect([number, passesLuhn(number)]).toEqual([number, false])
  expect(['0'.repeat(11), '0'.repeat(12), '0'.repeat(19), '0'.repeat(20)].map(passesLuhn)).toEqual([
    false,
    true,
    true,
    false,
  ])
  for (const text of ['', 'x4111111111111111', '4111111111111111x', '4111 1111 1111 1111'])
    expect([text, passesLuhn(text)]).toEqual([text, false])
})

test('a typed number is its digits, and each brand has its name and kind', () => {
  expect(cardDigits(' 4111-1111 1111\t1111 ')).toBe('4111111111111111')
  expect(cardDigits('4111–1111—1111‑1111')).toBe('4111111111111111')
  expect(cardDigits('4x1')).toBe('4x1')
  const types = ['AMEX', 'DISC', 'MAST', 'VISA'] as const
  expect(types.map(brandKind)).toEqual(['amex', 'discover', 'mastercard', 'visa'])
  expect([brandList(types, 'and'), brandList([])]).toEqual(['Amex, Discover, Mastercard and Visa', ''])
})

test('a month has no characters before or after it', () => {
  expect([' 12/30 ', '12/30x', 'x12/30', '12/301', '1/3'].map(expiryMonth)).toEqual(['2030-12', null, null, null, null])
  expect(['12/30', 'x', '1230567', ' 1 - 2030', '1 30', '12.30', '1x2/30'].map(formatExpiry)).toEqual([
    '12/30',
    'x',
    '12/30567',
    '01/2030',
    '01/30',
    '12/30',
    '1x2/30',
  ])
})

test('a possible month of expiry is a month of at most 25 years from now', () => {
  const possible = (month: string) => isExpiryMonth(month, new Date('2026-11-30T23:59:59Z'))
  expect(['2026-11', '2051-12', '2052-01', '2026-01'].map(possible)).toEqual([true, true, false, true])
  for (const month of ['2026-13', '2026-00', '2026-1', '26-11', 'x2026-11', '2026-11x', '2026-19', ''])
    expect([month, possible(month)]).toEqual([month, false])
})

test('cards can be chosen until the maximum is reached, and a typed one counts', () => {
  const capacity = (linked: number, chosen: number, typed = false) =>
    cardCapacity({ maximum: 3, linked, chosen, typed })
  expect(capacity(1, 1)).toEqual({ remaining: 2, taken: 1, isFull: false, isOver: false })
  expect(capacity(1, 1, true)).toEqual({ remaining: 2, taken: 2, isFull: true, isOver: false })
  expect(capacity(1, 2, true)).toEqual({ remaining: 2, taken: 3, isFull: true, isOver: true })
  expect(capacity(5, 0)).toEqual({ remaining: 0, taken: 0, isFull: true, isOver: false })
})

test('a card warns in its last sixty days, is expired from the next month on, and earns from its moment', () => {
  const health = (expires: string | null, now: string, earnsFrom = '2026-01-01T00:00:00Z') =>
    healthOf({ earnsFrom, expires }, new Date(now))
  // November ends 60 days after the second of October.
  expect(health('2026-11', '2026-10-01T23:59:59.999Z').expiry).toBe('cards.expires')
  expect(health('2026-11', '2026-10-02T00:00:00Z').expiry).toBe('cards.expires_soon')
  expect(health('2026-11', '2026-11-30T23:59:59.999Z').expiry).toBe('cards.expires_soon')
  expect(health('2026-11', '2026-12-01T00:00:00Z').expiry).toBe('cards.expired')
  expect(health('2026-12', '2026-12-31T23:59:59Z').expiry).toBe('cards.expires_soon')
  expect(health(null, '2026-12-31T23:59:59Z')).toEqual({ expiry: null, earns: true })
  const from = '2026-11-10T12:00:00.000Z'
  expect(health(null, from, from).earns).toBe(true)
  expect(health(null, '2026-11-10T11:59:59.999Z', from).earns).toBe(false)
})

test('a card number is shown in the groups of its brand while it is typed', () => {
  const digits = '12345678901234567890'
  expect(
    [`4${digits}`, '4111-1111 1', '4111', 'x', '', `37${digits}`, `34${digits.slice(0, 4)}`].map(formatCardNumber),
  ).toEqual(['4123 4567 8901 234567890', '4111 1111 1', '4111', 'x', '', '3712 345678 901234567890', '3412 34'])
  // Only 34 and 37 are Amex.
  for (const start of ['30', '33', '35', '36', '38', '39'])
    expect(formatCardNumber(`${start}12345678`)).toBe(`${start}12 3456 78`)
})

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { holdsCardNumber, withoutCardNumbers } from './card-numbers.ts'

const pans = ['4111111111111111', '5555555555554444', '378282246310005', '6011111111111117', '4222222222222']

test.each(pans)('Case 13 %s is found alone, in a sentence, grouped, as a key, nested and as a number', (pan) => {
  const grouped = pan.replace(/(\d{4})(?=\d)/g, '$1 ')
  const found = [
    pan,
    `paid with ${pan}.`,
    grouped,
    grouped.replaceAll(' ', '-'),
    { [pan]: 1 },
    { a: [{ b: pan }] },
    Number(pan),
  ]
  expect(found.map(holdsCardNumber)).toEqual(found.map(() => true))
})

test('other long numbers are accepted: other digits, times, amounts, codes, UUIDs', () => {
  const harmless = [
    '4111111111111112',
    '2026-03-10T23:30:00.000Z',
    '12345678901',
    42.1,
    1_000_000,
    'a4111111111111111f',
    '1'.repeat(30),
  ]
  expect(harmless.map(holdsCardNumber)).toEqual(harmless.map(() => false))
  expect(holdsCardNumber({ id: '4111a111-0000-4000-8123-411111111111' })).toBe(false)
  const uuids = Array.from({ length: 50_000 }, () => randomUUID())
  expect(uuids.filter(holdsCardNumber)).toEqual([])
})

test('a number too large to be exact is rejected', () => {
  expect(holdsCardNumber(JSON.parse('4111111111111111000'))).toBe(true)
})

test('a merchant number may pass the checksum by chance, a card number may not', () => {
  const mid = '011529360007639'
  const checked = Array.from({ length: 10 }, (_, last) => mid.slice(0, -1) + last)
  expect(checked.filter((each) => holdsCardNumber({ identifiers: { MID: each } }))).toEqual([])
  expect(checked.filter((each) => holdsCardNumber({ MID: each }))).toHaveLength(1)
  expect(holdsCardNumber({ identifiers: { MID: '4111111111111111' } })).toBe(true)
})

test('a card number has 12 to 19 digits, and among merchant numbers the length and the beginning of its brand', () => {
  const lengths = ['00000000018', '000000000018', '0000000000000000018', '00000000000000000018']
  expect(lengths.map((digits) => [digits.length, holdsCardNumber(digits)])).toEqual([
    [11, false],
    [12, true],
    [19, true],
    [20, false],
  ])
  const cards = `
    4123456789011 4123456789012349 4123456789012345677 341234567890127 371234567890120
    5112345678901235 5512345678901231 2212345678901231 2712345678901236 6011123456789019
    6011123456789012348 6512345678901239 6512345678901234562 6441234567890123
    6491234567890122 6491234567890123459`
  const others = `
    41234567890120 412345678901233 41234567890123458 412345678901234561 37123456789012
    3712345678901234 511234567890121 51123456789012340 2812345678901235 601112345678904
    651234567890121 649123456789012 6431234567890125`
  const numbersIn = (list: string) => list.trim().split(/\s+/)
  const isFound = (number: string) => holdsCardNumber({ identifiers: { MID: number } })
  expect(numbersIn(cards).filter((card) => !isFound(card))).toEqual([])
  expect(numbersIn(others).filter(isFound)).toEqual([])
})

test('thirty thousand levels of nesting do not overflow the stack', () => {
  const deep = JSON.parse(`${'['.repeat(30_000)}"4111111111111111"${']'.repeat(30_000)}`)
  expect(holdsCardNumber(deep)).toBe(true)
})

test('a text is shown without the card numbers in it, and otherwise as it is', () => {
  expect(withoutCardNumbers('found: id, 4111 1111 1111 1111, 5555555555554444.')).toBe(
    'found: id, (card number), (card number).',
  )
  const harmless = 'Call 212-555-0143 about 411111111111 of 2026-11-27 12:00, entry 1234567890123'
  expect(withoutCardNumbers(harmless)).toBe(harmless)
})

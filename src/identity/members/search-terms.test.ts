import { expect, test } from 'vitest'
import { termsOf } from './search-terms.ts'

test('CON-601 a text is read as a name, a number without separators, a phone number or the last four of a card', () => {
  const cases: [string, string[], string | null][] = [
    ['Kaur, Ada', ['kaur ada'], null],
    ['  ADA   Kaur ', ['ada kaur'], null],
    ['Léa O’Brien', ["lea o'brien", 'lea obrien'], null],
    ['oʼbrien', ["o'brien", 'obrien'], null],
    ['Garcia‑Smith, Ana', ['garcia‑smith ana', 'garcia smith ana'], null],
    ['garcia-smith@example.com', ['garcia-smith@example.com'], null],
    ["'-", ["'-"], null],
    ['SKY-555-1234', ['sky-555-1234', 'sky5551234'], null],
    ['sky 555', ['sky 555', 'sky555'], null],
    ['5551234', ['5551234'], null],
    ['(212) 555-0142', ['(212) 555-0142', '2125550142'], null],
    ['212.555.0142', ['212.555.0142', '2125550142'], null],
    ['+1 212 555 0142', ['+1 212 555 0142', '12125550142', '2125550142'], null],
    ['1-212-555-0142', ['1-212-555-0142', '12125550142', '2125550142'], null],
    ['+1 212', ['+1 212', '1212', '212'], null],
    ['12', ['12'], null],
    ['1-2', ['1-2'], null],
    ['ada.2@example.com', ['ada.2@example.com'], null],
    ['4242', ['4242'], '4242'],
    ['•••• 4242', ['•••• 4242', '4242'], '4242'],
    ['Card ending in 4242', ['card ending in 4242', 'cardendingin4242'], '4242'],
    ['xxxx4242', ['xxxx4242'], '4242'],
    ['14242', ['14242'], null],
    [' , ', [], null],
  ]
  for (const [text, beginnings, lastFour] of cases)
    expect([text, termsOf(text)]).toEqual([text, { beginnings, lastFour }])
})

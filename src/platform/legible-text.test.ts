import { describe, expect, test } from 'vitest'
import { illegiblePath, isLegible, toLegibleLine, toLegibleText } from './legible-text.ts'

const seen = {
  'a name': 'Ada Lovelace',
  'accents and apostrophes': 'Zoë O’Brien-Núñez',
  'combining marks': 'Ame\u0301lie',
  Chinese: '李小龍',
  'a variant of a Chinese character': '葛\u{e0100}城',
  Japanese: '山田　太郎',
  'Arabic with a mark of direction': 'محمد\u200f (Mo)',
  'Hebrew with a mark of direction': 'דוד\u200e 3',
  'Persian with a joiner': 'علی‌رضا',
  'Hindi with joiners': 'क्‍ष र्‌य',
  Sinhala: 'ශ්‍රී',
  emoji: 'Ada 🍕',
  'an emoji of a family': '👩‍👩‍👧‍👦',
  'an emoji with a skin tone': '👩🏽‍🚀',
  'an emoji with a presentation': '❤️ ☕︎ 👁️‍🗨️',
  'a keycap': '1️⃣',
  'a flag': '🇮🇹',
  'the flag of a region': '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'a no-break space': '5\u00a0PM',
}

const unseen = {
  'a carriage return': 'Ada\rBcc: x@example.com',
  'a line feed': 'Ada\nLovelace',
  'a bell': 'Ada\x07',
  'an escape sequence': '\x1b[31mAda',
  'a delete character': 'Ada\x7f',
  'a next line': 'Ada\x85',
  'a tab': 'Ada\tLovelace',
  'a line separator': 'Ada\u2028Lovelace',
  'a paragraph separator': 'Ada\u2029Lovelace',
  'an override of the direction': 'Ada\u202egnp.exe',
  'an embedding': '\u202aAda\u202c',
  'an isolate': '\u2067Ada\u2069',
  'a zero-width space': 'A\u200bda',
  'a word joiner': 'A\u2060da',
  'a byte order mark': 'A\ufeffda',
  'a soft hyphen': 'A\u00adda',
  'a joiner in Latin': 'A\u200dda',
  'a non-joiner at the end': 'علی\u200c',
  'two joiners': 'علی\u200c\u200cرضا',
  'a joiner after an emoji': '🍕\u200d',
  'a mark of direction in Latin': 'Ada\u200e',
  'a presentation of a letter': 'A\ufe0fda',
  'an empty Hangul letter': '\u3164',
  'tags without a flag': 'Ada\u{e0067}\u{e007f}',
  'tags without an end': '🏴\u{e0067}\u{e0062}',
}

describe('legible are', () => {
  test.each(Object.entries(seen))('%s', (_name, text) => {
    expect(isLegible(text)).toBe(true)
    expect(toLegibleLine(text)).toBe(text)
  })
})

describe('not legible are', () => {
  test.each(Object.entries(unseen))('%s', (_name, text) => {
    expect(isLegible(text)).toBe(false)
    expect(isLegible(toLegibleLine(text))).toBe(true)
    expect(toLegibleLine(`Grace ${text} Hopper`)).toMatch(/^Grace .*Hopper$/)
  })
})

test('a text of several lines may have line breaks and tabs, and nothing else that is invisible', () => {
  expect(isLegible('One\ntwo\r\n\tthree', { multiline: true })).toBe(true)
  for (const text of ['One\rtwo', 'One\u2028two', 'One\n\u202etwo', 'One\u200btwo'])
    expect([text, isLegible(text, { multiline: true })]).toEqual([text, false])
})

test('a text of several lines keeps its lines', () => {
  expect(toLegibleText('One\u202e\r\n\ttwo \n\nthree\u2028four\n')).toBe('One\ntwo\n\nthree four')
})

test('breaks become one space, and joiners that a script needs stay when others are removed', () => {
  expect(toLegibleLine(' Ada\r\nLovelace\u2028 ')).toBe('Ada Lovelace')
  expect(toLegibleLine('\u202eعلی‌رضا\u200c\x07')).toBe('علی‌رضا')
  expect(toLegibleLine('\u3164\u200b\n')).toBe('')
})

test('the path of the first such text of a request is returned, except in passwords', () => {
  expect(illegiblePath({ name: 'Ada', cards: [{ name: 'a\u200b' }] })).toBe('cards.0.name')
  expect(illegiblePath({ password: '\x07', passwordConfirm: '\x07', note: 'a\nb' }, ['note'])).toBeNull()
  expect(illegiblePath({ note: 'a\nb' })).toBe('note')
  expect(illegiblePath({ inner: { password: '\x07', note: 'a\nb' } }, ['note'])).not.toBeNull()
  expect(illegiblePath(['a', 1, null, true])).toBeNull()
})

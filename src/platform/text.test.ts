import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstCharacters, isStorable, maxDepth, maxValues, toSlug, unstorablePath } from './text.ts'

test('text with a NUL character or a lone surrogate cannot be stored', () => {
  for (const text of ['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', 'emoji cut \ud83c']) {
    expect([text, isStorable(text)]).toEqual([text, false])
  }
})

test('well-formed Unicode text without NUL can be stored: emoji, combining marks, every script', () => {
  for (const text of ['', 'Zoë', 'Zoe\u0308', '👩‍👩‍👧', '🏳️‍🌈', 'ﷺ', '\u202e', '\u{10ffff}', 'ไทย', '\t\r\n\u0001']) {
    expect([text, isStorable(text)]).toEqual([text, true])
  }
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => isStorable(text) === !text.includes('\0')))
})

test('the path names the value or key that cannot be stored', () => {
  expect(unstorablePath({ a: [{ b: 'fine' }, { b: 'x\0' }] })).toBe('a.1.b')
  expect(unstorablePath({ 'k\0': 1 })).toBe('k\0')
  expect(unstorablePath('\ud800')).toBe('')
  expect(unstorablePath({ a: [1, null, true, 'x', undefined, { b: {} }] })).toBeNull()
  expect(unstorablePath(undefined)).toBeNull()
})

test('input that is nested too deeply, or has too many values, is rejected without a stack overflow', () => {
  const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  expect(unstorablePath(nested(maxDepth))).toBeNull()
  expect(unstorablePath(nested(30_000))).toContain('0.0.0')
  expect(unstorablePath(Array.from({ length: maxValues - 1 }, () => 0))).toBeNull()
  expect(unstorablePath(Array.from({ length: 300_000 }, () => 0))).toBe('')
})

test('the first characters of a text are those that a reader sees, never a part of one', () => {
  for (const first of ['A', 'é', 'e\u0301', '𝒜', '👍🏽', '👩‍👩‍👧', '🇺🇸', '각', '\u1112\u1161\u11ab']) {
    expect([first, firstCharacters(`${first}Bc`, 1)]).toEqual([first, first])
  }
  expect([firstCharacters('', 1), firstCharacters('👍🏽👍🏽b', 2), firstCharacters('ab', 3)]).toEqual([
    '',
    '👍🏽👍🏽',
    'ab',
  ])
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => firstCharacters(text, 1).isWellFormed()))
})

test('a slug has the words of a text, without accents and apostrophes of either kind', () => {
  const slugs = {
    'St. Louis, MO': 'st-louis-mo',
    'Coeur d’Alene': 'coeur-dalene',
    "Lee's Summit": 'lees-summit',
    'Cañon City': 'canon-city',
    '  7th & Main ': '7th-main',
    東京: '',
  }
  for (const [text, slug] of Object.entries(slugs)) expect([text, toSlug(text)]).toEqual([text, slug])
})

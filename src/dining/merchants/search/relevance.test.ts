import { expect, test } from 'vitest'
import { allowedTypos, cuisineSynonyms, field, matchWord, requiredWords, scoreWord } from './relevance.ts'

const all = 31

test('longer words may have more typos', () => {
  expect(['', 'ab', 'abc', 'abcdefg', 'abcdefgh'].map(allowedTypos)).toEqual([0, 0, 1, 1, 2])
})

test('an exact word is best, then its beginning, a cuisine of a dish, and a typo', () => {
  expect(matchWord('pizza', 'pizza', false)).toEqual({ quality: 1, fields: all })
  expect(matchWord('burger', 'burgers', false).quality).toBeCloseTo(0.4 + 0.4 * (6 / 7), 10)
  expect(matchWord('bu', 'burgers', false)).toEqual({ quality: 0.4 + 0.8 / 7, fields: all })
  expect(matchWord('gers', 'burgers', true)).toEqual({ quality: 0, fields: 0 })
  expect(matchWord('b', 'burgers', false)).toEqual({ quality: 0, fields: 0 })
  expect(matchWord('sushi', 'japanese', false)).toEqual({ quality: 0.7, fields: field.cuisine })
  expect([matchWord('piza', 'pizza', true), matchWord('piza', 'pizza', false).quality]).toEqual([
    { quality: 0.38, fields: all },
    0,
  ])
  // Two letters allow no typo.
  expect(matchWord('ab', 'ac', true)).toEqual({ quality: 0, fields: 0 })
})

test('SRCH-002 a word with a letter missing, doubled or swapped is likelier than one with a wrong letter, or with two', () => {
  const quality = (typed: string, word: string) => matchWord(typed, word, true).quality
  const typos = [
    'aniella',
    'danilla',
    'danilela',
    'ddaniella',
    'adniella',
    'danielal',
    'daniellaa',
    'danioella',
    'dnniella',
  ]
  expect(typos.map((typed) => quality(typed, 'daniella'))).toEqual([...Array(7).fill(0.38), 0.3, 0.3])
  expect([quality('aniels', 'daniels'), quality('aniels', 'angels')]).toEqual([0.38, 0.3])
  // An added letter that is no repetition can be any.
  expect([quality('danxiella', 'daniella'), quality('xdaniella', 'daniella')]).toEqual([0.3, 0.3])
  expect([quality('arinella', 'marinella'), quality('arinella', 'anella')]).toEqual([0.38, 0.22])
  expect(quality('laudines', 'paulines')).toBe(0.22)
  // Two slips are two typos, and only long words may have them.
  expect([quality('danila', 'daniella'), quality('dnaielal', 'daniella')]).toEqual([0, 0.22])
})

test('SRCH-002 a dish is found in the singular and the plural', () => {
  expect([cuisineSynonyms('taco'), cuisineSynonyms('tacos'), cuisineSynonyms('dims')]).toEqual([
    ['mexican'],
    ['mexican'],
    ['chinese'],
  ])
  expect([cuisineSynonyms('stake'), cuisineSynonyms('sushi'), cuisineSynonyms('tapas')]).toEqual([
    [],
    ['japanese'],
    ['spanish'],
  ])
  // Only the last letter is dropped.
  expect([cuisineSynonyms('staco'), cuisineSynonyms('tasco')]).toEqual([[], []])
})

test('the field with the highest weight counts in full, and the others a fifth', () => {
  const score = (foundIn: number, nameLength = 2, quality = 1) =>
    scoreWord({ quality, fields: all }, foundIn, nameLength)
  expect([score(field.cuisine), score(field.neighborhood), score(field.city), score(field.address)]).toEqual([
    1.5, 1.3, 1.2, 0.5,
  ])
  expect([score(field.name, 1), score(field.name, 4)]).toEqual([2, 1.25])
  expect(score(field.cuisine | field.city)).toBeCloseTo(1.5 + 0.2 * 1.2, 10)
  expect(score(field.name | field.address, 1)).toBeCloseTo(2 + 0.2 * 0.5, 10)
  // The cuisine weighs more than the name of four words.
  expect(score(field.name | field.cuisine, 4)).toBeCloseTo(1.5 + 0.2 * 1.25, 10)
  expect(score(field.cuisine, 2, 0.5)).toBe(0.75)
  expect([score(0), scoreWord({ quality: 1, fields: field.cuisine }, field.city, 1)]).toEqual([0, 0])
})

test('words without meaning are optional, and repeated ones count once', () => {
  expect(requiredWords(['best', 'pizza', 'near', 'me', 'pizza'])).toEqual({
    required: ['pizza'],
    optional: ['best', 'near', 'me'],
    count: 5,
  })
})

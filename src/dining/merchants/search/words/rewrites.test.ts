import { expect, test } from 'vitest'
import { joinPossessives, rewritesOf, unlikelySplits } from './rewrites.ts'

const known = (words: string) => (word: string) => words.split(' ').includes(word)

test('SRCH-002 words that were run together are split, and split ones joined, where the result is known', () => {
  const isKnown = known('noodle house mcdonalds la fonda club 21 noo')
  expect(rewritesOf(['noodlehouse'], isKnown)).toEqual([['noodle', 'house']])
  expect(rewritesOf(['lafonda', 'chicago'], isKnown)).toEqual([['la', 'fonda', 'chicago']])
  expect(rewritesOf(['21club'], isKnown)).toEqual([['21', 'club']])
  expect(rewritesOf(['the', 'noo', 'dle'], isKnown)).toEqual([['the', 'noodle']])
  expect(rewritesOf(['mc', 'donald', 's'], isKnown)).toEqual([['mcdonalds']])
  expect(rewritesOf(['unknown', 'words'], isKnown)).toEqual([])
  expect(rewritesOf(['noodlehous'], isKnown)).toEqual([])
})

test('of several splits, the one into similar lengths comes first; those with a very short part are separate', () => {
  expect(rewritesOf(['cartonbar'], known('car tonbar carton bar cart onbar'))).toEqual([
    ['cart', 'onbar'],
    ['car', 'tonbar'],
    ['carton', 'bar'],
  ])
  expect(rewritesOf(['antina'], known('an tina'))).toEqual([])
  expect(unlikelySplits(['antina', 'an'], known('an tina'))).toEqual([])
  expect(unlikelySplits(['antina'], known('an tina ant ina'))).toEqual([['an', 'tina']])
  // Short words are left as they are.
  expect(unlikelySplits(['tina'], known('t ina'))).toEqual([])
})

test('an apostrophe that was typed as a space is joined again', () => {
  expect(joinPossessives(['joe', 's', 'and', 'mary', 's'], known('joes marys'))).toEqual(['joes', 'and', 'marys'])
  expect(joinPossessives(['s', 'main', 's', 'street'], known('joes'))).toEqual(['s', 'main', 's', 'street'])
})

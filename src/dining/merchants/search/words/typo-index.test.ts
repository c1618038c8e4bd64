import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWithinEditDistance } from '../text.ts'
import { packTexts, TextList } from './text-list.ts'
import { buildTypoIndex, TypoIndex } from './typo-index.ts'

const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc'), minLength: 1, maxLength: 11 }),
  fc.string({ unit: fc.constantFrom(...'0123'), minLength: 1, maxLength: 9 }),
  fc.string({ unit: fc.constantFrom(...'ab01'), minLength: 2, maxLength: 9 }),
)

test('exactly the words within the allowed edits are found, without comparing all', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 60 }), word, fc.boolean(), (list, typed, isNear) => {
      const words = list.toSorted()
      const { bytes, starts } = packTexts(words)
      const index = new TypoIndex(new TextList(bytes, starts), buildTypoIndex(words))
      const near = isNear && list[0] ? `${list[0].slice(1)}a` : typed
      // Shorter words allow none, and only words of eight letters two.
      const typos = near.length < 8 ? 1 : 2
      if (near.length < 3) return
      const expected = words.filter((each) => each.length > 1 && isWithinEditDistance(near, each, typos))
      expect(
        index
          .find(near, typos)
          .map((at) => words[at])
          .sort(),
      ).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packTexts, TextList } from './text-list.ts'

const text = fc.string({ unit: fc.constantFrom(...'ab 1'), maxLength: 5 })

test('packed texts are found by themselves and by what they begin with', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text), text, (list, wanted) => {
      const sorted = list.toSorted()
      const { bytes, starts } = packTexts(sorted)
      const texts = new TextList(bytes, starts)
      expect(texts.find(wanted)).toBe(sorted.indexOf(wanted))
      const [from, until] = texts.withPrefix(wanted)
      expect(sorted.slice(from, until)).toEqual(sorted.filter((each) => each.startsWith(wanted)))
      expect(sorted.map((_, index) => texts.at(index))).toEqual(sorted)
    }),
    { numRuns: 500 },
  )
})

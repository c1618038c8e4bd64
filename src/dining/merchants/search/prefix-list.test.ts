import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PrefixList } from './prefix-list.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é', ' '), maxLength: 6 })

test('texts with a prefix are found, whether already sorted or not', () => {
  fc.assert(
    fc.property(fc.uniqueArray(word, { maxLength: 900, size: 'max' }), fc.array(word), (texts, prefixes) => {
      const list = new PrefixList()
      for (const [count, text] of texts.entries()) {
        list.add(text)
        if (count === 600) list.startingWith('a')
      }
      for (const prefix of prefixes) {
        expect(list.startingWith(prefix).sort()).toEqual(texts.filter((text) => text.startsWith(prefix)).sort())
      }
    }),
    { numRuns: 100 },
  )
})

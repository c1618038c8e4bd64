import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstOf } from './first-of.ts'

test('the result is the start of the sorted list', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 300, size: 'max' }), fc.nat(40), (numbers, count) => {
      const before = [...numbers]
      const order = (a: number, b: number) => a - b
      expect(firstOf(numbers, count, order)).toEqual(numbers.toSorted(order).slice(0, count))
      expect(numbers).toEqual(before)
    }),
    { numRuns: 1000 },
  )
})

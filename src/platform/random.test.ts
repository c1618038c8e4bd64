import { expect, test } from 'vitest'
import { Random, seedOf } from './random.ts'

test('an integer reaches both of its bounds, each as often as the others', () => {
  const random = new Random(7)
  const counts = new Map<number, number>()
  for (let draw = 0; draw < 4000; draw++) {
    const number = random.int(3, 6)
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted()).toEqual([3, 4, 5, 6])
  expect(Math.min(...counts.values())).toBeGreaterThan(900)
  expect([random.int(2, 2), random.int(-1, -1)]).toEqual([2, -1])
})

test('the same seed gives the same numbers, items and subsets', () => {
  const draw = () => {
    const random = new Random(seedOf('corner-bistro'))
    const items = ['a', 'b', 'c', 'd', 'e']
    return [random.int(0, 999), random.pick(items), random.some(items, 0.5), random.chance(0.5), random.gaussian()]
  }
  expect(draw()).toEqual(draw())
  expect(seedOf('corner-bistro')).not.toBe(seedOf('corner-bistrp'))
})

test('every item can be picked, and a subset has its share of the items in their order', () => {
  const random = new Random(11)
  const items = Array.from({ length: 10 }, (_, index) => index)
  expect(new Set(Array.from({ length: 300 }, () => random.pick(items))).size).toBe(10)
  const subsets = Array.from({ length: 300 }, () => random.some(items, 0.3))
  const size = subsets.reduce((sum, { length }) => sum + length, 0) / subsets.length
  expect(Math.abs(size - 3)).toBeLessThan(0.5)
  for (const subset of subsets) expect(subset).toEqual(subset.toSorted((a, b) => a - b))
})

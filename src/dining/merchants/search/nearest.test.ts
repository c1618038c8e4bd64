import fc from 'fast-check'
import { expect, test } from 'vitest'
import { squaredDistanceFromMiles, toUnitVector } from '../rules.ts'
import { nearest } from './nearest.ts'
import { PointGrid } from './point-grid.ts'

const point = fc.record({
  latitude: fc.double({ min: 40, max: 41.2, noNaN: true }),
  longitude: fc.double({ min: -74.6, max: -73.2, noNaN: true }),
})

test('the nearest points are found, and all points within the circle are counted', () => {
  fc.assert(
    fc.property(
      fc.array(point, { minLength: 1, maxLength: 400 }),
      point,
      fc.constantFrom(0.2, 3, 12, 25, 100),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (points, origin, miles, count, every) => {
        const grid = new PointGrid()
        points.forEach((each, index) => {
          grid.add(index, each)
        })
        const [x, y, z] = toUnitVector(origin)
        const squaredDistance = (item: number) => {
          const [a, b, c] = toUnitVector(points[item] as (typeof points)[number])
          return (a - x) ** 2 + (b - y) ** 2 + (c - z) ** 2
        }
        // Without a filter, only the dropped items do not count.
        points.forEach((each, index) => {
          if (every === 1 && index % 3 === 0) grid.drop(each)
        })
        const fits = (item: number) => (every === 1 ? item % 3 !== 0 : item % every === 0)
        const within = points
          .map((_, item) => item)
          .filter((item) => fits(item) && squaredDistance(item) <= squaredDistanceFromMiles(miles))
        const found = nearest(grid, { origin, miles, count }, { fits, all: every === 1, squaredDistance })
        const sorted = (items: number[]) =>
          items.toSorted((a, b) => squaredDistance(a) - squaredDistance(b) || a - b).slice(0, count)
        expect(found.total).toBe(within.length)
        expect(sorted(found.items)).toEqual(sorted(within))
      },
    ),
    { numRuns: 300 },
  )
})

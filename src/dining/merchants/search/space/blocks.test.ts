import fc from 'fast-check'
import { expect, test } from 'vitest'
import { squaredDistanceFromMiles, toUnitVector } from '../../rules.ts'
import { bitmapFor, setBit } from '../segment/bitmap.ts'
import { Blocks, buildSpheres } from './blocks.ts'
import { hilbertPosition } from './hilbert.ts'

const place = fc.record({
  latitude: fc.double({ min: 40, max: 41.2, noNaN: true }),
  longitude: fc.double({ min: -74.6, max: -73.2, noNaN: true }),
})

const places = fc.sample(place, { numRuns: 9000, seed: 3 }).sort((a, b) => hilbertPosition(a) - hilbertPosition(b))
const points = Float64Array.from(places.flatMap(toUnitVector))
const blocks = new Blocks({ points, ...buildSpheres(points) })
const membersOf = (every: number) => places.map((_, slot) => slot).filter((slot) => slot % every === 0)
const setOf = (slots: readonly number[]) => {
  const bits = bitmapFor(places.length)
  for (const slot of slots) setBit(bits, slot)
  return bits
}
const sets = new Map([1, 2, 7, 300].map((every) => [every, setOf(membersOf(every))]))

test('the members of a set within a circle are counted, and the nearest ones found', () => {
  fc.assert(
    fc.property(
      place,
      fc.constantFrom(0.2, 3, 12, 25, 100),
      fc.constantFrom(...sets.keys()),
      (origin, miles, every) => {
        const [x, y, z] = toUnitVector(origin)
        const circle = { x, y, z, maxSquared: squaredDistanceFromMiles(miles) }
        const bits = sets.get(every) as Uint32Array
        const distance = (slot: number) => blocks.squaredDistance(slot, circle)
        const within = membersOf(every).filter((slot) => distance(slot) <= circle.maxSquared)
        const areaCounts = Uint32Array.from(
          { length: 3 },
          (_, area) => membersOf(every).filter((slot) => slot >> 12 === area).length,
        )
        expect(blocks.count(bits, areaCounts, circle)).toBe(within.length)
        const nearest = within.toSorted((a, b) => distance(a) - distance(b)).slice(0, 5)
        let found: number[] = []
        blocks.visitNearest(bits, circle, (slot) => {
          if (distance(slot) > (found[4] ?? circle.maxSquared)) return found[4] ?? 5
          found = [...found, distance(slot)].sort((a, b) => a - b).slice(0, 5)
          return found[4] ?? 5
        })
        // Places can be equally far, so that only the distances are the same.
        expect(found).toEqual(nearest.map(distance))
      },
    ),
    { numRuns: 40 },
  )
})

test('a point on the edge of a circle is within it', () => {
  const [x, y, z] = toUnitVector(places[0] as (typeof places)[number])
  const maxSquared = blocks.squaredDistance(1, { x, y, z, maxSquared: 0 })
  const isWithin = (factor: number) => blocks.isWithin(1, { x, y, z, maxSquared: maxSquared * factor })
  expect([isWithin(1), isWithin(0.999)]).toEqual([true, false])
})

test('each member of a set is visited once', () => {
  const [x, y, z] = toUnitVector(places[0] as (typeof places)[number])
  const visited: number[] = []
  blocks.visitNearest(sets.get(7) as Uint32Array, { x, y, z, maxSquared: 4 }, (slot) => {
    visited.push(slot)
    return 4
  })
  expect(visited.sort((a, b) => a - b)).toEqual(membersOf(7))
})

test('neighbors on the curve are neighbors in space', () => {
  const step = (a: number, b: number) =>
    Math.max(
      Math.abs((places[a]?.latitude ?? 0) - (places[b]?.latitude ?? 0)),
      Math.abs((places[a]?.longitude ?? 0) - (places[b]?.longitude ?? 0)),
    )
  const far = places.slice(1).filter((_, slot) => step(slot, slot + 1) > 0.2)
  expect(far.length).toBeLessThan(places.length / 100)
})

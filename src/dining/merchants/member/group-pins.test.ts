import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupPins } from './group-pins.ts'

const space = { width: 42, height: 52 }
const points = fc.array(fc.record({ x: fc.integer({ min: 0, max: 600 }), y: fc.integer({ min: 0, max: 600 }) }), {
  maxLength: 60,
})

test('A11Y-019 the icons of two groups of pins never overlap, and every pin is in one group', () => {
  fc.assert(
    fc.property(points, (all) => {
      const groups = groupPins(all, space)
      const overlapping = groups.filter((a) =>
        groups.some((b) => a !== b && Math.abs(a.x - b.x) < space.width && Math.abs(a.y - b.y) < space.height),
      )
      expect(overlapping).toEqual([])
      const members = groups.flatMap((group) => group.members)
      expect(members.toSorted((a, b) => a - b)).toEqual(all.map((_, index) => index))
    }),
  )
})

test('A11Y-019 pins form a group up to the size of an icon, in the middle of its pins', () => {
  const at = (x: number, y: number) => ({ x, y })
  expect(groupPins([at(0, 0), at(42, 0), at(0, 52)], space)).toHaveLength(3)
  expect(groupPins([at(0, 0), at(41, 51)], space)).toEqual([{ x: 20.5, y: 25.5, members: [0, 1] }])
  // The middle of two that were joined touches a third one.
  expect(groupPins([at(0, 0), at(45, 0), at(36, 0)], space)).toEqual([{ x: 27, y: 0, members: [0, 1, 2] }])
  expect(groupPins([at(0, 0), at(0, 0), at(3, 0), at(300, 0)], space)).toMatchObject([
    { x: 1, members: [0, 1, 2] },
    { x: 300, members: [3] },
  ])
})

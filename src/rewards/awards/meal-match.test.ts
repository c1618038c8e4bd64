import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DAY } from '../../platform/time.ts'
import { areSimilarClaims, assignMeals, isSameWithinTip, likenessOf } from './meal-match.ts'

test('an amount is that of the claim from 70 % to 140 % of it, exactly', () => {
  const isSame = (named: number, amounts: number[]) => amounts.map((cents) => isSameWithinTip(cents, named))
  expect(isSame(100_00, [69_99, 70_00, 140_00, 140_01])).toEqual([false, true, true, false])
  // Products whose fractions are not exact.
  expect(isSame(45, [31, 32, 63, 64])).toEqual([false, true, true, false])
  expect(isSame(90, [62, 63, 126, 127])).toEqual([false, true, true, false])
})

const noon = new Date('2026-03-10T12:00:00Z')
const claimed = { merchantId: 2 as number | null, merchantName: 'Corner Bistro', dinedAt: noon, cents: 50_00 }
const reported = {
  merchantId: 2 as number | null,
  merchantName: 'CORNER BISTRO',
  dinedAt: noon,
  localDate: '2026-03-10',
  ticketCents: 50_00,
  clearedCents: 60_00,
}

test('a reported meal resembles a claimed one at the same restaurant, up to a day and a half from noon', () => {
  const like = (over: object = {}, given: object = {}) => likenessOf({ ...claimed, ...given }, { ...reported, ...over })
  const at = (milliseconds: number) => like({ dinedAt: new Date(noon.getTime() + milliseconds) })
  const near = [-1.5 * DAY - 1, -1.5 * DAY, 0, 1.5 * DAY, 1.5 * DAY + 1].map(at)
  expect(near).toEqual([null, 'similar', 'similar', 'similar', null])
  expect([like({ merchantId: 3 }), like({ merchantId: 3 }, { merchantId: null })]).toEqual([null, 'similar'])
  // The larger of both amounts counts.
  expect([like({ clearedCents: 70_00 }), like({ clearedCents: 70_01 }), like({ ticketCents: 70_01 })]).toEqual([
    'similar',
    null,
    null,
  ])
})

test('it is exactly the claimed one on the restaurant’s day with the final amount, or the authorized one until then', () => {
  const like = (over: object) => likenessOf(claimed, { ...reported, ...over })
  expect(like({ clearedCents: 50_00, ticketCents: 20_00 })).toBe('exact')
  expect(like({ clearedCents: 0 })).toBe('exact')
  expect(like({ clearedCents: 60_00 })).toBe('similar')
  expect(like({ clearedCents: 50_00, localDate: '2026-03-11' })).toBe('similar')
})

test('two claims may be about one meal whichever of them was opened first', () => {
  const other = (over: object) => {
    const meal = { ...claimed, ...over }
    const both = [areSimilarClaims(claimed, meal), areSimilarClaims(meal, claimed)]
    expect(both[0]).toBe(both[1])
    return both[0]
  }
  // Either may be the other one within a tip.
  const all = [34_99, 35_00, 71_42, 71_43].map((cents) => other({ cents }))
  expect(all).toEqual([false, true, true, false])
  expect([DAY, 2 * DAY].map((far) => other({ dinedAt: new Date(noon.getTime() + far) }))).toEqual([true, false])
  expect([other({ merchantId: null, merchantName: 'corner bistro' }), other({ merchantId: 3 })]).toEqual([true, false])
})

const claimOf = (cents: number) => ({ ...claimed, cents })
const mealOf = (cents: number) => ({ ...reported, ticketCents: cents, clearedCents: cents })
const amounts = (claims: number[], meals: number[]) => {
  const assigned = assignMeals(claims.map(claimOf), meals.map(mealOf), () => true)
  return [...assigned].map(([{ cents }, { clearedCents }]) => [cents, clearedCents])
}

test('a reported meal is assigned to the claim that names it exactly, not to an older one that resembles it', () => {
  expect(amounts([40_00, 48_00], [48_00])).toEqual([[48_00, 48_00]])
  // An exact pair stays, although without it both could be paired.
  expect(amounts([40_00, 48_00], [48_00, 60_00])).toEqual([[48_00, 48_00]])
  // Without an exact pair, as many as possible are paired, then the nearest.
  expect(amounts([40_00, 48_00], [47_00, 60_00])).toEqual([
    [40_00, 47_00],
    [48_00, 60_00],
  ])
  expect(amounts([40_00, 48_00], [45_00])).toEqual([[48_00, 45_00]])
})

test('pairs that were excluded are not assigned', () => {
  const [first, second] = [claimOf(40_00), claimOf(48_00)]
  const assigned = assignMeals([first, second], [mealOf(48_00)], (claim) => claim !== second)
  expect([...assigned.keys()]).toEqual([first])
  expect(assignMeals([], [mealOf(48_00)], () => true).size).toBe(0)
})

test('no other assignment has more exact pairs, then more pairs, then smaller differences', () => {
  const cents = fc.integer({ min: 40_00, max: 60_00 }).map((each) => each - (each % 4_00))
  fc.assert(
    fc.property(fc.array(cents, { maxLength: 5 }), fc.array(cents, { maxLength: 5 }), (claims, meals) => {
      const worth = (pairs: (readonly [number, number])[]) => {
        const differences = pairs.map(([claim, meal]) => Math.abs(claim - meal))
        const exact = differences.filter((difference) => difference === 0).length
        return exact * 1e9 + pairs.length * 1e6 - differences.reduce((sum, each) => sum + each, 0)
      }
      const best = (at: number, free: readonly number[]): (readonly [number, number])[] => {
        const claim = claims[at]
        if (claim === undefined) return []
        const options = free.flatMap((meal, index) =>
          isSameWithinTip(meal, claim) ? [[[claim, meal] as const, ...best(at + 1, free.toSpliced(index, 1))]] : [],
        )
        return [best(at + 1, free), ...options].toSorted((a, b) => worth(b) - worth(a))[0] ?? []
      }
      const assigned = assignMeals(claims.map(claimOf), meals.map(mealOf), () => true)
      const pairs = [...assigned].map(([claim, meal]): [number, number] => [claim.cents, meal.clearedCents])
      expect(new Set(assigned.values()).size).toBe(assigned.size)
      expect(worth(pairs)).toBe(worth(best(0, meals)))
    }),
  )
})

import { expect, test } from 'vitest'
import { ordinaryReward } from './rules.ts'

test('the ordinary reward of a bill counts whole steps, drops fractions, and keeps to the minimum and the maximum', () => {
  const program = {
    earnRates: { OptedOut: 0, NonActivated: 0, OptedIn: 333, VIP: 500 },
    earnStepCents: 100,
    minimumSpendCents: 0,
  }
  const of = (cents: number, terms: object = {}) => ordinaryReward({ ...program, ...terms }, cents, 'OptedIn')
  expect(of(10_000)).toBe(333)
  expect(of(10_099)).toBe(333)
  expect(of(100)).toBe(3)
  expect(ordinaryReward(program, 10_000, 'VIP')).toBe(500)
  expect(ordinaryReward(program, 10_000, 'OptedOut')).toBe(0)
  expect([of(4_999, { minimumSpendCents: 5_000 }), of(5_000, { minimumSpendCents: 5_000 })]).toEqual([0, 166])
  expect(of(10_000, { maxRewardPerMeal: 200 })).toBe(200)
})

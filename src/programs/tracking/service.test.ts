import { expect, test } from 'vitest'
import { MINUTE } from '../../platform/time.ts'
import { createQuota } from './service.ts'

test('a quota counts a bounded number of names: the least recently seen one starts again, the others do not', () => {
  let time = 0
  const quota = createQuota(10, MINUTE, () => time, 3)
  for (const name of ['a', 'b', 'c']) expect(quota.take(name, 20)).toBe(10)
  expect(quota.take('a', 1)).toBe(0)
  expect(quota.take('d', 4)).toBe(4)
  expect(['a', 'c', 'd'].map(quota.remaining)).toEqual([0, 0, 6])
  expect(quota.remaining('b')).toBe(10)
  time += MINUTE
  expect(['a', 'b', 'c', 'd'].map(quota.remaining)).toEqual([10, 10, 10, 10])
})

test('a quota is limited in each period, also in those after the first', () => {
  let time = 0
  const quota = createQuota(10, MINUTE, () => time)
  for (let period = 0; period < 3; period++) {
    expect([quota.take('a', 6), quota.take('a', 6), quota.take('a', 6)]).toEqual([6, 4, 0])
    time += MINUTE - 1
    expect(quota.remaining('a')).toBe(0)
    time += 1
  }
})

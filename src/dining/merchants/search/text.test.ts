import { expect, test } from 'vitest'
import { isSlip, isWithinEditDistance } from './text.ts'

test('a slip is one missing, doubled or swapped letter, at any place', () => {
  const slips = (typed: string) => typed.split(' ').filter((each) => isSlip(each, 'marinella'))
  const missing = 'arinella mrinella mainella marinela marinell'
  const doubled = 'mmarinella maarinella marinnella marinellla marinellaa'
  const swapped = 'amrinella mrainella marienlla marinelal'
  expect(slips(`${missing} ${doubled} ${swapped}`)).toHaveLength(14)
  // Another letter, two slips, a slip and another letter, and half of a swap.
  expect(slips('xarinella xmarinella marinellax marinexlla marinelly')).toEqual([])
  expect(slips('arinela amrinelal mmarinellaa rinella')).toEqual([])
  expect(slips('arinellx mrinellx mmarinellx amrinellx marinxlaa')).toEqual([])
  expect(slips('xmrinella axrinella marinelxl marinelax')).toEqual([])
})

test('edits are counted: inserted, deleted, replaced and swapped letters', () => {
  const edits = (a: string, b: string) => [0, 1, 2].find((count) => isWithinEditDistance(a, b, count))
  expect([edits('noodle', 'noodle'), edits('oodle', 'noodle'), edits('noodle', 'noodel')]).toEqual([0, 1, 1])
  expect([edits('nodle', 'noodles'), edits('nood', 'noodles'), edits('abcd', 'badc')]).toEqual([2, undefined, 2])
  expect([edits('a', 'b'), edits('', 'ab'), edits('ab', ''), edits('abc', 'xyz')]).toEqual([1, 2, 2, undefined])
  // As long as the arrays that are reused, and longer.
  const full = 'x'.repeat(128)
  expect([edits(full, full), edits(`${full.slice(1)}y`, full)]).toEqual([0, 1])
  const long = 'x'.repeat(300)
  expect([edits(long, `${long}y`), edits(`y${long}`, `${long}z`), edits('x', long)]).toEqual([1, 2, undefined])
})

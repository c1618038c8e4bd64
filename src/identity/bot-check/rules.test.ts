import { expect, test } from 'vitest'
import { needsBotCheck } from './rules.ts'

test('VAL-012 a session needs the check from its second attempt, and every session of an address after ten failures', () => {
  const needs = (ofSession: number, ofAddress: number) => needsBotCheck({ ofSession, ofAddress })
  expect([needs(0, 0), needs(1, 0), needs(2, 0)]).toEqual([false, true, true])
  expect([needs(0, 9), needs(0, 10), needs(0, 11), needs(1, 10)]).toEqual([false, true, true, true])
})

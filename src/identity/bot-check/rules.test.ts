import { expect, test } from 'vitest'
import { MINUTE } from '../../platform/time.ts'
import { challengeTtlMs, failuresWindow, maxNetworkErrors, needsBotCheck, solveTimeoutMs } from './rules.ts'

test('failures count for half an hour, and a challenge for five minutes, of which a form waits two', () => {
  expect([failuresWindow, challengeTtlMs, solveTimeoutMs]).toEqual([30 * MINUTE, 5 * MINUTE, 2 * MINUTE])
  expect(maxNetworkErrors).toBe(10)
})

test('VAL-012 a session needs the check from its second attempt, and every session of an address after ten failures', () => {
  const needs = (ofSession: number, ofAddress: number) => needsBotCheck({ ofSession, ofAddress })
  expect([needs(1, 1), needs(2, 1), needs(3, 1)]).toEqual([false, true, true])
  expect([needs(1, 10), needs(1, 10.1), needs(1, 11), needs(2, 11)]).toEqual([false, true, true, true])
})

import { expect, test } from 'vitest'
import type { DiningProgress } from './contract.ts'
import { addressProblems } from './rules.ts'
import { countsDollars, goalYear, spendingOf, visitsOf } from './vip/rules.ts'

const progress = (over: Partial<DiningProgress>): DiningProgress => ({
  status: 'Building',
  remainingDines: null,
  dinesRequired: null,
  remainingDollars: null,
  dollarsRequired: null,
  ytdMilesOrDollars: 0,
  vipBegins: null,
  ...over,
})

test('ACCT-006 the visits done are those required minus those remaining, between none and all', () => {
  const visits = (dinesRequired: number | null, remainingDines: number | null) =>
    visitsOf(progress({ dinesRequired, remainingDines }))
  expect(visits(11, 7)).toEqual({ done: 4, total: 11 })
  expect(visits(11, 0)).toEqual({ done: 11, total: 11 })
  expect(visits(11, 11)).toEqual({ done: 0, total: 11 })
  expect(visits(11, 15)).toEqual({ done: 0, total: 11 })
  expect(visits(11, -2)).toEqual({ done: 11, total: 11 })
  // Without a number of the program eleven visits are required, and an unknown rest means none was made.
  expect(visits(null, 3)).toEqual({ done: 8, total: 11 })
  expect(visits(5, null)).toEqual({ done: 0, total: 5 })
})

test('ACCT-006 ACCT-008 a program with an amount counts dollars, to the cent', () => {
  const dollars = (dollarsRequired: number | null, remainingDollars: number | null) =>
    progress({ dollarsRequired, remainingDollars })
  expect([null, 0, 0.01, 500].map((required) => countsDollars(dollars(required, 0)))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(spendingOf(dollars(500, 25.5))).toEqual({ done: 474_50, total: 500_00 })
  expect(spendingOf(dollars(500, 499.99))).toEqual({ done: 1, total: 500_00 })
  expect(spendingOf(dollars(500, 0))).toEqual({ done: 500_00, total: 500_00 })
  expect(spendingOf(dollars(500, null))).toEqual({ done: 500_00, total: 500_00 })
  expect(spendingOf(dollars(500, 700))).toEqual({ done: 0, total: 500_00 })
  expect(spendingOf(dollars(500, -20))).toEqual({ done: 500_00, total: 500_00 })
  expect(spendingOf(dollars(null, null))).toEqual({ done: 0, total: 0 })
})

test('ACCT-012 who has reached or renews the goal dines for the next year', () => {
  const year = (status: DiningProgress['status']) => goalYear(progress({ status }), 2026)
  expect([year('Building'), year('QualifiedAndBuilding'), year('Qualified')]).toEqual([2026, 2027, 2027])
})

test('PROF-005 ENR-010 each missing part of an address has its message, in the order of the form', () => {
  expect(addressProblems({ address1: '', city: '', state: '' })).toEqual([
    { field: 'address1', message: 'validation.address_missing' },
    { field: 'city', message: 'validation.city_missing' },
    { field: 'state', message: 'validation.state_missing' },
  ])
  expect(addressProblems({ address1: '1 Main Street', city: '', state: 'NY' })).toEqual([
    { field: 'city', message: 'validation.city_missing' },
  ])
  expect(addressProblems({ address1: '1 Main Street', city: 'New York', state: 'NY' })).toEqual([])
})

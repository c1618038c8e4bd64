import { expect, test } from 'vitest'
import { claimsConsoleCopy } from './copy.ts'
import { rewardFieldFor } from './reward-field.ts'

test('rewards in money are typed as dollars', () => {
  const { unit, format, parse, problem } = rewardFieldFor({ currencyType: 'Credit', currencyName: 'cash back' })
  expect([unit, format(146), format(0)]).toEqual(['dollars', '1.46', '0.00'])
  const read: [string, number | null][] = [
    ['1.46', 146],
    ['$80', 80_00],
    [' 80 ', 80_00],
    ['1,000', 1000_00],
    ['0.01', 1],
    ['0', null],
    ['10,000.00', 1_000_000],
    ['10,000.01', null],
    ['80.555', null],
    ['12/30', null],
    ['-5', null],
    ['', null],
  ]
  for (const [typed, cents] of read) expect([typed, parse(typed)]).toEqual([typed, cents])
  expect(claimsConsoleCopy[problem as keyof typeof claimsConsoleCopy]).toContain('from $0.01 to $10,000.00')
})

test('rewards per gallon are typed as dollars per gallon', () => {
  const { unit } = rewardFieldFor({ currencyType: 'Dollar', currencyName: 'fuel savings', rewardPer: 'gallon' })
  expect(unit).toBe('dollars per gallon')
})

test('miles and points are typed as whole numbers', () => {
  const { unit, format, parse } = rewardFieldFor({ currencyType: 'Mile', currencyName: 'miles' })
  expect([unit, format(146)]).toEqual(['miles', '146'])
  expect(['1', '1,440', ' 80 ', '1000000'].map(parse)).toEqual([1, 1440, 80, 1_000_000])
  expect(['', '0', '1.5', '$80', '1,00', '1000001'].map(parse)).toEqual(Array(6).fill(null))
})

import { expect, test } from 'vitest'
import { localDates } from './local-dates.ts'

test('the date is that of the time zone, and changes at its midnight', () => {
  const at = (instant: string) =>
    ['America/New_York', 'Pacific/Honolulu', 'Pacific/Guam'].map(localDates(new Date(instant)))
  expect(at('2026-11-20T04:59:59.999Z')).toEqual(['2026-11-19', '2026-11-19', '2026-11-20'])
  expect(at('2026-11-20T05:00:00.000Z')).toEqual(['2026-11-20', '2026-11-19', '2026-11-20'])
  expect(at('2026-11-20T05:00:00.000Z')).toEqual(['2026-11-20', '2026-11-19', '2026-11-20'])
})

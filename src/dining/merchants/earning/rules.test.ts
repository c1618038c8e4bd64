import { expect, test } from 'vitest'
import { daysText } from './rules.ts'

test('weekdays in a row are named by the first and the last, others each', () => {
  const names = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  const text = (...days: number[]) => daysText(days, (day) => names[day] as string)
  expect([text(1, 2, 3, 4), text(6), text(5, 6), text(4, 1, 2)]).toEqual([
    'Mon–Thu',
    'Sat',
    'Fri, Sat',
    'Mon, Tue, Thu',
  ])
})

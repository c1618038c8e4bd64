import { expect, test } from 'vitest'
import { parsePending, serializePending } from './pending-choice.ts'

const choice = { merchantId: 'corner-bistro', date: '2026-11-20', time: '19:15', partySize: 3 }

test('RESV-004 a selection made before sign-in is restored at its restaurant, within an hour', () => {
  const stored = serializePending(choice, 1000)
  expect(parsePending(stored, 'corner-bistro', 2000)).toEqual(choice)
  expect(parsePending(stored, 'another', 2000)).toBeNull()
  expect(parsePending(stored, 'corner-bistro', 1000 + 3_600_000)).toBeNull()
  for (const text of [null, '', '{', '[]', '{"merchantId":"corner-bistro"}']) {
    expect(parsePending(text, 'corner-bistro', 2000)).toBeNull()
  }
})

test('a stored selection that is none of a date, a time and a party size is ignored', () => {
  const parse = (over: object) => parsePending(JSON.stringify({ ...choice, at: 1000, ...over }), 'corner-bistro', 2000)
  expect(parse({})).toEqual(choice)
  for (const over of [
    { partySize: '3' },
    { partySize: 2.5 },
    { date: '11/20/2026' },
    { time: '7 PM' },
    { at: undefined },
  ])
    expect([over, parse(over)]).toEqual([over, null])
})

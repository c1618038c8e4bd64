import { expect, test } from 'vitest'
import { stateCodeOf } from './us-state-names.ts'
import { usStates } from './us-states.ts'

test('CON-602 a state is read from its name or its code in any case', () => {
  const cases: [string, string | null][] = [
    ['New York', 'NY'],
    ['new  york ', 'NY'],
    ['ny', 'NY'],
    ['N.Y.', 'NY'],
    ['West Virginia', 'WV'],
    ['virginia', 'VA'],
    ['District of Columbia', 'DC'],
    ['', null],
    ['York', null],
    ['Ontario', null],
  ]
  for (const [text, code] of cases) expect([text, stateCodeOf(text)]).toEqual([text, code])
  expect(usStates.map(stateCodeOf)).toEqual(usStates)
})

import { setImmediate } from 'node:timers/promises'

/** Values that are handled at once: a few milliseconds of work on a restaurant each. */
const valuesPerTurn = 100

/** Calls back for each value; after each hundred and after the last one, searches that wait have their turn. */
export async function eachInTurns<T>(values: Iterable<T>, visit: (value: T) => void): Promise<void> {
  let count = 0
  for (const value of values) {
    visit(value)
    if (++count % valuesPerTurn === 0) await setImmediate()
  }
  if (count % valuesPerTurn !== 0) await setImmediate()
}

import { resultCode } from './reservation-harness.ts'

/** Starts an act `count` times at once, and returns how often each outcome occurred: `done`, or an error code. */
export async function outcomesInParallel(
  count: number,
  act: (index: number) => Promise<unknown>,
): Promise<Record<string, number>> {
  const codes = await Promise.all(Array.from({ length: count }, (_, index) => resultCode(act(index))))
  const outcomes: Record<string, number> = {}
  for (const code of codes) outcomes[code] = (outcomes[code] ?? 0) + 1
  return outcomes
}

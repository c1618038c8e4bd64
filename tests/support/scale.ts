/** Whether this is `npm run test:stress`, which runs the long tests with their full counts. */
export const stress = process.env.STRESS === '1'

/** Returns the size of a long test, for example its repetitions: `full` under stress, `short` in every other run. */
export function scaled<T>({ full, short }: { full: T; short: T }): T {
  return stress ? full : short
}

/** Returns all items under stress, and every fourth one in every other run: for items that share the tested code. */
export function sampled<T>(items: readonly T[]): T[] {
  return items.filter((_, index) => stress || index % 4 === 0)
}

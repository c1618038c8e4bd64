/** Whether this is `npm run test:stress`, which runs the long tests with their full counts. */
export const stress = process.env.STRESS === '1'

/** How often a long test repeats: `full` times under stress, `short` times in every other run. */
export function scaled({ full, short }: { full: number; short: number }): number {
  return stress ? full : short
}

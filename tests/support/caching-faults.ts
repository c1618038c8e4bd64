import { subscribe } from 'node:diagnostics_channel'

// Loaded into every process that runs the app in tests. A route that is wrong about caches fails the test run, although
// its response was corrected.

const key = Symbol.for('dineback.caching-faults')
const shared = globalThis as { [key]?: { expected: unknown[] | null } }

if (!shared[key]) {
  const state: { expected: unknown[] | null } = { expected: null }
  shared[key] = state
  subscribe('dineback.caching-fault', (fault) => {
    if (!state.expected) throw new Error(`A response says wrongly that caches may store it: ${JSON.stringify(fault)}`)
    state.expected.push(fault)
  })
}

/** Runs work that has faults on purpose, and returns them. */
export async function cachingFaultsOf(work: () => Promise<unknown>): Promise<unknown[]> {
  const state = shared[key] as { expected: unknown[] | null }
  const faults: unknown[] = []
  state.expected = faults
  try {
    await work()
  } finally {
    state.expected = null
  }
  return faults
}

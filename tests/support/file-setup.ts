import { afterAll, beforeAll } from 'vitest'
import { startTestApp } from './app.ts'
import { createTestHarness } from './rewards-harness.ts'

/** Returns an app as `startTestApp` does, for all tests of the file. It can be used from the first `beforeAll` hook on. */
export const setUpTestApp = (...options: Parameters<typeof startTestApp>) =>
  startedBefore(
    () => startTestApp(...options),
    (app) => app.stop(),
  )

/** Returns a database with three partners, as `createTestHarness` does, for all tests of the file. */
export const setUpTestHarness = () =>
  startedBefore(
    () => createTestHarness(),
    (harness) => harness.close(),
  )

/** Starts something before the tests of a file. It ends after them, when other `afterAll` hooks are done. */
export function startedBefore<T extends object>(start: () => Promise<T>, end: (started: T) => Promise<unknown>): T {
  const shared = {} as T
  let started: T | undefined
  beforeAll(async () => {
    started = await start()
    Object.assign(shared, started)
  })
  afterAll(async () => {
    if (started) await end(started)
  })
  return shared
}

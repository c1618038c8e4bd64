import { moveTemporaryFilesToMemory } from './memory-folder.ts'
import { joinTestRun } from './test-run.ts'

/** Vitest calls this once, before the first test file, and the returned function after the last. */
export default async function setup(): Promise<() => Promise<void>> {
  const removeTemporaryFiles = moveTemporaryFilesToMemory()
  const run = await joinTestRun(['schema', 'programs', 'samples'])
  return async () => {
    await run.close()
    removeTemporaryFiles()
  }
}

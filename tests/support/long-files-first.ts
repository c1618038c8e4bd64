import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** Tests that start processes or servers, or wait for the events that a page collects before it sends them. */
const takesLong = /child_process|spawnApp|startTestServer|startFreshServer|fallible-app|run-command|api\/Impressions/

/** Starts the longest files first, so that no worker waits at the end for one that began late. */
export default class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const { long = [], short = [] } = Object.groupBy(sorted, ({ moduleId }) =>
      takesLong.test(readFileSync(moduleId, 'utf8')) ? 'long' : 'short',
    )
    return [...long, ...short]
  }
}

import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { recordMember, recordVisitor } from './record-program.ts'
import { type Stage, startStage } from './stage.ts'

vi.mock('leaflet', () => ({ default: {} }))

/**
 * Compares what a program's pages say and what its members' acts write with the records beside this file. A difference
 * that is meant is accepted by running the test with `-u`, and reviewed as any other change.
 */
export function testProgram(partner: string, { hasMembers }: { hasMembers: boolean }): void {
  let stage: Stage
  beforeAll(async () => {
    stage = await startStage()
  })
  afterAll(() => stage?.stop())

  test('what visitors see', async () => {
    await expect(await recordVisitor(stage, partner)).toMatchFileSnapshot(`${partner}/visitor-pages.txt`)
  })
  test.runIf(hasMembers)('what a member’s acts write, and what the member and the console see', async () => {
    const { writes, memberPages, consolePages, responses } = await recordMember(stage, partner)
    await expect(writes).toMatchFileSnapshot(`${partner}/writes.txt`)
    await expect(memberPages).toMatchFileSnapshot(`${partner}/member-pages.txt`)
    await expect(consolePages).toMatchFileSnapshot(`${partner}/console-pages.txt`)
    await expect(responses).toMatchFileSnapshot(`${partner}/responses.txt`)
  })
}

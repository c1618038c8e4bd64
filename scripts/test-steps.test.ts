import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { plainPath } from './plain-path.ts'
import { journeys, mainJourneys, pages, runStep, units, unitsWithoutPages } from './test-steps.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'test-steps-'))
})
beforeEach(() => void vi.spyOn(process.stdout, 'write').mockReturnValue(true))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a step that ends with an exit code. */
const countOf = async (code: number, report?: Awaited<ReturnType<typeof runStep>>['count']) => {
  const path = join(folder, 'report.json')
  writeFileSync(path, '{}')
  const command = [process.execPath, '-e', `process.exit(${code})`]
  const read = report && { path, read: () => ({ count: { ...report }, files: [] }) }
  return (await runStep({ name: 'a step', command, ...(read && { report: read }) })).count
}

test('a step without a report is one test, and a runner that fails without a failed test counts as a failure', async () => {
  expect(await countOf(0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(await countOf(3)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  expect(await countOf(0, { passed: 5, failed: 0, skipped: 2 })).toEqual({ passed: 5, failed: 0, skipped: 2 })
  expect(await countOf(1, { passed: 5, failed: 0, skipped: 2 })).toEqual({ passed: 5, failed: 1, skipped: 2 })
  expect(await countOf(1, { passed: 5, failed: 3, skipped: 0 })).toEqual({ passed: 5, failed: 3, skipped: 0 })
  const missing = await runStep({ name: 'no program', command: [join(folder, 'missing')] })
  expect(missing.count).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

test('commands run far from UTC', async () => {
  const command = [process.execPath, '-e', "process.exit(process.env.TZ === 'Pacific/Auckland' ? 0 : 1)"]
  expect((await runStep({ name: 'zone', command }, { quiet: true })).count.passed).toBe(1)
})

test('a report of Vitest counts a file that cannot be loaded, once', () => {
  const read = units().report?.read ?? expect.fail()
  const file = { name: join(plainPath(process.cwd()), 'tests/a.test.ts'), startTime: 1_000, endTime: 3_500 }
  const report = (numFailedTests: number, numFailedTestSuites: number) =>
    read(
      JSON.stringify({
        numPassedTests: 7,
        numPendingTests: 2,
        testResults: [file],
        numFailedTests,
        numFailedTestSuites,
      }),
    )
  const files = [{ file: 'tests/a.test.ts', seconds: 2.5 }]
  expect(report(0, 1)).toEqual({ count: { passed: 7, failed: 1, skipped: 2 }, files })
  expect(report(3, 2)).toEqual({ count: { passed: 7, failed: 3, skipped: 2 }, files })
})

test('a report of Playwright counts a test that passes only at a second try as failed', () => {
  const read = journeys().report?.read ?? expect.fail()
  const specs = (...durations: number[]) => [{ tests: [{ results: durations.map((duration) => ({ duration })) }] }]
  const suites = [
    { file: 'a.spec.ts', specs: specs(1_000, 2_000), suites: [{ file: 'a.spec.ts', specs: specs(500) }] },
    { file: 'b.spec.ts', specs: specs(250) },
  ]
  expect(read(JSON.stringify({ stats: { expected: 5, unexpected: 2, flaky: 1, skipped: 4 }, suites }))).toEqual({
    count: { passed: 5, failed: 3, skipped: 4 },
    files: [
      { file: 'tests/journeys/a.spec.ts', seconds: 3.5 },
      { file: 'tests/journeys/b.spec.ts', seconds: 0.25 },
    ],
  })
})

test('the pages are tested once in a whole run, and the further journeys are not', () => {
  expect(unitsWithoutPages().command.slice(-2)).toEqual(['--exclude', 'tests/pages/**'])
  expect(pages().command.at(-1)).toBe('tests/pages')
  expect(pages().report?.path).not.toBe(units().report?.path)
  expect(mainJourneys().command.slice(-2)).toEqual(['--grep-invert', '@further'])
})

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { plainPath } from './plain-path.ts'

/** Number of passed, failed and skipped tests of a step. */
export interface Count {
  passed: number
  failed: number
  skipped: number
}

/** Duration of a test file in seconds. */
export interface FileTime {
  file: string
  seconds: number
}

/** Parsed report of a test runner. */
interface Report {
  count: Count
  files: FileTime[]
}

/** One command of a test run. */
export interface Step {
  name: string
  command: string[]
  /** Further environment variables. */
  env?: Readonly<Record<string, string>>
  /** Path and parser of the runner's report. A step without one counts as one test. */
  report?: { path: string; read: (text: string) => Report }
}

export interface StepResult extends Report {
  name: string
  seconds: number
}

const node = process.execPath
const reports = 'test-results'

const script = (path: string, ...args: string[]) => [node, `node_modules/${path}`, ...args]

/** Checks without a server, which run in parallel. */
export const checks: Step[] = [
  { name: 'types', command: script('typescript/bin/tsc', '-p', '.') },
  { name: 'format and lint', command: ['node_modules/.bin/biome', 'ci', '--error-on-warnings', '.'] },
  {
    name: 'second lint',
    command: ['node_modules/.bin/oxlint', '-c', '.oxlintrc.json', 'src', 'vault', 'forms', 'id', 'scripts'],
  },
  {
    name: 'import rules',
    command: script(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      '--cache',
      'node_modules/.cache/dependency-cruiser',
      'src',
      'vault',
      'forms',
      'id',
    ),
  },
  { name: 'unused exports', command: script('knip/bin/knip.js', '--no-progress') },
  { name: 'requirement ids', command: [node, 'scripts/requirements.ts'] },
]

/** Unit and service tests; `args` are files or further arguments for Vitest. */
export const units = (args: readonly string[] = []): Step => withVitest('unit and service tests', 'vitest', args)

/** All of them but those of pages. */
export const unitsWithoutPages = (): Step => units(['--exclude', 'tests/pages/**'])

/** Tests of pages in a light DOM: in workers of their own, whose files share an app. */
export const pages = (): Step => withVitest('pages', 'vitest-pages', ['tests/pages'])

const testFolder = plainPath(process.cwd())

const withVitest = (name: string, file: string, args: readonly string[]): Step => ({
  name,
  command: [
    node,
    join(testFolder, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reports}/${file}.json`,
    ...args,
  ],
  ...(testFolder !== process.cwd() && { env: { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' } }),
  report: { path: `${reports}/${file}.json`, read: readVitest },
})

/** Every browser journey, or those of `args`: files or further arguments for Playwright. */
export const journeys = (args: readonly string[] = []): Step => ({
  name: 'journeys in a browser',
  command: script('@playwright/test/cli.js', 'test', ...args),
  report: { path: `${reports}/playwright.json`, read: (text) => readPlaywright(text, 'tests/journeys') },
})

/** The journeys without the tag that `further` in tests/support/journey.ts sets. */
export const mainJourneys = (): Step => journeys(['--grep-invert', '@further'])

/** The main pages in Firefox and WebKitGTK; `args` are further arguments for Playwright. */
export const browsers = (args: readonly string[]): Step => ({
  name: 'Firefox and WebKitGTK',
  command: script('@playwright/test/cli.js', 'test', '--config', 'playwright.browsers.config.ts', ...args),
  report: { path: `${reports}/browsers.json`, read: (text) => readPlaywright(text, 'tests/browsers') },
})

/** Changes the pure modules, or the given ones, in many small ways, and runs their tests against each change. */
export const mutants = (files: readonly string[] = []): Step => ({
  name: 'mutants of the pure modules',
  command: script(
    '@stryker-mutator/core/bin/stryker.js',
    'run',
    ...(files.length > 0 ? ['--mutate', files.join(',')] : []),
  ),
})

/** Runs a step. Prints its output immediately, or after it ends if `quiet`, so that steps can run in parallel. */
export async function runStep({ name, command, env, report }: Step, { quiet = false } = {}): Promise<StepResult> {
  const started = performance.now()
  if (!quiet) process.stdout.write(`\n── ${name}\n`)
  const { code, output } = await run(command, quiet, env)
  const seconds = (performance.now() - started) / 1000
  const read = report && existsSync(report.path) ? report.read(readFileSync(report.path, 'utf8')) : null
  const count = read?.count ?? { passed: code === 0 ? 1 : 0, failed: 0, skipped: 0 }
  // A runner that fails without a failed test counts as a failure.
  if (code !== 0 && count.failed === 0) count.failed = 1
  if (quiet) process.stdout.write(`\n── ${name}\n${output}`)
  process.stdout.write(`   ${count.failed === 0 ? 'ok' : 'FAILED'}, ${seconds.toFixed(1)} s\n`)
  return { name, seconds, count, files: read?.files ?? [] }
}

const running = new Set<ChildProcess>()

/** Far from UTC, so that a day or hour of the machine instead of UTC's, the restaurant's or the member's is noticed. */
const timeZone = 'Pacific/Auckland'

/**
 * Ends the running commands, so that the run ends by itself. With SIGINT, because Playwright does not clean up after
 * another signal.
 */
export function interrupt(): void {
  for (const child of running) child.kill('SIGINT')
}

function run(command: readonly string[], quiet: boolean, env: Step['env']): Promise<{ code: number; output: string }> {
  const [file = '', ...args] = command
  return new Promise((resolve) => {
    const stdio = quiet ? 'pipe' : 'inherit'
    const child = spawn(file, args, { stdio: ['ignore', stdio, stdio], env: { ...process.env, TZ: timeZone, ...env } })
    running.add(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk
      })
    child.on('error', (error) => resolve({ code: 1, output: `${error.message}\n` }))
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code: code ?? 1, output })
    })
  })
}

function readVitest(text: string): Report {
  const report = JSON.parse(text) as {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numFailedTestSuites: number
    testResults: { name: string; startTime: number; endTime: number }[]
  }
  return {
    count: {
      passed: report.numPassedTests,
      failed: report.numFailedTests + (report.numFailedTests === 0 ? report.numFailedTestSuites : 0),
      skipped: report.numPendingTests,
    },
    files: report.testResults.map(({ name, startTime, endTime }) => ({
      file: relative(testFolder, name),
      seconds: (endTime - startTime) / 1000,
    })),
  }
}

interface Suite {
  file: string
  suites?: Suite[]
  specs: { tests: { results: { duration: number }[] }[] }[]
}

function readPlaywright(text: string, folder: string): Report {
  const report = JSON.parse(text) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number }
    suites: Suite[]
  }
  const times = new Map<string, number>()
  const add = (suite: Suite): void => {
    const results = suite.specs.flatMap(({ tests }) => tests.flatMap((test) => test.results))
    const seconds = results.reduce((sum, { duration }) => sum + duration / 1000, 0)
    const file = `${folder}/${basename(suite.file)}`
    times.set(file, (times.get(file) ?? 0) + seconds)
    for (const inner of suite.suites ?? []) add(inner)
  }
  for (const suite of report.suites) add(suite)
  return {
    count: {
      passed: report.stats.expected,
      // A test that passes only on retry counts as failed.
      failed: report.stats.unexpected + report.stats.flaky,
      skipped: report.stats.skipped,
    },
    files: [...times].map(([file, seconds]) => ({ file, seconds })),
  }
}

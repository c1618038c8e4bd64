import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { type FileTime, journeys, type Step, units } from './test-steps.ts'

/** Stores the durations of the last full run, used to select what fits into a minute. */
const timesFile = 'node_modules/.cache/dineback-test-times.json'

/** Maximum total seconds of the selected test files, per kind of test. */
const unitBudget = 40
const journeyBudget = 30
const unknownSeconds = 2

/** Stores the duration of each test file. */
export function storeTimes(files: readonly FileTime[]): void {
  const times = { ...readTimes(), ...Object.fromEntries(files.map(({ file, seconds }) => [file, seconds])) }
  mkdirSync(dirname(timesFile), { recursive: true })
  writeFileSync(timesFile, JSON.stringify(times))
}

function readTimes(): Record<string, number> {
  return existsSync(timesFile) ? JSON.parse(readFileSync(timesFile, 'utf8')) : {}
}

/**
 * Returns the steps that test the uncommitted change within about a minute. Prints the affected files that it leaves
 * out.
 */
export async function quickSteps(): Promise<Step[]> {
  const changed = changedFiles()
  if (changed.length === 0) {
    process.stdout.write('\nThere is no uncommitted change.\n')
    return []
  }
  const specs = changed.filter((file) => file.endsWith('.spec.ts') && existsSync(file))
  const affected = affectedUnits()
  const steps = []
  const unitFiles = choose(affected, changed, unitBudget)
  if (unitFiles.length > 0) steps.push(units(unitFiles))
  const journeyFiles = choose(specs, changed, journeyBudget)
  if (journeyFiles.length > 0) steps.push(journeys(journeyFiles))
  const left = [...affected, ...specs].filter((file) => !unitFiles.includes(file) && !journeyFiles.includes(file))
  if (left.length > 0)
    process.stdout.write(
      `\nAffected too, but beyond a minute (npm test, and for further journeys npm test -- journeys, runs them):\n  ${left.join('\n  ')}\n`,
    )
  return steps
}

function changedFiles(): string[] {
  const lines = (...args: string[]) => spawnSync('git', args, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
  return [...lines('diff', '--name-only', 'HEAD'), ...lines('ls-files', '--others', '--exclude-standard')]
}

/** Returns the test files that import a changed file, as found by Vitest. */
function affectedUnits(): string[] {
  const args = ['node_modules/vitest/vitest.mjs', 'list', '--changed', '--filesOnly', '--json']
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const start = stdout.indexOf('[')
  if (start === -1) return []
  return (JSON.parse(stdout.slice(start)) as { file: string }[]).map(({ file }) => relative('.', file))
}

/** Selects the files nearest to the change first, then the faster ones, until the budget is used up. */
function choose(files: readonly string[], changed: readonly string[], budget: number): string[] {
  const times = readTimes()
  const distance = (file: string) => Math.min(...changed.map((each) => stepsBetween(dirname(file), dirname(each))))
  const sorted = files
    .map((file) => ({
      file,
      seconds: times[file] ?? unknownSeconds,
      distance: changed.includes(file) ? -1 : distance(file),
    }))
    .sort((a, b) => a.distance - b.distance || a.seconds - b.seconds)
  let left = budget
  return sorted.flatMap(({ file, seconds }) => {
    if (seconds > left) return []
    left -= seconds
    return [file]
  })
}

/** Number of folders between two folders. */
function stepsBetween(from: string, to: string): number {
  return relative(from, to).split('/').filter(Boolean).length
}

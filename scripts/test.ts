import { mkdirSync, rmSync } from 'node:fs'
import { listBrowsers } from '../tests/browsers/installed.ts'
import { openTestRun, openTestServer } from '../tests/support/test-run.ts'
import { quickSteps, storeTimes } from './test-quick.ts'
import {
  browsers,
  checks,
  interrupt,
  journeys,
  mainJourneys,
  mutants,
  pages,
  runStep,
  type Step,
  type StepResult,
  units,
  unitsWithoutPages,
} from './test-steps.ts'

const usage = `npm test                              checks, unit and service tests, and the main journeys
npm test -- checks                    format, lint, import rules, types
npm test -- units [FILE ...]          unit and service tests
npm test -- journeys [FILE ...]       every journey in a browser; --shuffle [SEED] for another order
npm run test:quick                    what the uncommitted change affects
npm run test:stress [-- FILE ...]     the long tests with their full counts, and every journey
npm run test:mutants [-- FILE ...]    whether the tests of the pure modules, or of the given ones, detect changed code
npm run test:browsers [-- --required] the main pages in Firefox and WebKitGTK; --required: fail if one is not installed
`

const [part = 'all', ...args] = process.argv.slice(2)
if (args.includes('--help') || part === '--help') {
  process.stdout.write(usage)
  process.exit(0)
}
const parts = ['all', 'checks', 'units', 'journeys', 'quick', 'stress', 'mutants', 'browsers']
const unknown = parts.includes(part) ? unknownArgument() : part
if (unknown !== undefined) {
  process.stderr.write(`Not known: ${unknown}\n\n${usage}`)
  process.exit(2)
}

rmSync('test-results', { recursive: true, force: true })
mkdirSync('test-results', { recursive: true })
const results: StepResult[] = []
const started = performance.now()

let interrupted = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    interrupted = true
    interrupt()
  })

function unknownArgument(): string | undefined {
  if (['all', 'checks', 'quick'].includes(part)) return args[0]
  if (part === 'browsers') return args.find((arg) => arg !== '--required')
  return part === 'mutants' ? args.find((arg) => arg.startsWith('-')) : undefined
}

/** Runs a step and records its result, unless the run has been interrupted. */
async function run(step: Step, options: { quiet?: boolean } = {}): Promise<void> {
  if (!interrupted) results.push(await runStep(step, options))
}

const runChecks = () => Promise.all(checks.map((check) => run(check, { quiet: true })))

/**
 * Runs all parts on one PostgreSQL server, as one test run, so that its templates are made once. Checks at the end that
 * nothing is left behind.
 */
async function onServer(work: () => Promise<void>): Promise<void> {
  const server = await openTestServer()
  try {
    const run = await openTestRun(['schema', 'programs', 'samples'])
    try {
      await work()
    } finally {
      await run.close()
    }
    const leftovers = await server.leftovers()
    if (leftovers.length > 0) process.stdout.write(`\nleft behind on the server: ${leftovers.join(', ')}\n`)
    const count = { passed: leftovers.length === 0 ? 1 : 0, failed: leftovers.length === 0 ? 0 : 1, skipped: 0 }
    results.push({ name: 'nothing left behind', seconds: 0, count, files: [] })
  } finally {
    await server.close()
  }
}

/** Counts each browser that is not installed as skipped, or as failed with `--required`. */
async function runBrowsers(): Promise<void> {
  const isRequired = args.includes('--required')
  const installed = listBrowsers().filter(({ browser, missing }) => {
    if (missing === null) return true
    process.stdout.write(`\n${isRequired ? 'failed' : 'skipped'}: ${missing}\n`)
    const count = { passed: 0, failed: isRequired ? 1 : 0, skipped: isRequired ? 0 : 1 }
    results.push({ name: browser, seconds: 0, count, files: [] })
    return false
  })
  if (installed.length === 0) return
  await onServer(async () => {
    await run(browsers(installed.map(({ browser }) => `--project=${browser}`)))
  })
}

if (part === 'browsers') await runBrowsers()
if (part === 'all' || part === 'checks') await runChecks()
if (part === 'stress') process.env.STRESS = '1'
if (part === 'mutants') await run(mutants(args))
if (part === 'quick') {
  await runChecks()
  const steps = await quickSteps()
  if (steps.length > 0)
    await onServer(async () => {
      for (const step of steps) await run(step)
    })
}
if (part === 'all' || part === 'units' || part === 'journeys' || part === 'stress')
  await onServer(async () => {
    const isWhole = args.length === 0
    if (part !== 'journeys' && isWhole) {
      await run(unitsWithoutPages())
      await run(pages())
    } else if (part !== 'journeys') await run(units(args))
    if (part === 'all') await run(mainJourneys())
    if (part === 'journeys' || (part === 'stress' && isWhole)) await run(journeys(args))
  })

storeTimes(results.flatMap(({ files }) => files))
report()

function report(): void {
  const line = (seconds: number, text: string) => process.stdout.write(`${seconds.toFixed(1).padStart(8)} s  ${text}\n`)
  process.stdout.write('\nDuration by part\n')
  for (const { name, seconds } of results) line(seconds, name)
  line((performance.now() - started) / 1000, 'in all')
  const slowest = results
    .flatMap(({ files }) => files)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, 10)
  if (slowest.length > 0) process.stdout.write('\nSlowest files\n')
  for (const { file, seconds } of slowest) line(seconds, file)
  if (results.some(({ name, count }) => name === 'journeys in a browser' && count.failed > 0))
    process.stdout.write('\nTraces and screenshots: test-results/journeys. Open one: npx playwright show-trace FILE\n')
  if (part === 'all') process.stdout.write('\nFurther journeys were left out. All of them: npm test -- journeys\n')
  const sum = (what: 'passed' | 'failed' | 'skipped') => results.reduce((total, { count }) => total + count[what], 0)
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : ''
  process.stdout.write(
    `\n${sum('passed')} passed, ${sum('failed')} failed${skipped}${interrupted ? ', interrupted' : ''}\n`,
  )
  // A machine may have none of the other browsers.
  const hasRun = sum('passed') > 0 || (part === 'browsers' && sum('skipped') > 0)
  process.exitCode = sum('failed') === 0 && hasRun && !interrupted ? 0 : 1
}

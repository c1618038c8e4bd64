import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { temporaryDatabase } from '../tests/support/database.ts'
import { buildWeb } from './build.ts'
import { startTestServer } from './test-server.ts'

interface Count {
  passed: number
  failed: number
  skipped: number
}

interface Step {
  name: string
  command: string[]
  /** A runner that counts writes a report here; other steps count as one test. */
  report?: string
  read?: (report: never) => Count
}

const node = process.execPath
const bin = (path: string, ...args: string[]) => [node, `node_modules/${path}`, ...args]
const reports = 'test-results'

const checks: Step[] = [
  { name: 'format and lint', command: ['node_modules/.bin/biome', 'ci', '--error-on-warnings', '.'] },
  {
    name: 'second lint',
    command: ['node_modules/.bin/oxlint', '-c', '.oxlintrc.json', 'src', 'vault', 'forms', 'id', 'scripts'],
  },
  {
    name: 'import rules',
    command: bin(
      'dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'vault',
      'forms',
      'id',
    ),
  },
  { name: 'types', command: bin('typescript/bin/tsc', '-p', '.') },
  { name: 'requirement ids', command: [node, 'scripts/requirements.ts'] },
]

const units: Step = {
  name: 'unit and service tests',
  command: bin(
    'vitest/vitest.mjs',
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reports}/vitest.json`,
  ),
  report: `${reports}/vitest.json`,
  read: (report: {
    numPassedTests: number
    numFailedTests: number
    numPendingTests: number
    numFailedTestSuites: number
  }) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + (report.numFailedTests === 0 ? report.numFailedTestSuites : 0),
    skipped: report.numPendingTests,
  }),
}

const journeys: Step = {
  name: 'journeys in a browser',
  command: bin('@playwright/test/cli.js', 'test'),
  report: `${reports}/playwright.json`,
  read: (report: { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
  }),
}

const total: Count = { passed: 0, failed: 0, skipped: 0 }

function add(count: Count): void {
  total.passed += count.passed
  total.failed += count.failed
  total.skipped += count.skipped
}

function run(command: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [file = '', ...args] = command
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...process.env, ...env } })
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

async function step({ name, command, report, read }: Step, env: NodeJS.ProcessEnv = {}): Promise<void> {
  const began = performance.now()
  process.stdout.write(`\n── ${name}\n`)
  const code = await run(command, env)
  const count = report && read && existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8')) as never) : null
  const failed = code !== 0 && (count?.failed ?? 0) === 0 ? 1 : (count?.failed ?? 0)
  add({ passed: count?.passed ?? (code === 0 ? 1 : 0), failed, skipped: count?.skipped ?? 0 })
  process.stdout.write(`   ${failed === 0 ? 'ok' : 'FAILED'}, ${((performance.now() - began) / 1000).toFixed(1)} s\n`)
}

rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })
const only = process.argv.slice(2)
const wants = (name: string) => only.length === 0 || only.includes(name)
const { keepPostgres } = await import('../tests/support/database.ts')
const postgres = await keepPostgres()
try {
  if (wants('checks')) for (const check of checks) await step(check)
  if (wants('units')) await step(units, { TEST_DATABASE_URL: postgres.url, NODE_ENV: 'test' })
  if (wants('journeys')) {
    await buildWeb((line) => process.stdout.write(`   ${line}\n`))
    process.env.TEST_DATABASE_URL = postgres.url
    const database = await temporaryDatabase()
    const server = await startTestServer(database.url)
    try {
      await step(journeys, {
        BASE_PORT: String(server.port),
        JOURNEY_DATABASE_URL: database.url,
        JOURNEY_DATA_DIR: server.dataDir,
      })
    } finally {
      await server.stop()
      await database.drop()
    }
  }
} finally {
  await postgres.stop()
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : ''
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

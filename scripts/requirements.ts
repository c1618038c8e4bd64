import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createUsageExit, readOptions } from './command-line.ts'

const usage = `Says how many requirements have a test, area by area, or which of an area have none.

  npm run requirements -- [--missing AREA]`

const { missing } = readOptions({ missing: { type: 'string' } }, createUsageExit(usage))

const ledgerFolder = 'docs/requirements'
const testFiles = ['{src,vault,forms,id,scripts,tests,bench,db}/**/*.test.{ts,tsx}', 'tests/**/*.spec.ts']
const rowId = /[A-Z][A-Z0-9]+-\d{3}/
/**
 * Matches the first argument of `it(`, `test.only(` or `test.each(…)(`; groups and skipped tests do not count as proof.
 */
const testTitle =
  /(?:\b(?:it|test)(?:\.(?!skip|todo|fixme|describe|step)\w+)*|[)`])\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g

interface Row {
  id: string
  area: string
  statement: string
}

interface Claim {
  id: string
  file: string
  /** Whether `npm test` leaves the test out. */
  isFurther: boolean
}

function readRowsIn(file: string): Row[] {
  const lines = readFileSync(join(ledgerFolder, file), 'utf8').split('\n')
  const area = basename(file, '.md').toUpperCase()
  return lines
    .filter((line) => line.startsWith(`| ${area}-`))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, id = '', statement = '']) => ({ id, area, statement }))
}

function readLedger(): Row[] {
  return readdirSync(ledgerFolder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .flatMap(readRowsIn)
}

/** Returns the ids at the start of a title: `LINK-025 LINK-026: rejects …` has two. */
function idsOf(title: string): string[] {
  const start = new RegExp(`^(?:${rowId.source}[\\s,:;/&]*)+`).exec(title)?.[0] ?? ''
  return start.match(new RegExp(rowId, 'g')) ?? []
}

function readClaimsIn(file: string): Claim[] {
  const text = readFileSync(file, 'utf8')
  return [...text.matchAll(testTitle)].flatMap((match) => {
    const isFurther = /^,\s*further\b/.test(text.slice(match.index + match[0].length))
    return idsOf(match[2] ?? '').map((id) => ({ id, file, isFurther }))
  })
}

function readClaims(): Claim[] {
  return globSync(testFiles, { exclude: ['**/node_modules/**'] }).flatMap(readClaimsIn)
}

function printAreas(ledger: Row[], covered: Set<string>): void {
  for (const [area, rows = []] of Object.entries(Object.groupBy(ledger, (row) => row.area))) {
    const done = rows.filter((row) => covered.has(row.id)).length
    console.log(`${area.padEnd(6)} ${String(done).padStart(4)} of ${String(rows.length).padStart(3)}`)
  }
  const done = ledger.filter((row) => covered.has(row.id)).length
  console.log(`${'all'.padEnd(6)} ${String(done).padStart(4)} of ${String(ledger.length).padStart(3)} rows are proved`)
}

function printMissing(ledger: Row[], covered: Set<string>, area: string): void {
  const rows = ledger.filter((row) => row.area === area.toUpperCase())
  if (rows.length === 0) fail(`There is no area ${area}.`)
  for (const { id, statement } of rows.filter((row) => !covered.has(row.id))) console.log(`${id} ${statement}`)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

function main(): void {
  const ledger = readLedger()
  const claims = readClaims()
  const known = new Set(ledger.map((row) => row.id))
  const covered = new Set(claims.map((claim) => claim.id))
  if (missing === undefined) printAreas(ledger, covered)
  else printMissing(ledger, covered, missing)
  for (const { id, file } of claims) if (!known.has(id)) fail(`${file}: ${id} is not in ${ledgerFolder}`)
  const inEveryRun = new Set(claims.filter(({ isFurther }) => !isFurther).map(({ id }) => id))
  for (const id of covered) if (!inEveryRun.has(id)) fail(`${id} has only tests that npm test leaves out`)
}

main()

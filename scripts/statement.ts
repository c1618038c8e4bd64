import { writeFileSync } from 'node:fs'
import { addMonths, isMonth } from '../src/platform/time.ts'
import { publicConfig } from '../src/programs/partners/public-config.ts'
import { readStatement, statementCsv } from '../src/rewards/settlement/statement.ts'
import { statementPdf } from '../src/rewards/settlement/statement-pdf.ts'
import { createUsageExit, readOptions, readPrograms } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Writes the monthly statement of a restaurant: its transactions and what the programs cost.

  npm run statement -- --merchant slug [--month 2026-10] [--format pdf|csv] [--out FILE]

Without --month: the previous month.`

const stop: (problem: string) => never = createUsageExit(usage)
const options = {
  merchant: { type: 'string' },
  month: { type: 'string' },
  format: { type: 'string', default: 'pdf' },
  out: { type: 'string' },
} as const

const values = readOptions(options, stop)
const { merchant, format } = values
if (!merchant) stop('Which restaurant?')
if (format !== 'pdf' && format !== 'csv') stop(`There is no format ${format}.`)
const month = values.month ?? addMonths(new Date().toISOString().slice(0, 7), -1)
if (!isMonth(month)) stop(`Not a month: ${month}`)
if (month > new Date().toISOString().slice(0, 7)) stop(`${month} has not started yet.`)

const { pools, close } = await connect()
try {
  const programs = [...readPrograms()].map(([id, { config }]) => ({
    config: publicConfig(config),
    db: pools.forPartner(id),
  }))
  const statement = await readStatement(programs, { merchantId: merchant, month })
  if (!statement) throw new Error(`There is no restaurant ${merchant}.`)
  const path = values.out ?? `${merchant}-${month}.${format}`
  writeFileSync(path, format === 'pdf' ? await statementPdf(statement) : statementCsv(statement))
  process.stdout.write(`  ${path}: ${statement.totals.transactions} transactions\n`)
} catch (error) {
  process.stderr.write(`  ${(error as Error).message}\n`)
  process.exitCode = 1
} finally {
  await close()
}

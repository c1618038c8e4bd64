import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { csvLines } from '../forms/csv.ts'
import { createStore } from '../forms/store.ts'
import { createUsageExit, readOptions, readProgram, readPrograms } from './command-line.ts'
import { connect } from './connect.ts'

const usage = `Exports the responses to a survey as CSV.

  npm run export:surveys -- --partner skyharbor --form sky-booking [--from 2026-01-01] [--to 2027-01-01] [--out responses.csv]

Without --out the lines are printed.`

const options = {
  partner: { type: 'string' },
  form: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  out: { type: 'string' },
} as const

const stop: (problem: string) => never = createUsageExit(usage)

function day(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? stop(`${text} is no date`) : date
}

const given = readOptions(options, stop)
const span = { from: day(given.from), to: day(given.to) }
const partner = readProgram(given.partner, stop)
const program = readPrograms().get(partner)
const code = program?.config.formServiceCode
const form = program?.forms.get(given.form ?? '')
if (!code || !form) stop(`--form must be one of: ${[...(program?.forms.keys() ?? [])].join(', ')}`)
const connection = await connect()
const store = createStore(connection.formsUrl, (error) => process.stderr.write(`${error.message}\n`))
try {
  const target = given.out ? createWriteStream(given.out) : process.stdout
  await pipeline(Readable.from(csvLines(form, store.read(code, form.id, span))), target, {
    end: given.out !== undefined,
  })
} finally {
  await store.close()
  await connection.close()
}

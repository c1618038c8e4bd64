import { createWriteStream } from 'node:fs'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import type { CellProblem } from '../../../platform/files/columns.ts'
import { type Format, problemText, readRows } from '../../../platform/files/read-rows.ts'
import type { MerchantRecord } from '../catalog/record.ts'
import { type SaveCounts, saveMerchants } from '../catalog/save-merchants.ts'
import { merchantColumns } from './columns.ts'
import { type ImportDefaults, type ImportedMerchant, toRecord } from './to-record.ts'

export interface ImportRequest {
  file: string
  format: Format
  defaults: ImportDefaults
  /** Skip invalid rows instead of rejecting the whole file. */
  skipErrors: boolean
  dryRun: boolean
  /** Path of the report of invalid rows with their lines; the first thousand are written, all are counted. */
  report: string
  onProgress: (share: number, rows: number) => void
}

export interface ImportResult extends SaveCounts {
  rows: number
  wrong: number
  /** True when the database was changed. */
  written: boolean
}

const batchSize = 500
const maxReported = 1_000

/** Thrown to roll back the transaction; not a failure. */
class NothingWritten extends Error {}

/**
 * Imports a file in one transaction: all of it, or nothing when a row is invalid (unless `skipErrors`) or reading
 * fails. Rows without changes are not written.
 */
export async function importMerchants(db: Db, request: ImportRequest): Promise<ImportResult> {
  const result: ImportResult = { rows: 0, wrong: 0, added: 0, changed: 0, unchanged: 0, written: false }
  const report = createReport(request.report)
  try {
    await inTransaction(db, async (tx) => {
      const imported = await listImported(tx, request.defaults.source)
      for await (const batch of batches(request, imported, result, report.add)) {
        // After an invalid row the remaining rows are only validated, so that the report is complete.
        if (result.wrong > 0 && !request.skipErrors) continue
        const saved = await saveMerchants(tx, batch)
        result.added += saved.added
        result.changed += saved.changed
        result.unchanged += saved.unchanged
      }
      if (request.dryRun || (result.wrong > 0 && !request.skipErrors)) throw new NothingWritten()
    })
    result.written = true
  } catch (error) {
    if (!(error instanceof NothingWritten)) throw error
  } finally {
    await report.close()
  }
  return result
}

/** Returns the merchants of a source, by their ids within it. */
async function listImported(tx: Tx, source: string): Promise<Map<string, ImportedMerchant>> {
  const rows = await tx
    .selectFrom('merchants')
    .select(['source_id as sourceId', 'participating', 'joined_on as joinedOn'])
    .where('source', '=', source)
    .execute()
  return new Map(rows.map(({ sourceId, ...merchant }) => [sourceId, merchant]))
}

async function* batches(
  request: ImportRequest,
  imported: ReadonlyMap<string, ImportedMerchant>,
  result: ImportResult,
  report: (line: number, problem: CellProblem) => void,
): AsyncGenerator<MerchantRecord[]> {
  const lines = new Map<string, number>()
  let batch: MerchantRecord[] = []
  let share = 0
  const wrong = (line: number, problems: readonly CellProblem[]) => {
    result.wrong++
    for (const problem of problems) report(line, problem)
  }
  const onProgress = (read: number) => {
    share = read
  }
  for await (const row of readRows(request.file, request.format, { columns: merchantColumns, onProgress })) {
    result.rows++
    const converted = row.isParsed ? toRecord(row, request.defaults, imported) : row
    if ('problems' in converted) wrong(row.line, converted.problems)
    else {
      const { sourceId } = converted.record
      const before = lines.get(sourceId)
      if (before !== undefined)
        wrong(row.line, [{ column: row.headers.sourceId ?? 'id', text: `“${sourceId}” is on line ${before} already.` }])
      else {
        lines.set(sourceId, row.line)
        batch.push(converted.record)
      }
    }
    if (batch.length < batchSize) continue
    yield batch
    batch = []
    request.onProgress(share, result.rows)
  }
  if (batch.length > 0) yield batch
  request.onProgress(1, result.rows)
}

function createReport(file: string) {
  let stream: ReturnType<typeof createWriteStream> | null = null
  let count = 0
  return {
    add(line: number, problem: CellProblem) {
      stream ??= createWriteStream(file)
      if (++count <= maxReported) stream.write(`${problemText(line, problem)}\n`)
    },
    async close() {
      if (!stream) return
      if (count > maxReported) stream.write(`... and ${count - maxReported} more\n`)
      await new Promise((done) => stream?.end(done))
    },
  }
}

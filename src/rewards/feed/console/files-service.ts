import { withoutCardNumbers } from '../../../platform/card-numbers.ts'
import { inTransaction } from '../../../platform/database/db.ts'
import { ApiError } from '../../../platform/errors.ts'
import { UnreadableFile } from '../../../platform/files/read-lines.ts'
import type { OperatorCtx } from '../../../platform/http/operator.ts'
import type { HttpContext } from '../../../platform/http/register-route.ts'
import { sendCsv } from '../../../platform/http/send-csv.ts'
import { publicId } from '../../../platform/security/ids.ts'
import { checkBytes, hashOf } from '../files/import-file.ts'
import { countLines, type Fault } from '../files/store.ts'
import type { FeedFile, FeedFileDetail } from './contract.ts'
import * as store from './files-store.ts'
import { faultName } from './names.ts'

function toFile(row: store.FileRow): FeedFile {
  const { name, applied, unmatched, repeated, ignored, rejected, startedAt, finishedAt } = row
  return {
    id: String(row.id),
    name,
    lines: countLines(row),
    applied,
    unmatched,
    repeated,
    ignored,
    rejected,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    upload: row.uploadedAt && {
      by: row.uploadedBy ?? '',
      at: row.uploadedAt.toISOString(),
      isWaiting: row.doneAt === null,
      failure: row.failure,
    },
  }
}

/** Returns one page of a program's files. */
export async function listFeedFiles(ctx: OperatorCtx, query: Omit<store.FileFilter, 'now'>) {
  const { rows, next, total } = await store.listFiles(ctx.db, { ...query, now: ctx.now() })
  return { items: rows.map(toFile), next, total }
}

/** Rejected lines that a page shows. */
const shownFaults = 1_000

async function requireFile(ctx: OperatorCtx, id: string): Promise<store.FileRow> {
  const file = /^\d{1,15}$/.test(id) ? await store.findFile(ctx.db, Number(id)) : undefined
  if (!file) throw new ApiError('notFound')
  return file
}

/** Returns a file with its rejected lines. Throws `notFound`. */
export async function getFeedFile(ctx: OperatorCtx, id: string): Promise<FeedFileDetail> {
  const file = await requireFile(ctx, id)
  const faults = await store.listFaults(ctx.db, file.id, 0, shownFaults)
  return { ...toFile(file), faults: faults.map(toFault) }
}

const toFault = ({ line, code, texts = [] }: Fault) => ({ line, code, texts: [...texts] })

/** Sends every rejected line as a CSV file. Throws `notFound`. */
export async function exportFaults(ctx: OperatorCtx, id: string, http: HttpContext): Promise<void> {
  const file = await requireFile(ctx, id)
  async function* pages() {
    for (let after = 0; ; ) {
      const faults = await store.listFaults(ctx.db, file.id, after, shownFaults)
      yield faults.map(({ line, code, texts = [] }) => [line, faultName(code), texts.join(' ')])
      if (faults.length < shownFaults) return
      after = faults.at(-1)?.line ?? after
    }
  }
  await inTransaction(ctx.db, (tx) =>
    ctx.record(tx, { object: { type: 'feed-file', id, label: file.name }, after: { exported: 'rejected lines' } }),
  )
  await sendCsv(http, { name: 'rejected-lines.csv', columns: ['Line', 'Kind', 'What is wrong'], pages: pages() })
}

const formatOf = (name: string) => (name.toLowerCase().endsWith('.csv') ? ('csv' as const) : ('ndjson' as const))

/** Returns the bytes of an uploaded file. */
function bytesOf({ request }: HttpContext): Buffer {
  const bytes = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0)
    throw new ApiError('unreadableFile', { problem: 'The file is empty.' })
  return bytes
}

/** Reads a file and returns what its import would do. Throws `unreadableFile` with `detail.problem`. */
export async function checkFeedFile(ctx: OperatorCtx, name: string, http: HttpContext) {
  const bytes = bytesOf(http)
  const check = await readFile(ctx, name, bytes)
  const isKnown = await store.isKnownFile(ctx.db, hashOf(bytes))
  return { ...check, lines: countLines(check), faults: check.faults.map(toFault), isKnown }
}

async function readFile(ctx: OperatorCtx, name: string, bytes: Buffer) {
  try {
    return await checkBytes(ctx, { bytes, format: formatOf(name) }, (events) => store.countKnown(ctx.db, events))
  } catch (error) {
    if (error instanceof UnreadableFile) throw new ApiError('unreadableFile', { problem: error.message })
    throw error
  }
}

/**
 * Stores a file, which a job then imports. Throws `fileKnown` when its content was imported before, `unreadableFile`, and
 * `cardNumberInFile`: card numbers are never stored, and the file is kept as it is.
 */
export async function uploadFeedFile(ctx: OperatorCtx, sentName: string, http: HttpContext): Promise<FeedFileDetail> {
  const name = withoutCardNumbers(sentName)
  const bytes = bytesOf(http)
  const hash = hashOf(bytes)
  const { cardNumberLine: line } = await readFile(ctx, name, bytes)
  if (line !== null) throw new ApiError('cardNumberInFile', { line })
  const fileId = await inTransaction(ctx.db, async (tx) => {
    if (await store.isKnownFile(tx, hash)) throw new ApiError('fileKnown')
    const id = await store.insertFile(tx, { hash, name })
    await store.insertUpload(tx, {
      publicId: publicId(),
      fileId: id,
      format: formatOf(name),
      bytes,
      by: ctx.operator.name,
    })
    await ctx.record(tx, { object: { type: 'feed-file', id: String(id), label: name }, after: { bytes: bytes.length } })
    return id
  })
  return getFeedFile(ctx, String(fileId))
}

/**
 * Imports an uploaded file again. Throws `notFound`, `fileGone` when its content is no longer kept, and `conflict` while it
 * is being imported.
 */
export async function replayFile(ctx: OperatorCtx, id: string, reason: string): Promise<FeedFileDetail> {
  const file = await requireFile(ctx, id)
  if (file.uploadedAt === null) throw new ApiError('fileGone')
  if (file.doneAt === null) throw new ApiError('conflict')
  await inTransaction(ctx.db, async (tx) => {
    if (!(await store.queueAgain(tx, file.id))) throw new ApiError('fileGone')
    await ctx.record(tx, { object: { type: 'feed-file', id, label: file.name }, reason })
  })
  return getFeedFile(ctx, id)
}

import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toCsvFile, toCsvRows } from '../csv.ts'
import type { HttpContext } from './register-route.ts'

type Cells = readonly (string | number)[]

/**
 * Sends rows as a CSV file while they are read, so that memory does not grow with the file. `pages` yields the rows page
 * by page; the first one is read before anything is sent, so that an error in it is an ordinary response.
 */
export async function sendCsv(
  { reply }: HttpContext,
  { name, columns, pages }: { name: string; columns: readonly string[]; pages: AsyncGenerator<readonly Cells[]> },
): Promise<void> {
  const first = await pages.next()
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string | string[]>),
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  async function* text() {
    yield toCsvFile([columns, ...(first.done ? [] : first.value)])
    for await (const page of pages) yield toCsvRows(page)
  }
  // A reader who goes away, or a failing query, ends the file early: its last row is missing then.
  void pipeline(Readable.from(text()), raw).catch(() => raw.destroy())
}

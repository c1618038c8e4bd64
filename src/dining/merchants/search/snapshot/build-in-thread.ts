import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type AbsentMerchant, buildIndex } from '../build-index.ts'
import type { Columns } from '../segment/columns.ts'
import type { PackedRows } from '../segment/packed-rows.ts'

/** Fewer rows are indexed faster than a thread starts, and nobody notices. */
const minThreadRows = 5000

/** Builds an index, a large one in a thread of its own, so that searches continue and its memory is released. */
export async function buildInThread(packed: PackedRows, absent: readonly AbsentMerchant[]): Promise<Columns> {
  if (packed.starts.length < minThreadRows) return buildIndex(packed, absent)
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
    execArgv: [],
    workerData: { packed, absent },
    transferList: [packed.bytes.buffer, packed.starts.buffer] as ArrayBuffer[],
  })
  const [columns] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => Promise.reject(new Error('the thread that builds the index ended'))),
  ])
  void worker.terminate()
  return columns
}

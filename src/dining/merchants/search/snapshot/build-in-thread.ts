import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type AbsentMerchant, buildIndex } from '../build-index.ts'
import { buildSegment } from '../segment/build-segment.ts'
import type { Columns } from '../segment/columns.ts'
import type { PackedRows } from '../segment/packed-rows.ts'

/** Fewer rows are indexed faster than a thread starts, and nobody searches yet. */
const minIndexRows = 5000
/** Fewer changed rows delay searches by some milliseconds. */
const minSegmentRows = 500

/** What a thread builds: the index of all merchants, or a segment of changed ones. */
export type BuildTask = { packed: PackedRows; absent: readonly AbsentMerchant[] | null }

/** Builds an index, a large one in a thread of its own, so that searches continue and its memory is released. */
export async function buildInThread(packed: PackedRows, absent: readonly AbsentMerchant[]): Promise<Columns> {
  return packed.starts.length < minIndexRows ? buildIndex(packed, absent) : runThread({ packed, absent })
}

/** Builds a segment, a large one in a thread. */
export async function buildSegmentInThread(packed: PackedRows): Promise<Columns> {
  return packed.starts.length < minSegmentRows
    ? buildSegment(packed, { withSuggestions: false })
    : runThread({ packed, absent: null })
}

async function runThread(task: BuildTask): Promise<Columns> {
  const { bytes, starts } = task.packed
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), {
    execArgv: [],
    workerData: task,
    transferList: [bytes.buffer, starts.buffer] as ArrayBuffer[],
  })
  const [columns] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => Promise.reject(new Error('the thread that builds the index ended'))),
  ])
  void worker.terminate()
  return columns
}

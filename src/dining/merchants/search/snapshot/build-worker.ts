import { parentPort, workerData } from 'node:worker_threads'
import { buildIndex } from '../build-index.ts'
import { buildSegment } from '../segment/build-segment.ts'
import type { BuildTask } from './build-in-thread.ts'

// The thread of build-in-thread.ts.
const { packed, absent }: BuildTask = workerData
const columns = absent ? buildIndex(packed, absent) : buildSegment(packed, { withSuggestions: false })
parentPort?.postMessage(columns, [...new Set(Object.values(columns).map(({ buffer }) => buffer))] as ArrayBuffer[])

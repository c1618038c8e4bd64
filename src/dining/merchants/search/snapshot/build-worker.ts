import { parentPort, workerData } from 'node:worker_threads'
import { buildIndex } from '../build-index.ts'

// The thread of build-in-thread.ts.
const columns = buildIndex(workerData.packed, workerData.absent)
parentPort?.postMessage(columns, [...new Set(Object.values(columns).map(({ buffer }) => buffer))] as ArrayBuffer[])

import { createHash } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../time.ts'

/** Too many images are queued. */
export class DrawingBusy extends Error {}

interface Job {
  svg: string
  width: number
  resolve: (png: Uint8Array) => void
  reject: (error: Error) => void
}

const maxWaiting = 16
const maxCachedBytes = 8 * 1024 * 1024
const timeoutMs = 10 * SECOND

const waiting: Job[] = []
const drawing = new Map<string, Promise<Uint8Array>>()
const cached = new Map<string, Uint8Array>()
let cachedBytes = 0
let worker: Worker | null = null
let current: Job | null = null
let timeout: NodeJS.Timeout | undefined

/** Returns a content hash of the image: equal hashes mean equal images. */
export function pngVersion(svg: string, width: number): string {
  return createHash('sha256').update(`${width} ${svg}`).digest('base64url').slice(0, 22)
}

/**
 * Renders an SVG as a PNG `width` pixels wide, on a worker thread, one image at a time; recent images are cached. Fonts
 * are not available: text must be paths. Throws DrawingBusy when too many images are queued, and an error when the
 * renderer fails.
 */
export async function drawPng(svg: string, width: number): Promise<Uint8Array> {
  const key = pngVersion(svg, width)
  const known = cached.get(key)
  if (known) {
    cached.delete(key)
    cached.set(key, known)
    return known
  }
  let png = drawing.get(key)
  if (!png) {
    if (waiting.length >= maxWaiting) throw new DrawingBusy('too many images wait to be drawn')
    png = new Promise<Uint8Array>((resolve, reject) => waiting.push({ svg, width, resolve, reject }))
    drawing.set(key, png)
    // Callers handle the failure.
    png
      .then((drawn) => addToCache(key, drawn))
      .catch(() => {})
      .finally(() => drawing.delete(key))
    drawNext()
  }
  return png
}

function addToCache(key: string, png: Uint8Array): void {
  cached.set(key, png)
  cachedBytes += png.length
  for (const [oldest, { length }] of cached) {
    if (cachedBytes <= maxCachedBytes) return
    cached.delete(oldest)
    cachedBytes -= length
  }
}

function drawNext(): void {
  if (current) return
  const job = waiting.shift()
  if (!job) return
  current = job
  worker ??= startWorker()
  const thread = worker
  thread.ref()
  timeout = setTimeout(() => failed(thread, new Error('drawing took too long')), timeoutMs)
  thread.postMessage({ svg: job.svg, width: job.width })
}

/** Ends the current job and returns it. */
function endJob(): Job | null {
  clearTimeout(timeout)
  const job = current
  current = null
  return job
}

function startWorker(): Worker {
  const thread = new Worker(new URL('./draw-png-worker.ts', import.meta.url), { execArgv: [] })
  thread.on('message', (png: Uint8Array) => {
    // A message that the thread posted before termination can arrive while the next job is running.
    if (worker !== thread) return
    const job = endJob()
    // An idle thread must not prevent the process from exiting.
    thread.unref()
    job?.resolve(png)
    drawNext()
  })
  thread.on('error', (error) => failed(thread, error))
  thread.on('exit', () => failed(thread, new Error('the drawing thread ended')))
  return thread
}

function failed(thread: Worker, error: unknown): void {
  if (worker !== thread) return
  worker = null
  void thread.terminate()
  endJob()?.reject(error as Error)
  drawNext()
}

import { LRUCache } from 'lru-cache'
import { EncodedBody } from '../../platform/http/encoded-body.ts'
import { MINUTE } from '../../platform/time.ts'

/** Result of a render: whether it may be cached depends on its status and completeness. */
export interface RenderedPage {
  html: string
  status: number
  /** The CSP source that allows the inline style; empty when it has none. */
  style: string
  /** Value of the Link header; empty without one. */
  links: string
  /** False when a call of the page failed. */
  isComplete: boolean
}

/** A page as it is sent to any visitor. */
export interface SharedPage extends Pick<RenderedPage, 'style' | 'links'> {
  body: EncodedBody
}

/** Lifetime of a page: it shows current opening hours and the earn rates of the day. */
const ttlMs = MINUTE
const maxPages = 1_000
const maxBytes = 96 * 1024 * 1024
const maxKeyLength = 400

interface Flight {
  key: string
  result: Promise<unknown>
  waiting: number
  controller: AbortController
}

/**
 * Creates a bounded cache of pages that may be sent to any visitor, with least-recently-used eviction. Its pages are
 * stored as the bytes that are sent, in every coding that was requested.
 */
export function createPageCache(now: () => number = Date.now) {
  const pages = new LRUCache<string, SharedPage>({
    max: maxPages,
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => Math.max(1, body.maxBytes),
    // The library keeps a value for a millisecond longer than its `ttl`.
    ttl: ttlMs - 1,
    ttlResolution: 0,
    perf: { now },
  })
  const flights = new Map<string, Flight>()

  function start<T>(key: string, render: (signal: AbortSignal) => Promise<T>): Flight {
    const controller = new AbortController()
    const result = render(controller.signal).finally(() => end(flight))
    const flight: Flight = { key, result, waiting: 0, controller }
    flights.set(key, flight)
    return flight
  }

  function end(flight: Flight): void {
    if (flights.get(flight.key) === flight) flights.delete(flight.key)
  }

  return {
    find: (key: string): SharedPage | undefined => pages.get(key),
    /** Returns the bytes of a page, and caches them when the page is complete. */
    set(key: string, { html, status, style, links, isComplete }: RenderedPage): SharedPage {
      const known = pages.get(key)
      if (known) return known
      const page = { body: new EncodedBody(html), style, links }
      if (status === 200 && isComplete && key.length <= maxKeyLength) pages.set(key, page)
      return page
    },
    /**
     * Runs `render` once for concurrent requests of the same key. Its signal aborts when all of them have
     * disconnected. Rejects with the reason of `signal` when this one has.
     */
    async share<T>(key: string, signal: AbortSignal, render: (signal: AbortSignal) => Promise<T>): Promise<T> {
      signal.throwIfAborted()
      const flight = flights.get(key) ?? start(key, render)
      flight.waiting++
      const { promise: left, reject } = Promise.withResolvers<never>()
      const leave = () => {
        flight.waiting--
        if (flight.waiting === 0) {
          end(flight)
          flight.controller.abort(signal.reason)
        }
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave)
      try {
        return await Promise.race([flight.result as Promise<T>, left])
      } finally {
        signal.removeEventListener('abort', leave)
      }
    },
    get size() {
      return pages.size
    },
  }
}

export type PageCache = ReturnType<typeof createPageCache>

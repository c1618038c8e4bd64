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
  /** The network that waits for the turn. */
  network: string
  result: Promise<unknown>
  resolve: (page: unknown) => void
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
  /** The renders of a page that wait or run, by network. */
  const flights = new Map<string, Map<string, Flight>>()

  function start<T>(key: string, network: string, render: (signal: AbortSignal) => Promise<T>): Flight {
    const controller = new AbortController()
    const { promise: result, resolve, reject } = Promise.withResolvers<unknown>()
    const flight: Flight = { key, network, result, resolve, waiting: 0, controller }
    const of = flights.get(key) ?? new Map<string, Flight>()
    flights.set(key, of.set(network, flight))
    render(controller.signal).then(
      (page) => {
        // Others wait for the same page: it is theirs too, and their turns are no longer needed.
        for (const each of of.values()) {
          end(each)
          each.resolve(page)
          if (each !== flight) each.controller.abort(new Error('another network was first'))
        }
        resolve(page)
      },
      (error) => {
        end(flight)
        // A network whose page could not be rendered waits for those that have a turn.
        const [other] = of.values()
        if (other && !controller.signal.aborted) other.result.then(resolve, () => reject(error))
        else reject(error)
      },
    )
    // Whoever waits handles it; nobody may be left.
    result.catch(() => {})
    return flight
  }

  function end({ key, network, ...flight }: Flight): void {
    const of = flights.get(key)
    if (of?.get(network)?.controller !== flight.controller) return
    of.delete(network)
    if (of.size === 0) flights.delete(key)
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
     * Runs `render` once for concurrent requests of a network for the same key. Networks wait for their own turns, so
     * that nobody waits behind what another network has asked for; the first page is that of all. The signal of `render`
     * aborts then, and when all requests of its network have disconnected. Rejects with the reason of `signal` when this
     * request has.
     */
    async share<T>(
      key: string,
      { signal, network }: { signal: AbortSignal; network: string },
      render: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      signal.throwIfAborted()
      const flight = flights.get(key)?.get(network) ?? start(key, network, render)
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

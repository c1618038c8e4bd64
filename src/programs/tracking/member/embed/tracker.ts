import { SECOND } from '../../../../platform/time.ts'
import { type Impression, postImpressions } from '../../contract.ts'
import { maxEventsPerRequest } from '../../rules.ts'
import { mayTrack } from './privacy.ts'

export type TrackedEvent = Pick<Impression, 'eventName' | 'memberId' | 'merchantId'> & { url?: string }

const pause = 2 * SECOND
const maxWaiting = 4 * maxEventsPerRequest

interface Target {
  apiBase: string
  partnerCode: string
}

/** Collects events and sends them in batches; errors never reach the visitor. */
class Tracker {
  #waiting: Impression[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #target: Target | null = null

  /** Starts sending, including events recorded earlier. Returns a function that stops it. */
  start(target: Target): () => void {
    this.#target = target
    const leave = () => document.visibilityState === 'hidden' && this.#leave()
    const go = () => this.#leave()
    document.addEventListener('visibilitychange', leave)
    window.addEventListener('pagehide', go)
    return () => {
      document.removeEventListener('visibilitychange', leave)
      window.removeEventListener('pagehide', go)
      this.#leave()
      // A later start names its own; until then nothing is sent.
      if (this.#target === target) this.#target = null
    }
  }

  track({ url = window.location.pathname, ...event }: TrackedEvent): void {
    if (!mayTrack()) return
    // Where nothing is sent, as during an impersonation, events are dropped rather than collected without end.
    if (this.#waiting.length >= maxWaiting) this.#waiting.shift()
    this.#waiting.push({
      ...event,
      url: url.slice(0, 300),
      channel: 'web',
      dateTime: new Date().toISOString(),
      userAgent: navigator.userAgent.slice(0, 200),
    })
    if (this.#waiting.length >= maxEventsPerRequest) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), pause)
  }

  #take(): string | null {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length === 0 || !this.#target) return null
    return JSON.stringify(this.#waiting.splice(0, maxEventsPerRequest))
  }

  #send(): void {
    const body = this.#take()
    if (body === null || !this.#target) return
    const { apiBase, partnerCode } = this.#target
    const headers = { 'content-type': 'application/json', 'x-partner-code': partnerCode }
    const options = {
      method: postImpressions.method,
      headers,
      body,
      credentials: 'same-origin',
      keepalive: true,
    } as const
    fetch(apiBase + postImpressions.path, options).catch(() => {})
    if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#send(), pause)
  }

  // A closing page cannot wait for a response.
  #leave(): void {
    for (let body = this.#take(); body !== null && this.#target; body = this.#take()) {
      navigator.sendBeacon(this.#target.apiBase + postImpressions.path, new Blob([body], { type: 'application/json' }))
    }
  }
}

const tracker = new Tracker()

export const startTracking = (target: Target) => tracker.start(target)
export const track = (event: TrackedEvent) => tracker.track(event)

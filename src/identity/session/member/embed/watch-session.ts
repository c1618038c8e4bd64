import { sessionTimers } from '../../rules.ts'

interface SessionWatch {
  /** Returns the end of the session (milliseconds since 1970), which each response can move; null when there is none. */
  readEnd: () => number | null
  warn: () => void
  leave: () => void
}

/**
 * Warns before the session ends, once for each end, and leaves when it has ended. Other requests and other tabs move the
 * end: it is read again whenever a timer fires. Returns a function that stops.
 */
export function watchSession({ readEnd, warn, leave }: SessionWatch): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let warnedFor: number | undefined
  const follow = () => {
    const end = readEnd() ?? 0
    const timers = sessionTimers(end, Date.now())
    if (timers) {
      if (timers.warnIn === 0 && warnedFor !== end) {
        warnedFor = end
        warn()
      }
      timer = setTimeout(follow, timers.warnIn || timers.endIn)
      // A page without a session at its beginning is not left.
    } else if (timer && end <= Date.now()) leave()
  }
  follow()
  return () => clearTimeout(timer)
}

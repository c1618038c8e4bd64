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
  let warnedFor: number | null = null
  const follow = (isFirst: boolean) => {
    const end = readEnd()
    const timers = end === null ? null : sessionTimers(end, Date.now())
    if (!timers) {
      const isOver = end === null || end <= Date.now()
      if (isOver && !isFirst) leave()
      return
    }
    if (timers.warnIn === 0 && warnedFor !== end) {
      warnedFor = end
      warn()
    }
    timer = setTimeout(() => follow(false), timers.warnIn || timers.endIn)
  }
  follow(true)
  return () => clearTimeout(timer)
}

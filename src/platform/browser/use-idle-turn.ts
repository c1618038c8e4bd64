import { useEffect, useState } from 'react'

// Safari does not support requestIdleCallback yet.
export function requestIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}

/** Ends when what had the last turn has been rendered, and the browser was idle. */
let last = Promise.resolve()

/**
 * Returns whether a component that was not ready when it appeared may render large content: one component after another,
 * each when the browser is idle, so that the page responds in between.
 */
export function useIdleTurn(isReady: boolean): boolean {
  const [hasTurn, setTurn] = useState(isReady)
  useEffect(() => {
    if (!isReady) return
    let isGone = false
    last = last.then(() => new Promise<void>(requestIdle)).then(() => void (isGone || setTurn(true)))
    return () => {
      isGone = true
    }
  }, [isReady])
  return hasTurn
}

import { useEffect, useState } from 'react'

// Safari does not support requestIdleCallback yet.
export function requestIdle(work: () => void): void {
  if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 1000 })
  else setTimeout(work, 200)
}

/** Ends when what had the last turn has been rendered, and the browser was idle. */
let last = Promise.resolve()

/**
 * Returns how many of its turns a component had that was not ready when it appeared, and all of them otherwise. Large
 * content is rendered in parts, one per turn, one component after another, each when the browser is idle, so that the
 * page responds in between.
 */
export function useIdleTurns(isReady: boolean, turns: number): number {
  const [had, setHad] = useState(isReady ? turns : 0)
  useEffect(() => {
    if (!isReady) return
    let isGone = false
    for (let turn = 1; turn <= turns; turn++) {
      const take = () => void (isGone || setHad((before) => Math.max(before, turn)))
      last = last.then(() => new Promise<void>(requestIdle)).then(take)
    }
    return () => {
      isGone = true
    }
  }, [isReady, turns])
  return had
}

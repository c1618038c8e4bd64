import { useEffect, useState } from 'react'
import type { Point } from '../../contract.ts'
import { explicitPositionOptions, positionRefreshMs, requestPosition } from './position.ts'

export type Position = { state: 'asking' } | { state: 'denied' } | { state: 'granted'; point: Point }

/**
 * Returns the device's position while it is wanted. Refreshed every five minutes while the page is visible; a later
 * failure leaves the last position.
 */
export function usePosition(wanted: boolean): Position {
  const [position, setPosition] = useState<Position>({ state: 'asking' })
  useEffect(() => {
    if (!wanted) return
    let left = false
    const found = (point: Point) => {
      if (left) return
      // An unchanged point stays the same object, so that it triggers no new search.
      setPosition((before) =>
        before.state === 'granted' && same(before.point, point) ? before : { state: 'granted', point },
      )
    }
    const failed = () => {
      if (!left) setPosition((before) => (before.state === 'granted' ? before : { state: 'denied' }))
    }
    const refresh = () => void requestPosition(explicitPositionOptions).then(found, failed)
    refresh()
    const timer = setInterval(() => document.visibilityState === 'visible' && refresh(), positionRefreshMs)
    return () => {
      left = true
      clearInterval(timer)
    }
  }, [wanted])
  return position
}

function same(a: Point, b: Point): boolean {
  return a.latitude === b.latitude && a.longitude === b.longitude
}

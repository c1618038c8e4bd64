import { useEffect, useState } from 'react'
import type { Point } from '../../contract.ts'
import { askAgainEvery, askPosition, chosenPosition } from './position.ts'

export type Position = { state: 'asking' } | { state: 'denied' } | { state: 'granted'; point: Point }

/**
 * Where this device is, for as long as somebody asks for what is near it. Asked again every five minutes while the
 * page can be seen; a later failure leaves what was known.
 */
export function usePosition(wanted: boolean): Position {
  const [position, setPosition] = useState<Position>({ state: 'asking' })
  useEffect(() => {
    if (!wanted) return
    let left = false
    const found = (point: Point) => {
      if (left) return
      // The same point again is no news, and no new search.
      setPosition((before) =>
        before.state === 'granted' && same(before.point, point) ? before : { state: 'granted', point },
      )
    }
    const failed = () => {
      if (!left) setPosition((before) => (before.state === 'granted' ? before : { state: 'denied' }))
    }
    const look = () => void askPosition(chosenPosition).then(found, failed)
    look()
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), askAgainEvery)
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

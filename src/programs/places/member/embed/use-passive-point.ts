import { useEffect, useState } from 'react'
import type { Point } from '../../contract.ts'
import { getPassivePoint } from './position.ts'

/** Returns the position of a visitor who has already granted permission: undefined while pending, null otherwise. */
export function usePassivePoint(wanted: boolean): Point | null | undefined {
  const [point, setPoint] = useState<Point | null | undefined>(undefined)
  useEffect(() => {
    if (!wanted) return
    let left = false
    void getPassivePoint().then((found) => left || setPoint(found))
    return () => {
      left = true
    }
  }, [wanted])
  return wanted ? point : null
}

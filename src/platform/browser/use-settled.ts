import { useEffect, useState } from 'react'

/** Returns the value once it has not changed for `pause` milliseconds (debounce). */
export function useSettled(value: string, pause: number): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}

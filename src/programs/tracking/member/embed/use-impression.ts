import { type RefObject, useEffect, useRef } from 'react'
import { impressionDelay, impressionThreshold, isInView } from '../../rules.ts'

/** Calls back once when 80 % of an element have been visible for a moment (`impressionDelay`). */
export function useImpression<E extends Element>(onSeen: () => void): RefObject<E | null> {
  const element = useRef<E>(null)
  const callback = useRef(onSeen)
  useEffect(() => {
    callback.current = onSeen
  })
  useEffect(() => {
    const seen = element.current
    if (!seen) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      (entries) => {
        clearTimeout(timer)
        if (!isInView(entries)) return
        timer = setTimeout(() => {
          observer.disconnect()
          callback.current()
        }, impressionDelay)
      },
      { threshold: impressionThreshold },
    )
    observer.observe(seen)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return element
}

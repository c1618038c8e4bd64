import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of where a list starts. It gets the focus when the list shows another page: the links to other pages
 * are below the list.
 */
export function useFocusOnPage<E extends HTMLElement>(pageNo: number): RefObject<E | null> {
  const start = useRef<E>(null)
  const shown = useRef(pageNo)
  useEffect(() => {
    // A page that is not at its top has been scrolled to where the visitor left it: Back and Forward.
    if (shown.current !== pageNo) start.current?.focus({ preventScroll: window.scrollY > 0 })
    shown.current = pageNo
  }, [pageNo])
  return start
}

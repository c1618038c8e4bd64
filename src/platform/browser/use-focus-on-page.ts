import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns the ref of where a list starts. It gets the focus when the list shows another page: the links to other pages
 * are below the list. Another `list`, such as another filter, starts at its first page without it.
 */
export function useFocusOnPage<E extends HTMLElement>(pageNo: number, list: string): RefObject<E | null> {
  const start = useRef<E>(null)
  const shown = useRef({ pageNo, list })
  useEffect(() => {
    // A page that is not at its top has been scrolled to where the visitor left it: Back and Forward.
    const isOtherPage = shown.current.pageNo !== pageNo && shown.current.list === list
    if (isOtherPage) start.current?.focus({ preventScroll: window.scrollY > 0 })
    shown.current = { pageNo, list }
  }, [pageNo, list])
  return start
}

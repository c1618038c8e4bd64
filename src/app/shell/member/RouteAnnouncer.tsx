import { useEffect, useRef, useState } from 'react'

/**
 * After a navigation, moves the focus to the new page and announces its title, as when a document is loaded. `section`
 * identifies the page for focus purposes; the browser itself handles the first page.
 */
export function RouteAnnouncer({ section, pathname }: { section: string; pathname: string }) {
  const [title, setTitle] = useState('')
  const shown = useRef({ section, pathname })
  useEffect(() => {
    if (shown.current.pathname === pathname) return
    // A tab of the account is announced, and the focus stays on it.
    if (shown.current.section !== section) document.getElementById('main')?.focus({ preventScroll: true })
    shown.current = { section, pathname }
    // The page's title is set in the same turn as this effect runs.
    const timer = setTimeout(() => setTitle(document.title), 100)
    return () => clearTimeout(timer)
  }, [section, pathname])
  return (
    <p className="visually-hidden" role="status">
      {title}
    </p>
  )
}

import { useEffect, useRef } from 'react'
import { Link } from '../platform/browser/router/Link.tsx'
import { useLocation } from '../platform/browser/router/RouterProvider.tsx'
import styles from './NavTabs.module.css'

export function NavTabs({ label, items }: { label: string; items: readonly { href: string; text: string }[] }) {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  // On a phone the row scrolls: the current tab is centered.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab depends on the path
  useEffect(() => {
    const here = row.current?.querySelector<HTMLElement>('[aria-current]')
    if (row.current && here) row.current.scrollLeft = here.offsetLeft - (row.current.clientWidth - here.offsetWidth) / 2
  }, [pathname])
  return (
    <nav ref={row} aria-label={label} className={styles.tabs}>
      <ul>
        {items.map(({ href, text }) => (
          <li key={href}>
            <Link to={href} aria-current={href === pathname ? 'page' : undefined}>
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

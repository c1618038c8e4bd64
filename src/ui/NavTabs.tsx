import { NavLink } from 'react-router'
import styles from './NavTabs.module.css'

export function NavTabs({ label, items }: { label: string; items: readonly { href: string; text: string }[] }) {
  return (
    <nav aria-label={label} className={styles.tabs}>
      <ul>
        {items.map(({ href, text }) => (
          <li key={href}>
            <NavLink to={href}>{text}</NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

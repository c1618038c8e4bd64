import type { ReactNode } from 'react'
import styles from './EmptyState.module.css'

interface Props {
  level: 1 | 2 | 3 | 4
  title: string
  tagline: string
  action?: ReactNode
}

/** Shown in place of missing content: the reason and the next step. */
export function EmptyState({ level, title, tagline, action }: Props) {
  const Heading = `h${level}` as const
  return (
    <div className={styles.empty} data-page={level === 1 || undefined}>
      <svg viewBox="0 0 120 80" aria-hidden="true" className={styles.drawing}>
        <ellipse cx="60" cy="52" rx="52" ry="16" />
        <ellipse cx="60" cy="49" rx="32" ry="9" />
        <path d="M14 8v20a6 6 0 0012 0V8M20 8v52M104 60V8c-9 4-11 14-11 26h11" />
      </svg>
      <Heading>{title}</Heading>
      {tagline && <p>{tagline}</p>}
      {action && <p className={styles.action}>{action}</p>}
    </div>
  )
}

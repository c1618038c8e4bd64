import type { ReactNode } from 'react'
import styles from './FormBanner.module.css'

interface Props {
  type: 'error' | 'success' | 'warning'
  title: string
  message?: string
  list?: readonly string[]
  /** What helps: a link. */
  children?: ReactNode
}

/** What a form has to say as a whole. */
export function FormBanner({ type, title, message, list, children }: Props) {
  return (
    <div className={styles.banner} data-type={type} role={type === 'error' ? 'alert' : 'status'}>
      <strong>{title}</strong>
      {message && <p>{message}</p>}
      {list && (
        <ul>
          {list.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      )}
      {children && <p>{children}</p>}
    </div>
  )
}

import type { ReactNode } from 'react'
import styles from './FormBanner.module.css'

interface Props {
  type: 'error' | 'success' | 'warning'
  title: string
  message?: string
  /** What is wrong, one by one; with the id of its control an item is a link to it. */
  list?: readonly { text: string; control?: string | undefined }[]
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
          {list.map(({ text, control }) => (
            <li key={`${control} ${text}`}>{control ? <ControlLink id={control} text={text} /> : text}</li>
          ))}
        </ul>
      )}
      {children && <p>{children}</p>}
    </div>
  )
}

function ControlLink({ id, text }: { id: string; text: string }) {
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(id)?.focus()
      }}
    >
      {text}
    </a>
  )
}

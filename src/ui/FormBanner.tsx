import type { ReactNode } from 'react'
import { focusShown } from '../platform/browser/focus-shown.ts'
import styles from './FormBanner.module.css'

interface Props {
  type: 'error' | 'success' | 'warning'
  title: string
  message?: string
  /** The individual errors; an item with a control id links to that control. */
  list?: readonly { text: string; control?: string | undefined }[]
  /** Help: a link. */
  children?: ReactNode
}

/** A message about the whole form. */
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
        focusShown(document.getElementById(id))
      }}
    >
      {text}
    </a>
  )
}

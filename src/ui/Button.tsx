import type { ComponentProps } from 'react'
import styles from './Button.module.css'

interface Props extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Text shown while work is in progress; further presses are ignored. */
  busy?: string | false
}

export function Button({ variant = 'primary', busy, children, className, ...props }: Props) {
  const isBusy = busy !== undefined && busy !== false
  return (
    <button
      {...props}
      className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      aria-disabled={isBusy || props['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : props.onClick}
    >
      {!isBusy && children}
      {/* On the page before its text: a live region that is added with its text is not announced. */}
      {busy !== undefined && (
        <span role="status" className={styles.status}>
          {busy}
        </span>
      )}
    </button>
  )
}

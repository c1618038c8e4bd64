import type { ComponentProps } from 'react'
import styles from './Button.module.css'

interface Props extends ComponentProps<'button'> {
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  /** Text shown while work is in progress; further presses are ignored. */
  busy?: string | false
}

export function Button({ variant = 'primary', busy = false, children, className, ...props }: Props) {
  return (
    <button
      {...props}
      className={[styles.button, styles[variant], className].filter(Boolean).join(' ')}
      aria-disabled={busy !== false || props['aria-disabled']}
      onClick={busy === false ? props.onClick : (event) => event.preventDefault()}
    >
      {busy === false ? children : <span role="status">{busy}</span>}
    </button>
  )
}

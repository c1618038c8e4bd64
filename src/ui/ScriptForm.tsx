import type { ComponentProps, MouseEvent } from 'react'
import { useInBrowser } from '../kit/web/in-browser.ts'
import styles from './ScriptForm.module.css'

/**
 * A form that a script sends. Until the script is there nothing can be typed or sent: the browser by itself would
 * put what was typed into the address.
 */
export function ScriptForm({ children, ...form }: ComponentProps<'form'>) {
  const ready = useInBrowser()
  return (
    <form method="post" noValidate onMouseDown={keepFieldFocused} {...form}>
      <fieldset disabled={!ready} className={styles.fields}>
        {children}
      </fieldset>
    </form>
  )
}

// A field that is left shows or loses an error: the button would move away between press and release, and the click
// would be lost. The submit checks every field anyway.
function keepFieldFocused(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button[type=submit]')) event.preventDefault()
}

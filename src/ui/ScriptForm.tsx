import type { ComponentProps, MouseEvent } from 'react'
import { useHydrated } from '../platform/browser/use-hydrated.ts'
import styles from './ScriptForm.module.css'

/**
 * A form submitted by a script. It is disabled until hydration, because a native submit could put the input into the
 * URL.
 */
export function ScriptForm({ children, ...form }: ComponentProps<'form'>) {
  const ready = useHydrated()
  return (
    <form method="post" noValidate onMouseDown={retainFieldFocus} {...form}>
      <fieldset disabled={!ready} className={styles.fields}>
        {children}
      </fieldset>
    </form>
  )
}

// Leaving a field shows or hides its error: the button would move between press and release, and the click would be
// lost. Submitting validates every field anyway.
function retainFieldFocus(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('button[type=submit]')) event.preventDefault()
}

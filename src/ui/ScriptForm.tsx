import type { ComponentProps, MouseEvent } from 'react'
import { useHydrated } from '../platform/browser/use-hydrated.ts'
import styles from './ScriptForm.module.css'

interface Props extends ComponentProps<'form'> {
  /** The server accepts this form from browsers without script: they check it, and post it to the page's address. */
  native?: boolean | undefined
}

/**
 * A form submitted by a script. Until hydration, a native form is the browser's; any other is disabled, because nothing
 * would accept it.
 */
export function ScriptForm({ native = false, children, ...form }: Props) {
  const ready = useHydrated()
  return (
    <form method="post" noValidate={ready || !native} onMouseDown={retainFieldFocus} {...form}>
      <fieldset disabled={!ready && !native} className={styles.fields}>
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

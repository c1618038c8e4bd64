import type { ComponentProps } from 'react'
import { useInBrowser } from '../kit/web/in-browser.ts'
import styles from './ScriptForm.module.css'

/**
 * A form that a script sends. Until the script is there nothing can be typed or sent: the browser by itself would
 * put what was typed into the address.
 */
export function ScriptForm({ children, ...form }: ComponentProps<'form'>) {
  const ready = useInBrowser()
  return (
    <form method="post" noValidate {...form}>
      <fieldset disabled={!ready} className={styles.fields}>
        {children}
      </fieldset>
    </form>
  )
}

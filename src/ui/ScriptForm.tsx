import { type ComponentProps, useSyncExternalStore } from 'react'
import styles from './ScriptForm.module.css'

const never = () => () => {}

/**
 * A form that a script sends. Until the script is there nothing can be typed or sent: the browser by itself would
 * put what was typed into the address.
 */
export function ScriptForm({ children, ...form }: ComponentProps<'form'>) {
  const ready = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <form method="post" noValidate {...form}>
      <fieldset disabled={!ready} className={styles.fields}>
        {children}
      </fieldset>
    </form>
  )
}

import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { useHydrated } from '../platform/browser/use-hydrated.ts'
import field from './Field.module.css'
import { Field, type FieldTexts } from './Field.tsx'
import styles from './PasswordField.module.css'

interface LockTexts {
  caps: string
  num: string
  both: string
}

type Props = FieldTexts &
  Omit<ComponentProps<'input'>, 'type'> & { showText: string; hideText: string; lockTexts: LockTexts }

/** A password field that can show its text and warns about lock keys. */
export function PasswordField({
  id,
  label,
  requiredText,
  hint,
  error,
  required,
  showText,
  hideText,
  lockTexts,
  ...input
}: Props) {
  const isScripted = useHydrated()
  const [shown, setShown] = useState(false)
  const [lock, setLock] = useState<keyof LockTexts | null>(null)
  const watch = (event: KeyboardEvent) => setLock(lockOf(event))
  return (
    <Field id={id} label={label} required={required} requiredText={requiredText} hint={hint} error={error}>
      {(ids) => (
        <>
          <span className={styles.box}>
            <input
              {...input}
              {...ids}
              type={shown ? 'text' : 'password'}
              autoCapitalize="none"
              spellCheck={false}
              className={field.control}
              onKeyDown={watch}
              onKeyUp={watch}
            />
            <button
              type="button"
              disabled={!isScripted}
              className={styles.toggle}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              {shown ? hideText : showText}
            </button>
          </span>
          <span className={styles.lock} role="status">
            {lock && lockTexts[lock]}
          </span>
        </>
      )}
    </Field>
  )
}

function lockOf(event: KeyboardEvent): keyof LockTexts | null {
  const caps = event.getModifierState('CapsLock')
  const num = event.getModifierState('NumLock')
  if (caps && num) return 'both'
  if (caps) return 'caps'
  return num ? 'num' : null
}

import { type ComponentProps, useId } from 'react'
import { useHydrated } from '../platform/browser/use-hydrated.ts'
import styles from './CheckboxField.module.css'
import { FieldError, FieldLabel, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & Omit<ComponentProps<'input'>, 'type'>

export function CheckboxField({ id: given, label, requiredText, hint, error, required, ...input }: Props) {
  const own = useId()
  const id = given ?? own
  const isScripted = useHydrated()
  return (
    <div className={styles.field}>
      <label className={styles.row}>
        <input
          {...input}
          type="checkbox"
          id={id}
          required={(required && !isScripted) || undefined}
          aria-required={required || undefined}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
        />
        <span>
          <FieldLabel label={label} required={required} requiredText={requiredText} />
        </span>
      </label>
      {hint && <p>{hint}</p>}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

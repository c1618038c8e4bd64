import { type ComponentProps, useId } from 'react'
import styles from './CheckboxField.module.css'
import { FieldError, FieldLabel, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & Omit<ComponentProps<'input'>, 'type'>

export function CheckboxField({ label, requiredText, hint, error, required, ...input }: Props) {
  const id = useId()
  return (
    <div className={styles.field}>
      <label className={styles.row}>
        <input
          {...input}
          type="checkbox"
          id={id}
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

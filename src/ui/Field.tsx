import { type ReactNode, useId } from 'react'
import { useHydrated } from '../platform/browser/use-hydrated.ts'
import styles from './Field.module.css'

export interface FieldTexts {
  /** The id of the control, when others must know it. */
  id?: string | undefined
  label: string
  /** Read by screen readers after the label of a required field; an asterisk is shown. */
  requiredText?: string | undefined
  hint?: string | undefined
  error?: string | undefined
}

export interface FieldIds {
  id: string
  /** Only until hydration: then the form's script checks, and a field without a value is not invalid yet. */
  required: true | undefined
  'aria-required': true | undefined
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
  disabled?: true
}

interface Props extends FieldTexts {
  required?: boolean | undefined
  /** The control's value is a state of its script: what is chosen before hydration would be lost. */
  isControlled?: boolean
  children: (ids: FieldIds) => ReactNode
}

/** Label, hint and error of a control, linked by ARIA attributes. */
export function Field({ id: given, label, required, requiredText, hint, error, isControlled, children }: Props) {
  const own = useId()
  const id = given ?? own
  const isScripted = useHydrated()
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        <FieldLabel label={label} required={required} requiredText={requiredText} />
      </label>
      {hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {hint}
        </p>
      )}
      {children({
        id,
        required: (required && !isScripted) || undefined,
        'aria-required': required || undefined,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        ...(isControlled && !isScripted && { disabled: true }),
      })}
      <FieldError id={`${id}-error`} error={error} />
    </div>
  )
}

export function FieldLabel({
  label,
  required,
  requiredText,
}: Omit<Props, 'id' | 'children' | 'hint' | 'error' | 'isControlled'>) {
  return (
    <>
      {label}
      {required && (
        <>
          <span aria-hidden="true" className={styles.asterisk}>
            *
          </span>
          <span className="visually-hidden"> {requiredText}</span>
        </>
      )}
    </>
  )
}

/** Always rendered, so that screen readers announce a new error. */
export function FieldError({ id, error }: { id: string; error: string | undefined }) {
  return (
    <p id={id} className={styles.error} aria-live="polite">
      {error}
    </p>
  )
}

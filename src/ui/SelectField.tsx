import type { ComponentProps } from 'react'
import field from './Field.module.css'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & ComponentProps<'select'>

export function SelectField({ id, label, requiredText, hint, error, required, children, ...select }: Props) {
  return (
    <Field
      id={id}
      label={label}
      required={required}
      requiredText={requiredText}
      hint={hint}
      error={error}
      isControlled={select.value !== undefined}
    >
      {(ids) => (
        <select {...select} {...ids} className={field.control}>
          {children}
        </select>
      )}
    </Field>
  )
}

import type { ComponentProps } from 'react'
import field from './Field.module.css'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & ComponentProps<'input'>

export function TextField({ id, label, requiredText, hint, error, required, ...input }: Props) {
  return (
    <Field
      id={id}
      label={label}
      required={required}
      requiredText={requiredText}
      hint={hint}
      error={error}
      isControlled={input.value !== undefined}
    >
      {(ids) => <input type="text" {...input} {...ids} className={field.control} />}
    </Field>
  )
}

import type { ComponentProps } from 'react'
import field from './Field.module.css'
import { Field, type FieldTexts } from './Field.tsx'

type Props = FieldTexts & ComponentProps<'input'>

export function TextField({ label, requiredText, hint, error, required, ...input }: Props) {
  return (
    <Field label={label} required={required} requiredText={requiredText} hint={hint} error={error}>
      {(ids) => (
        <input type="text" {...input} {...ids} aria-required={required || undefined} className={field.control} />
      )}
    </Field>
  )
}

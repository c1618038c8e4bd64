import { z } from 'zod'
import { Day } from './day.ts'
import { emailPattern, maxEmailLength, toAsciiEmail } from './email-address.ts'
import {
  type FormField,
  type FormFields,
  type FormInput,
  type FormOutput,
  minLength,
  type TextField,
  tooLong,
} from './form-fields.ts'
import { isLegible, toLegibleLine, toLegibleText } from './legible-text.ts'

type More = z.core.$ZodLooseShape
type Extended<F extends FormFields, S extends More> = z.ZodType<
  FormOutput<F> & z.output<z.ZodObject<S, z.core.$strip>>,
  FormInput<F> & z.input<z.ZodObject<S, z.core.$strip>>
>

/** Returns the schema of a request with the fields of a form, and more that nobody types. For the server. */
export function formSchema<F extends FormFields>(fields: F): z.ZodType<FormOutput<F>, FormInput<F>>
export function formSchema<F extends FormFields, S extends More>(fields: F, more: S): Extended<F, S>
export function formSchema(fields: FormFields, more?: More): z.ZodType {
  const shape = Object.entries(fields).map(([name, field]) => [name, withAbsence(field)])
  return z.strictObject({ ...Object.fromEntries(shape), ...more })
}

/**
 * A line of text that somebody types, or several: what is not legible is refused with `message`, and nothing is changed.
 */
export const typedLine = (message: string, { multiline = false } = {}) =>
  z
    .string()
    .trim()
    .refine((text) => isLegible(text, { multiline }), { error: message, abort: true })

/** A line of text that nobody typed, from a partner, a file or an address: it is cleaned, not refused. */
export const sentLine = () => z.string().overwrite(toLegibleLine)
/** An email address that nobody typed here. */
export const sentEmail = () =>
  z.string().overwrite(toAsciiEmail).max(maxEmailLength, { abort: true }).regex(emailPattern)
/** Such a text of several lines. */
export const sentText = () => z.string().overwrite(toLegibleText)

function withAbsence(field: FormField): z.ZodType {
  const schema = fieldSchema(field)
  if (field.absent === 'undefined') return schema.optional()
  return field.absent === 'empty' ? schema.default(field.type === 'text' ? '' : false) : schema
}

function fieldSchema(field: FormField): z.ZodType {
  switch (field.type) {
    case 'text':
      return textSchema(field)
    case 'day':
      return Day
    case 'flag':
      return z.boolean()
    case 'consent':
      return z.literal(true, field.missing)
  }
}

function textSchema({
  trim = true,
  max,
  pattern,
  format,
  problem,
  multiline = false,
  ...rules
}: TextField<FormField['absent']>) {
  let text = z.string()
  const min = minLength(rules)
  if (trim) text = typedLine('validation.characters', { multiline })
  if (min > 0) text = text.min(min, rules.missing)
  if (max !== null) text = text.max(max, tooLong(max, rules))
  if (pattern) text = text.regex(...pattern)
  if (problem) {
    text = text.superRefine((value, issues) => {
      const message = problem(value)
      if (message !== null) issues.addIssue({ code: 'custom', message })
    })
  }
  if (!format) return text
  const converted = format.convert ? text.transform(format.convert) : text
  return converted.pipe(z.string().regex(format.pattern, format.wrong))
}

import { zodResolver } from '@hookform/resolvers/zod'
import type { FocusEvent } from 'react'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldName,
  type FieldValues,
  type Path,
  type Resolver,
  type FieldError as RhfError,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import type { FieldError } from '../errors.ts'
import { ApiCallError } from './api.ts'

type Problems<S extends z.ZodType<FieldValues, FieldValues>> = (values: z.input<S>) => readonly FieldError[]

/**
 * A form based on a schema of a module's `forms.ts`. `problems` adds checks beyond the schema, such as the rules of one program; its
 * errors replace the schema's field by field. Validates on blur and, after the first submit, on change.
 */
export function useSchemaForm<S extends z.ZodType<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<z.input<S>>,
  problems: Problems<S> = () => [],
): UseFormReturn<z.input<S>, unknown, z.output<S>> {
  return useForm<z.input<S>, unknown, z.output<S>>({
    resolver: withProblems(zodResolver(schema), problems),
    defaultValues,
    mode: 'onBlur',
    reValidateMode: 'onChange',
    // `invalidFields` sorts by page order instead.
    shouldFocusError: false,
  })
}

function withProblems<V extends FieldValues, T>(
  check: Resolver<V, unknown, T>,
  problems: (values: V) => readonly FieldError[],
): Resolver<V, unknown, T> {
  return async (values, context, options) => {
    const checked = await check(values, context, options)
    const found = problems(values)
    if (found.length === 0) return checked
    const added = found.map(({ field, message }) => {
      const ref = options.fields[field as FieldName<V>]?.ref
      return [field, { type: 'program', message, ...(ref && { ref }) }] as const
    })
    return { values: {}, errors: { ...checked.errors, ...Object.fromEntries(added) } as FieldErrors<V> }
  }
}

/** One invalid field: its message from the schema or the server, and its control. */
export interface InvalidField {
  message: string
  control: HTMLElement | null
}

/** Returns the invalid fields of a form in page order. */
export function invalidFields(errors: readonly (RhfError | undefined)[]): InvalidField[] {
  return errors
    .flatMap((error) => error ?? [])
    .map(({ message = '', ref }) => ({ message, control: ref instanceof HTMLElement ? ref : null }))
    .sort(({ control: a }, { control: b }) => {
      if (!a || !b) return a ? -1 : 1
      return a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1
    })
}

/**
 * Sets the server's field errors on their fields. Returns the invalid fields in page order, or null for any other
 * error.
 */
export function showFieldErrors<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError' | 'getFieldState'>,
  error: unknown,
): InvalidField[] | null {
  if (!(error instanceof ApiCallError) || error.fields.length === 0) return null
  const names = error.fields.map(({ field, message }) => {
    form.setError(field as Path<V>, { type: 'server', message })
    return field as Path<V>
  })
  return invalidFields(names.map((name) => form.getFieldState(name).error))
}

/** Localizes a validation message: zod's messages are message keys, the server's are already localized. */
export function translateMessage(t: (key: string) => string, message: string | undefined): string | undefined {
  if (message === undefined) return undefined
  return /^[a-z]+\.[\w.]+(\|.*)?$/.test(message) ? t(message) : message
}

/** Returns form values with trimmed texts. */
export function trimTexts<V extends object>(values: V): V {
  const trimmed = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.trim() : value,
  ])
  return Object.fromEntries(trimmed) as V
}

interface BlurProps {
  onBlur: (event: FocusEvent<HTMLInputElement>) => unknown
}

/** Adds work on blur to a field's props, after the form's own validation. */
export function onBlurThen<P extends BlurProps>(props: P, work: (value: string) => unknown): P {
  return {
    ...props,
    async onBlur(event: FocusEvent<HTMLInputElement>) {
      const { value } = event.target
      await props.onBlur(event)
      await work(value)
    },
  }
}

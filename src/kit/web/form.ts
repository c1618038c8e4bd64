import { zodResolver } from '@hookform/resolvers/zod'
import type { FocusEvent } from 'react'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { ApiError } from './api.ts'

/** A form on a contract's schema: validates on blur, and once it was sent also while a field is being mended. */
export function useContractForm<S extends z.ZodType<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<z.input<S>>,
): UseFormReturn<z.input<S>, unknown, z.output<S>> {
  return useForm<z.input<S>, unknown, z.output<S>>({
    resolver: zodResolver(schema),
    defaultValues,
    mode: 'onBlur',
    reValidateMode: 'onChange',
    shouldFocusError: true,
  })
}

/** Puts the server's field errors on their fields and focuses the first; false when the error is another one. */
export function showFieldErrors<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError'>,
  error: unknown,
): boolean {
  if (!(error instanceof ApiError) || error.fields.length === 0) return false
  error.fields.forEach(({ field, message }, index) => {
    form.setError(field as Path<V>, { type: 'server', message }, { shouldFocus: index === 0 })
  })
  return true
}

/** Words a validation message: zod's are copy keys, the server's are worded already. */
export function wordMessage(word: (key: string) => string, message: string | undefined): string | undefined {
  if (message === undefined) return undefined
  return /^[a-z]+\.[\w.]+(\|.*)?$/.test(message) ? word(message) : message
}

interface Leaving {
  onBlur: (event: FocusEvent<HTMLInputElement>) => unknown
}

/** A field's props with something more to do when it is left, after the form's own look at it. */
export function whenLeft<P extends Leaving>(props: P, work: (value: string) => unknown): P {
  return {
    ...props,
    async onBlur(event: FocusEvent<HTMLInputElement>) {
      const { value } = event.target
      await props.onBlur(event)
      await work(value)
    },
  }
}

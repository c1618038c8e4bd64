import { useEffect, useState } from 'react'
import type {
  DefaultValues,
  FieldValues,
  Path,
  FieldError as RhfError,
  UseFormRegisterReturn,
  UseFormReturn,
} from 'react-hook-form'
import type { z } from 'zod'
import { type InvalidField, invalidFields, showFieldErrors, useSchemaForm } from '../../../../platform/browser/form.ts'
import type { SendWrite } from '../../../../platform/browser/write-api.ts'
import type { FieldError } from '../../../../platform/errors.ts'
import { useApiMutation } from './use-api-mutation.ts'
import { useFieldText } from './use-field-text.ts'

export interface MemberFormState {
  /** The error message of the whole form, or null. */
  failure: string | null
  /** The invalid fields of the last submit, in page order. */
  invalid: readonly InvalidField[]
  isSubmitting: boolean
}

interface Options<S extends z.ZodType<FieldValues, FieldValues>> {
  /** Returns errors beyond the schema: the rules of this program. */
  problems?: (values: z.input<S>) => readonly FieldError[]
  /** Message shown when fields are invalid; by default they are only listed, when there are several. */
  failedText?: string
}

type Work<V> = (values: V, send: SendWrite) => Promise<void>

interface Submission<V> {
  work: Work<V>
  values: V
  onFailed: ((error: unknown) => void) | undefined
}

interface MemberForm<S extends z.ZodType<FieldValues, FieldValues>> extends MemberFormState {
  form: UseFormReturn<z.input<S>, unknown, z.output<S>>
  /** Returns the props of a field: its registration and its localized error. */
  field: (name: Path<z.input<S>>) => UseFormRegisterReturn & { error: string | undefined }
  /**
   * Validates all fields, then runs the work as a mutation. An error of the work is shown in the form, which retains
   * the input.
   */
  submitting: (
    work: Work<z.output<S>>,
    onFailed?: (error: unknown) => void,
  ) => (event?: React.SyntheticEvent) => Promise<void>
  fail: (message: string | null) => void
}

/**
 * Form state of the member app: shows all field errors at once, at their fields and, when there are several, in a list
 * of links; the first invalid field receives the focus.
 */
export function useMemberForm<S extends z.ZodType<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<z.input<S>>,
  { problems, failedText }: Options<S> = {},
): MemberForm<S> {
  const form = useSchemaForm(schema, defaultValues, problems)
  const text = useFieldText()
  const [failure, setFailure] = useState<string | null>(null)
  const [invalid, setInvalid] = useState<readonly InvalidField[]>([])
  const { errors, isSubmitting } = form.formState

  // Focused after the error list has rendered above the field, which would otherwise push it out of view.
  useEffect(() => invalid[0]?.control?.focus(), [invalid])

  function show(found: readonly InvalidField[]): void {
    setInvalid(found)
    setFailure(failedText ?? null)
  }

  const { run } = useApiMutation(
    (send, { work, values }: Submission<z.output<S>>) => {
      setFailure(null)
      setInvalid([])
      return work(values, send)
    },
    {
      onFailure(message, error, { onFailed }) {
        onFailed?.(error)
        const found = showFieldErrors(form as never, error)
        if (found) show(found)
        else setFailure(message)
      },
    },
  )

  return {
    form,
    failure,
    invalid,
    isSubmitting,
    fail: setFailure,
    field: (name) => ({
      ...form.register(name),
      error: text(errors[name]?.message as string | undefined),
    }),
    submitting: (work, onFailed) =>
      form.handleSubmit(
        (values) => run({ work, values, onFailed }),
        (wrong) => {
          onFailed?.(null)
          show(invalidFields(Object.values(wrong) as RhfError[]))
        },
      ),
  }
}

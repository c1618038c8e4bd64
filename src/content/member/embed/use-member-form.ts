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
import type { FieldError } from '../../../kit/refusal.ts'
import { ApiError } from '../../../kit/web/api.ts'
import { type InvalidField, invalidFields, showFieldErrors, useContractForm } from '../../../kit/web/form.ts'
import { leftForSignIn } from '../../../kit/web/redirects.ts'
import { useFailureText } from './use-failure-text.ts'
import { useFieldText } from './use-field-text.ts'

export interface MemberFormState {
  /** What the whole form has to say; null when there is nothing. */
  failure: string | null
  /** The invalid fields of the last submit, in the order of the page. */
  invalid: readonly InvalidField[]
  isSubmitting: boolean
}

interface Options<S extends z.ZodType<FieldValues, FieldValues>> {
  /** What is wrong beyond the schema: the rules of this program. */
  problems?: (values: z.input<S>) => readonly FieldError[]
  /** What the form says when fields are wrong; by default it only lists them, when there are several. */
  failedText?: string
}

interface MemberForm<S extends z.ZodType<FieldValues, FieldValues>> extends MemberFormState {
  form: UseFormReturn<z.input<S>, unknown, z.output<S>>
  /** Props of a field: how it is registered, and its error in words. */
  field: (name: Path<z.input<S>>) => UseFormRegisterReturn & { error: string | undefined }
  /** Checks everything, then does the work. A failure of the work shows in the form, which keeps what was typed. */
  submitting: (
    work: (values: z.output<S>) => Promise<void>,
    onFailed?: (error: unknown) => void,
  ) => (event?: React.SyntheticEvent) => Promise<void>
  fail: (message: string | null) => void
}

/**
 * The one way of a form in the member app: every error of every field at once, in words at its field and, when there
 * are several, in a list of links; the first invalid field has the focus.
 */
export function useMemberForm<S extends z.ZodType<FieldValues, FieldValues>>(
  schema: S,
  defaultValues: DefaultValues<z.input<S>>,
  { problems, failedText }: Options<S> = {},
): MemberForm<S> {
  const form = useContractForm(schema, defaultValues, problems)
  const text = useFieldText()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string | null>(null)
  const [invalid, setInvalid] = useState<readonly InvalidField[]>([])
  const { errors, isSubmitting } = form.formState

  // Once the list of errors stands above the field: it would push the field out of view.
  useEffect(() => invalid[0]?.control?.focus(), [invalid])

  function show(found: readonly InvalidField[]): void {
    setInvalid(found)
    setFailure(failedText ?? null)
  }

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
        async (values) => {
          setFailure(null)
          setInvalid([])
          try {
            await work(values)
          } catch (error) {
            // Other calls answer 401 as well: a wrong password is one.
            if (error instanceof ApiError && error.code === 'unauthorized' && leftForSignIn(error)) return
            onFailed?.(error)
            const found = showFieldErrors(form as never, error)
            if (found) show(found)
            else setFailure(failureText(error))
          }
        },
        (wrong) => {
          onFailed?.(null)
          show(invalidFields(Object.values(wrong) as RhfError[]))
        },
      ),
  }
}

import { type SyntheticEvent, useEffect, useState } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { focusShown } from '../../../../platform/browser/focus-shown.ts'
import { type Form, type InvalidField, type RegisteredField, useForm } from '../../../../platform/browser/form.ts'
import { usePassedState } from '../../../../platform/browser/router/RouterProvider.tsx'
import type { SendWrite } from '../../../../platform/browser/write-api.ts'
import type { FieldError } from '../../../../platform/errors.ts'
import {
  type FormFields,
  type FormOutput,
  type FormValues,
  labelOf,
  readForm,
  withProblems,
} from '../../../../platform/form-fields.ts'
import type { FailedPost } from '../../../partners/page-post.ts'
import { isShown, useApiMutation } from './use-api-mutation.ts'
import { useFieldText } from './use-field-text.ts'

export interface MemberFormState {
  /** The error message of the whole form, or null. */
  failure: string | null
  /** The invalid fields of the last submit, in page order, with the copy key of their names. */
  invalid: readonly (InvalidField & { label: string | undefined })[]
  isSubmitting: boolean
  /** The name of its `PagePost`, when the server accepts the form without script. */
  post: string | undefined
}

interface Options<F extends FormFields> {
  /** The name of its `PagePost`. */
  post?: string
  /** Returns errors beyond the description of the fields: the rules of this program. They replace those of a field. */
  problems?: (values: FormOutput<F>) => readonly FieldError[]
  /** Message shown when fields are invalid; by default they are only listed, when there are several. */
  failedText?: string
}

type Work<V> = (values: V, send: SendWrite) => Promise<void>

interface Submission<V> {
  work: Work<V>
  values: V
  onFailed: ((error: unknown) => void) | undefined
}

export interface MemberForm<F extends FormFields> extends MemberFormState {
  form: Form<FormValues<F>, FormOutput<F>>
  /** Returns the props of a field: its registration and its localized error. */
  field: (name: keyof F & string) => RegisteredField & { error: string | undefined; id?: string; autoFocus?: boolean }
  /**
   * Validates all fields, then runs the work as a mutation. An error of the work is shown in the form, which retains
   * the input. Work that ends with a navigation awaits it, so that nothing is sent again before the next page is shown.
   */
  submitting: (
    work: Work<FormOutput<F>>,
    onFailed?: (error: unknown) => void,
  ) => (event: SyntheticEvent) => Promise<void>
  fail: (message: string | null) => void
  /** The error code of the form that was posted before this page; empty otherwise. */
  failedCode: string
}

/** Returns the form of this name that was posted before this page; undefined when it was not, or had no errors. */
function useFailedPost(post: string | undefined): FailedPost | undefined {
  const { failed } = usePassedState<{ failed: FailedPost }>()
  return failed?.post === post ? failed : undefined
}

/**
 * Form state of the member app: shows all field errors at once, at their fields and, when there are several, in a list
 * of links; the first invalid field receives the focus.
 */
export function useMemberForm<F extends FormFields>(
  fields: F,
  initialValues: FormValues<F>,
  { post, problems, failedText }: Options<F> = {},
): MemberForm<F> {
  const failed = useFailedPost(post)
  const [form, { errors, isSubmitting }] = useForm<FormValues<F>, FormOutput<F>>(
    (typed) => {
      const { values, errors } = readForm(fields, typed)
      return { values, errors: withProblems(errors, problems?.(values) ?? []) }
    },
    { ...initialValues, ...failed?.values },
    failed?.errors,
  )
  const text = useFieldText()
  const [failure, setFailure] = useState(failed ? (failed.failure ?? failedText ?? null) : null)
  const [invalid, setInvalid] = useState<readonly InvalidField[]>(() =>
    Object.entries(failed?.errors ?? {}).map(([name, message]) => ({
      name,
      message,
      control: null,
      id: `${post}-${name}`,
    })),
  )

  // Focused after the error list has rendered above the field, which would otherwise push it out of view.
  useEffect(() => focusShown(invalid[0]?.control), [invalid])

  function show(names: readonly string[]): void {
    setInvalid(form.invalidFields(names))
    setFailure(failedText ?? null)
  }

  const { run } = useApiMutation(
    (send, { work, values }: Submission<FormOutput<F>>) => {
      setFailure(null)
      setInvalid([])
      return work(values, send)
    },
    {
      onFailure(message, error, { onFailed }) {
        onFailed?.(error)
        const wrong = error instanceof ApiCallError ? error.fields : []
        if (isShown(error)) return
        if (wrong.length === 0) return setFailure(message)
        for (const { field, message } of wrong) form.setError(field as never, message)
        show(wrong.map(({ field }) => field))
      },
    },
  )

  return {
    form,
    failure,
    invalid: invalid.map((each) => ({ ...each, label: labelOf(fields[each.name]) })),
    isSubmitting,
    post,
    fail: setFailure,
    failedCode: failed?.code ?? '',
    field: (name) => ({
      ...form.register(name as never),
      error: text(errors[name]),
      ...(post && { id: `${post}-${name}` }),
      ...(failed && name === Object.keys(failed.errors)[0] && { autoFocus: true }),
    }),
    submitting: (work, onFailed) => (event) => {
      event.preventDefault()
      return form.submit(
        (values) => run({ work, values, onFailed }),
        (names) => {
          onFailed?.(null)
          show(names)
        },
      )
    },
  }
}

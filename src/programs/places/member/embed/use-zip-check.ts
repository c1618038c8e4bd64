import { useRef } from 'react'
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useApi } from '../../../../platform/browser/query.ts'
import { toZip5 } from '../../../../platform/zip-code.ts'
import { validateZip } from '../../contract.ts'

/** Checks on blur whether a ZIP code exists. Results are cached; a failed request is shown as an error. */
export function useZipCheck<V extends FieldValues, T extends FieldValues>(
  form: Pick<UseFormReturn<V, unknown, T>, 'getFieldState' | 'getValues' | 'setError'>,
  name: Path<V>,
): (value: string) => Promise<void> {
  const api = useApi()
  const checked = useRef(new Map<string, string | null>())
  return async (value) => {
    const zip = toZip5(value)
    if (zip === '' || form.getFieldState(name).error) return
    if (!checked.current.has(zip)) {
      const problem = await api.call(validateZip, { query: { zip } }).then(
        ({ isValid }) => (isValid ? null : 'validation.zip'),
        () => 'errors.general',
      )
      // A failed request is not cached, so that the next check sends it again.
      if (problem === 'errors.general') return showError(zip, problem)
      checked.current.set(zip, problem)
    }
    const problem = checked.current.get(zip)
    if (problem) showError(zip, problem)
  }

  // Ignored when the value has changed meanwhile.
  function showError(zip: string, message: string): void {
    if (toZip5(String(form.getValues(name))) === zip) form.setError(name, { type: 'server', message })
  }
}

import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { useApiFetch } from '../../../../platform/browser/query.ts'
import { toZip5 } from '../../../../platform/zip-code.ts'
import { validateZip } from '../../contract.ts'

/** Checks on blur whether a ZIP code exists. Results are cached; a failed request is shown as an error. */
export function useZipCheck<V extends FieldValues, T extends FieldValues>(
  form: Pick<UseFormReturn<V, unknown, T>, 'getFieldState' | 'getValues' | 'setError'>,
  name: Path<V>,
): (value: string) => Promise<void> {
  const fetchApi = useApiFetch()
  return async (value) => {
    const zip = toZip5(value)
    if (zip === '' || form.getFieldState(name).error) return
    // A failed request is not cached: the next check sends it again.
    const problem = await fetchApi(validateZip, { query: { zip } }, { staleTime: Number.POSITIVE_INFINITY }).then(
      ({ isValid }) => (isValid ? null : 'validation.zip'),
      () => 'errors.general',
    )
    if (problem) showError(zip, problem)
  }

  // Ignored when the value has changed meanwhile.
  function showError(zip: string, message: string): void {
    if (toZip5(String(form.getValues(name))) === zip) form.setError(name, { type: 'server', message })
  }
}

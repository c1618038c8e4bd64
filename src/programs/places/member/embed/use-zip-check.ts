import type { Form } from '../../../../platform/browser/form.ts'
import { useApiFetch } from '../../../../platform/browser/query.ts'
import { toZip5 } from '../../../../platform/zip-code.ts'
import { validateZip } from '../../contract.ts'

type ZipForm = Pick<Form<{ zipCode: string }>, 'getError' | 'getValue' | 'setError'>

/** Checks on blur whether a ZIP code exists. Results are cached; a failed request is shown as an error. */
export function useZipCheck(form: ZipForm): (value: string) => Promise<void> {
  const fetchApi = useApiFetch()
  return async (value) => {
    const zip = toZip5(value)
    if (zip === '' || form.getError('zipCode')) return
    // A failed request is not cached: the next check sends it again.
    const problem = await fetchApi(validateZip, { query: { zip } }, { staleTime: Number.POSITIVE_INFINITY }).then(
      ({ isValid }) => (isValid ? null : 'validation.zip'),
      () => 'errors.general',
    )
    // Ignored when the value has changed meanwhile.
    if (problem && toZip5(form.getValue('zipCode')) === zip) form.setError('zipCode', problem)
  }
}

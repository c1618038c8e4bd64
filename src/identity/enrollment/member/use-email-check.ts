import type { Form } from '../../../platform/browser/form.ts'
import { useApiFetch } from '../../../platform/browser/query.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { validateEmail } from '../contract.ts'

type EmailForm = Pick<Form<{ email: string }>, 'getError' | 'getValue' | 'setError'>

/**
 * Checks on blur whether an address can join. This is early feedback only: if the check fails, submitting the form
 * checks again.
 */
export function useEmailCheck(form: EmailForm) {
  const fetchApi = useApiFetch()
  const { config } = useProgram()
  return async (value: string) => {
    const email = value.trim()
    if (config.enrollmentType !== 'direct' || email === '' || form.getError('email')) return
    const isFree = await fetchApi(validateEmail, { query: { email } }).then(
      ({ isValid }) => isValid,
      () => true,
    )
    if (!isFree && form.getValue('email').trim() === email) form.setError('email', 'join.email_taken')
  }
}

import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { useApiFetch } from '../../../platform/browser/query.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { validateEmail } from '../contract.ts'
import type { JoinForm } from '../forms.ts'

/**
 * Checks on blur whether an address can join. This is early feedback only: if the check fails, submitting the form
 * checks again.
 */
export function useEmailCheck(form: UseFormReturn<z.input<typeof JoinForm>, unknown, JoinForm>) {
  const fetchApi = useApiFetch()
  const { config } = useProgram()
  return async (value: string) => {
    const email = value.trim()
    if (config.enrollmentType !== 'direct' || email === '' || form.getFieldState('email').error) return
    const isFree = await fetchApi(validateEmail, { query: { email } }).then(
      ({ isValid }) => isValid,
      () => true,
    )
    if (!isFree && form.getValues('email').trim() === email) {
      form.setError('email', { type: 'server', message: 'join.email_taken' })
    }
  }
}

import type { Form } from '../../../../platform/browser/form.ts'
import type { BodyOf } from '../../../../platform/call.ts'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { checkNewPassword } from '../../contract.ts'

type PasswordForm = Pick<Form<{ password: string }>, 'getError' | 'getValue' | 'setError'>
type PasswordOwner = Omit<BodyOf<typeof checkNewPassword>, 'password'>

/**
 * Checks on blur whether a new password is easy to guess, which only the server knows. This is early feedback only: if the
 * check fails, submitting the form checks again.
 */
export function usePasswordCheck(form: PasswordForm): (password: string, owner?: PasswordOwner) => void {
  const { run } = useApiMutation(checkNewPassword, {
    // An answer to a password that has changed meanwhile is ignored.
    onSuccess({ problem }, { body }) {
      if (problem !== null && form.getValue('password') === body.password) form.setError('password', problem)
    },
    staysOn401: true,
    queued: true,
  })
  return (password, owner = {}) => {
    if (password !== '' && !form.getError('password')) void run({ body: { password, ...owner } })
  }
}

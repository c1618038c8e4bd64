import type { FocusEvent } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { useApi } from '../../kit/web/query.ts'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { validateZip } from '../../places/contract.ts'
import { type JoinForm, validateEmail } from '../contract.ts'

type Form = UseFormReturn<z.input<typeof JoinForm>, unknown, JoinForm>

type Leaving = (event: FocusEvent<HTMLInputElement>) => unknown

/**
 * What only the server knows of a field, asked when the field is left: early news, and no more. When it cannot be had,
 * the form is checked again as a whole when it is sent. Takes a field's props and answers them with that.
 */
export function useServerChecks(form: Form) {
  const api = useApi()
  const { config } = useProgram()
  const checks = {
    email: {
      fits: async (email: string) =>
        config.enrollmentType !== 'direct' || (await api.call(validateEmail, { query: { email } })).isValid,
      message: 'join.email_taken',
    },
    zipCode: {
      fits: async (zip: string) => (await api.call(validateZip, { query: { zip } })).isValid,
      message: 'validation.zip',
    },
  }
  return <P extends { name: string; onBlur: Leaving }>(props: P): P => ({
    ...props,
    async onBlur(event: FocusEvent<HTMLInputElement>) {
      await props.onBlur(event)
      const name = props.name as keyof typeof checks
      const { fits, message } = checks[name]
      const value = event.target.value.trim()
      if (value === '' || form.getFieldState(name).error) return
      const isFine = await fits(value).catch(() => true)
      // Who has gone on typing is told about what stands there then.
      if (!isFine && form.getValues(name).trim() === value) form.setError(name, { type: 'server', message })
    },
  })
}

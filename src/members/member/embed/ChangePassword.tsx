import { useState } from 'react'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../../content/member/embed/use-field-text.ts'
import { showFieldErrors, useContractForm } from '../../../kit/web/form.ts'
import { useApi } from '../../../kit/web/query.ts'
import { leftForSignIn } from '../../../kit/web/redirects.ts'
import { NewPassword } from '../../../recovery/contract.ts'
import { PasswordInput } from '../../../session/member/embed/PasswordInput.tsx'
import { GivenUp, useProof } from '../../../session/member/embed/use-proof.tsx'
import { cutPassword } from '../../../session/rules.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { ScriptForm } from '../../../ui/ScriptForm.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { updateMember } from '../../profile/contract.ts'
import { profileOf } from '../../profile/rules.ts'
import { useMember } from './use-member.ts'

/** Another password for the signed-in member, who shows first who they are. */
export function ChangePassword() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const toasts = useToasts()
  const failureText = useFailureText()
  const member = useMember()
  const { proven, dialog } = useProof()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(NewPassword, { password: '', passwordConfirm: '' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ password, passwordConfirm }) => {
    if (!member) return
    setFailure(null)
    if (password !== passwordConfirm) {
      return form.setError('passwordConfirm', { message: 'validation.passwords_differ' }, { shouldFocus: true })
    }
    try {
      const body = { ...profileOf(member), password: cutPassword(password) }
      await proven(() => api.call(updateMember, { body }))
      form.reset()
      toasts.show({ id: 'password', kind: 'success', message: t('security.password_changed') })
    } catch (error) {
      if (error instanceof GivenUp || leftForSignIn(error)) return
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return (
    <>
      <ScriptForm onSubmit={submit} className={formPage.form}>
        {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
        <PasswordInput
          label={t('recovery.password')}
          autoComplete="new-password"
          hint={t('join.password_hint')}
          error={text(errors.password?.message)}
          {...form.register('password')}
        />
        <PasswordInput
          label={t('recovery.password_confirm')}
          autoComplete="new-password"
          error={text(errors.passwordConfirm?.message)}
          {...form.register('passwordConfirm')}
        />
        <Button type="submit" variant="secondary" busy={isSubmitting ? t('form.busy') : false}>
          {t('security.password_submit')}
        </Button>
      </ScriptForm>
      {dialog}
    </>
  )
}

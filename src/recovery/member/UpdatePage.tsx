import { useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { ApiError } from '../../kit/web/api.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { useApi } from '../../kit/web/query.ts'
import { useRefreshMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { PasswordInput } from '../../session/member/embed/PasswordInput.tsx'
import { cutPassword } from '../../session/rules.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import formPage from '../../ui/FormPage.module.css'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { NewPassword, updateRecovery } from '../contract.ts'

/** The third stage: the new password. Without the code's right there is nothing to do here. */
export function Page() {
  const t = useCopy()
  const { state } = useLocation()
  const resetToken = (state as { resetToken?: string } | null)?.resetToken
  const [over, setOver] = useState(false)
  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.update_title')} />
      {resetToken && !over ? (
        <PasswordForm resetToken={resetToken} onOver={() => setOver(true)} />
      ) : (
        <EmptyState
          level={1}
          title={t('recovery.title')}
          tagline={t('recovery.over')}
          action={<Link to="/recover">{t('recovery.again')}</Link>}
        />
      )}
    </div>
  )
}

function PasswordForm({ resetToken, onOver }: { resetToken: string; onOver: () => void }) {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const failureText = useFailureText()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(NewPassword, { password: '', passwordConfirm: '' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ password, passwordConfirm }) => {
    setFailure(null)
    if (password !== passwordConfirm) {
      return form.setError('passwordConfirm', { message: 'validation.passwords_differ' }, { shouldFocus: true })
    }
    try {
      const cut = cutPassword(password)
      await api.call(updateRecovery, { body: { resetToken, password: cut, passwordConfirm: cut } })
      // This browser too may have been signed in.
      await refreshMember()
      navigate('/recover/success', { replace: true, state: { isDone: true } })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'recoveryOver') return onOver()
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return (
    <>
      <h1>{t('recovery.update_title')}</h1>
      <p>{t('recovery.update_lead')}</p>
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
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('recovery.update')}
        </Button>
      </ScriptForm>
    </>
  )
}

import { useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { onBlurThen } from '../../../platform/browser/form.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useNavigate, usePassedState, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import type { FailedPost } from '../../../programs/partners/page-post.ts'
import { Button } from '../../../ui/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { useRefreshMember } from '../../members/member/embed/use-member.ts'
import { PasswordInput } from '../../session/member/embed/PasswordInput.tsx'
import { usePasswordCheck } from '../../session/member/embed/use-password-check.ts'
import { newPasswordProblems, passwordFloor } from '../../session/rules.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import { updateRecovery } from '../contract.ts'
import { NewPassword } from '../forms.ts'

/** The third stage: the new password. Requires the reset token. */
export function Page() {
  const t = useCopy()
  const { resetToken, failed } = usePassedState<{ resetToken: string; failed: FailedPost }>()
  const returnTo = returnPathIn(useSearchParams())
  const [over, setOver] = useState(failed?.code === 'recoveryOver')
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
          action={<Link to={withReturn('/recover', returnTo)}>{t('recovery.again')}</Link>}
        />
      )}
    </div>
  )
}

function PasswordForm({ resetToken, onOver }: { resetToken: string; onOver: () => void }) {
  const t = useCopy()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const search = useSearchParams()
  const form = useMemberForm(
    NewPassword,
    { password: '', passwordConfirm: '' },
    { post: 'updateRecovery', problems: newPasswordProblems },
  )

  const checkPassword = usePasswordCheck(form.form)

  const submit = form.submitting(async ({ password }, send) => {
    const recovered = await send(updateRecovery, {
      body: { resetToken, password, passwordConfirm: password },
    }).catch((error: unknown) => {
      if (error instanceof ApiCallError && error.code === 'recoveryOver') return null
      throw error
    })
    if (!recovered) return onOver()
    // This browser may have been signed in too.
    await refreshMember()
    const next = withReturn('/recover/success', returnPathIn(search) || recovered.returnTo)
    await navigate(next, { replace: true, state: { isDone: true, ...recovered } })
  })

  return (
    <>
      <h1>{t('recovery.update_title')}</h1>
      <p>{t('recovery.update_lead')}</p>
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        <PasswordInput
          label={t('recovery.password')}
          autoComplete="new-password"
          minLength={passwordFloor}
          hint={t('join.password_hint')}
          {...onBlurThen(form.field('password'), checkPassword)}
        />
        <PasswordInput
          label={t('recovery.password_confirm')}
          autoComplete="new-password"
          {...form.field('passwordConfirm')}
        />
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('recovery.update')}
        </Button>
      </MemberForm>
    </>
  )
}

import { onBlurThen } from '../../../../platform/browser/form.ts'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { Button } from '../../../../ui/Button.tsx'
import formPage from '../../../../ui/FormPage.module.css'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { useMember } from '../../../members/member/embed/use-member.ts'
import { updateMember } from '../../../members/profile/contract.ts'
import { toProfileForm } from '../../../members/profile/rules.ts'
import { PasswordInput } from '../../../session/member/embed/PasswordInput.tsx'
import { usePasswordCheck } from '../../../session/member/embed/use-password-check.ts'
import { ReauthCanceled, useReauth } from '../../../session/member/embed/use-reauth.tsx'
import { newPasswordProblems } from '../../../session/rules.ts'
import { NewPassword } from '../../forms.ts'

/** Changes the signed-in member's password after re-authentication. */
export function ChangePassword() {
  const t = useCopy()
  const toasts = useToasts()
  const member = useMember()
  const { reauthenticated, dialog } = useReauth()
  const form = useMemberForm(NewPassword, { password: '', passwordConfirm: '' }, { problems: newPasswordProblems })

  const checkPassword = usePasswordCheck(form.form)

  const submit = form.submitting(async ({ password }, send) => {
    if (!member) return
    try {
      // Nothing of the profile changes, whatever another page has saved since.
      const profile = toProfileForm(member)
      const body = { ...profile, before: profile, password }
      await reauthenticated(() => send(updateMember, { body }))
    } catch (error) {
      if (error instanceof ReauthCanceled) return
      throw error
    }
    form.form.reset()
    toasts.show({ id: 'password', kind: 'success', message: t('security.password_changed') })
  })

  return (
    <>
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        <PasswordInput
          label={t('recovery.password')}
          autoComplete="new-password"
          hint={t('join.password_hint')}
          {...onBlurThen(form.field('password'), (password) => {
            const { firstName = '', lastName = '', email = '', partnerNumber } = member ?? {}
            checkPassword(password, { firstName, lastName, email, partnerNumber: partnerNumber ?? '' })
          })}
        />
        <PasswordInput
          label={t('recovery.password_confirm')}
          autoComplete="new-password"
          {...form.field('passwordConfirm')}
        />
        <Button type="submit" variant="secondary" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('security.password_submit')}
        </Button>
      </MemberForm>
      {dialog}
    </>
  )
}

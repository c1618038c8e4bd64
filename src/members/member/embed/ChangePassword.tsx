import { MemberForm } from '../../../content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../content/member/embed/use-member-form.ts'
import { useApi } from '../../../kit/web/query.ts'
import { NewPassword } from '../../../recovery/contract.ts'
import { PasswordInput } from '../../../session/member/embed/PasswordInput.tsx'
import { GivenUp, useProof } from '../../../session/member/embed/use-proof.tsx'
import { cutPassword, newPasswordProblems } from '../../../session/rules.ts'
import { Button } from '../../../ui/Button.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { useToasts } from '../../../ui/Toasts.tsx'
import { updateMember } from '../../profile/contract.ts'
import { profileOf } from '../../profile/rules.ts'
import { useMember } from './use-member.ts'

/** Changes the signed-in member's password after re-authentication. */
export function ChangePassword() {
  const t = useCopy()
  const api = useApi()
  const toasts = useToasts()
  const member = useMember()
  const { proven, dialog } = useProof()
  const form = useMemberForm(NewPassword, { password: '', passwordConfirm: '' }, { problems: newPasswordProblems })

  const submit = form.submitting(async ({ password }) => {
    if (!member) return
    try {
      const body = { ...profileOf(member), password: cutPassword(password) }
      await proven(() => api.call(updateMember, { body }))
    } catch (error) {
      if (error instanceof GivenUp) return
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
          {...form.field('password')}
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

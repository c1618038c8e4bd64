import { ApiCallError } from '../../../platform/browser/api.ts'
import type { PageArgs } from '../../../platform/browser/query.ts'
import { signInOn401 } from '../../../platform/browser/redirects.ts'
import { useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { Redirect } from '../../../platform/browser/router/redirect.ts'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Button } from '../../../ui/Button.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { TextField } from '../../../ui/TextField.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { memberQuery, useMember, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { ReauthCanceled, useReauth } from '../../session/member/embed/use-reauth.tsx'
import { returnPathIn } from '../../session/sso/return-path.ts'
import { fixCredentials } from '../contract.ts'
import { FixCredentialsForm } from '../forms.ts'

const emailsDiffer = { field: 'emailConfirm', message: 'recovery.emails_differ' }

const differ = (email: string, confirm: string) =>
  confirm.trim() !== '' && email.trim().toLowerCase() !== confirm.trim().toLowerCase()

/** Redirects members who have nothing to fix. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  if (!member) await signInOn401(Promise.reject(new ApiCallError(401, {})), url)
  else if (!member.mustFixCredentials) throw new Redirect(returnPathIn(url.searchParams) || '/account/overview')
}

/** Requires the member to enter a personal email address first. */
export function Page() {
  const t = useCopy()
  const toasts = useToasts()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const member = useMember()
  const search = useSearchParams()
  const form = useMemberForm(
    FixCredentialsForm,
    { email: '', emailConfirm: '' },
    { problems: ({ email, emailConfirm }) => (differ(email, emailConfirm) ? [emailsDiffer] : []) },
  )
  const { reauthenticated, dialog } = useReauth()
  const requiredText = t('form.required_reader')

  const submit = form.submitting(async (body, send) => {
    const fixed = await reauthenticated(() => send(fixCredentials, { body })).catch((error: unknown) => {
      if (error instanceof ReauthCanceled) return null
      throw error
    })
    if (!fixed) return
    const { email } = fixed
    toasts.show({ kind: 'success', message: t('recovery.fix_done', { email }) })
    await refreshMember()
    const home = member?.memberType === 'NonCardMember' ? '/add_card' : '/account/overview'
    await navigate(returnPathIn(search) || home, { replace: true })
  })

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.fix_title')} />
      <h1>{t('recovery.fix_title')}</h1>
      <p>{t('recovery.fix_lead')}</p>
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        <TextField
          label={t('recovery.fix_email')}
          type="email"
          autoComplete="email"
          required
          requiredText={requiredText}
          {...form.field('email')}
        />
        <TextField
          label={t('recovery.fix_email_confirm')}
          type="email"
          autoComplete="email"
          required
          requiredText={requiredText}
          {...form.field('emailConfirm')}
        />
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('recovery.fix_submit')}
        </Button>
      </MemberForm>
      {dialog}
    </div>
  )
}

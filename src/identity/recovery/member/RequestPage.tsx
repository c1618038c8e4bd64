import { Link } from '../../../platform/browser/router/Link.tsx'
import { useLocation, useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { TextField } from '../../../ui/TextField.tsx'
import { useBotCheck } from '../../bot-check/member/embed/use-bot-check.ts'
import { typedEmail } from '../../session/member/embed/typed-email.ts'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import { requestRecovery } from '../contract.ts'
import { RecoverForm } from '../forms.ts'
import { recoverProblems } from '../rules.ts'

/** The first stage: the user name. */
export function Page() {
  const t = useCopy()
  const withBotCheck = useBotCheck()
  const navigate = useNavigate()
  const { config } = useProgram()
  const { state } = useLocation()
  const returnTo = returnPathIn(useSearchParams())
  const form = useMemberForm(
    RecoverForm,
    { userName: (state as { email?: string } | null)?.email ?? '' },
    { post: 'requestRecovery', problems: (values) => recoverProblems(values, config) },
  )

  const submit = form.submitting(async ({ userName }, send) => {
    await withBotCheck(send, (gRecaptchaResponse) =>
      send(requestRecovery, { body: { userName, gRecaptchaResponse, returnTo } }),
    )
    await navigate(withReturn('/recover/confirm', returnTo))
  })

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.title')} />
      <h1>{t('recovery.title')}</h1>
      <p>{t('recovery.lead')}</p>
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        <TextField
          label={t(config.hasPPN ? 'recovery.name_ppn' : 'recovery.name')}
          autoComplete="username"
          required
          requiredText={t('form.required_reader')}
          {...form.field('userName')}
        />
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('recovery.send')}
        </Button>
      </MemberForm>
      <p className={formPage.after}>
        <Link to={withReturn('/login', returnTo)} state={typedEmail}>
          {t('recovery.back')}
        </Link>
      </p>
    </div>
  )
}

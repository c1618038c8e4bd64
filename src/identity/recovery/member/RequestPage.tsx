import { Link } from '../../../platform/browser/router/Link.tsx'
import { useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { TextField } from '../../../ui/TextField.tsx'
import { useBotCheck } from '../../bot-check/member/embed/use-bot-check.ts'
import { requestRecovery } from '../contract.ts'
import { RecoverForm } from '../forms.ts'
import { recoverProblems } from '../rules.ts'

/** The first stage: the user name. */
export function Page() {
  const t = useCopy()
  const withBotCheck = useBotCheck()
  const navigate = useNavigate()
  const { config } = useProgram()
  const form = useMemberForm(
    RecoverForm,
    { userName: '' },
    { post: 'requestRecovery', problems: (values) => recoverProblems(values, config) },
  )

  const submit = form.submitting(async ({ userName }, send) => {
    await withBotCheck(send, (gRecaptchaResponse) => send(requestRecovery, { body: { userName, gRecaptchaResponse } }))
    await navigate('/recover/confirm')
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
        <Link to="/login">{t('recovery.back')}</Link>
      </p>
    </div>
  )
}

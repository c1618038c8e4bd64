import { useState } from 'react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { ApiError } from '../../kit/web/api.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { useApi } from '../../kit/web/query.ts'
import { useRefreshMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { Maintenance } from '../../shell/member/embed/Maintenance.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { SignInForm, signIn } from '../contract.ts'
import { cutPassword } from '../rules.ts'
import { safeReturnPath } from '../sso/return-path.ts'
import { renewCsrf } from './embed/csrf.ts'
import { PasswordInput } from './embed/PasswordInput.tsx'
import styles from './LoginPage.module.css'

export function Page() {
  const { flags } = useProgram()
  return flags.authFlags.loginMaintenance ? <Maintenance kind="login" /> : <Login />
}

function Login() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const { config } = useProgram()
  const [search] = useSearchParams()
  const { state } = useLocation()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(SignInForm, {
    userName: (state as { email?: string } | null)?.email ?? '',
    password: '',
    rememberMe: false,
  })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (values) => {
    setFailure(null)
    try {
      const { csrfToken, memberType } = await api.call(signIn, {
        body: { ...values, password: cutPassword(values.password) },
      })
      renewCsrf(csrfToken)
      await refreshMember()
      const home = memberType === 'NonCardMember' ? '/add_card' : '/account/overview'
      navigate(safeReturnPath(search.get('returnTo') ?? '', home), { replace: true })
    } catch (error) {
      if (showFieldErrors(form, error)) return setFailure(t('login.form_error'))
      setFailure(error instanceof ApiError && error.title ? error.title : t('errors.offline'))
    }
  })

  return (
    <div className={styles.page}>
      <Meta title={t('login.title')} />
      <h1>{t('login.title')}</h1>
      <p>{t('login.lead')}</p>
      <ScriptForm onSubmit={submit} className={styles.form}>
        {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
        <TextField
          label={t(config.hasPPN ? 'login.user_name_ppn' : 'login.user_name')}
          autoComplete="username"
          required
          requiredText={t('form.required_reader')}
          error={text(errors.userName?.message)}
          {...form.register('userName')}
        />
        <PasswordInput
          label={t('login.password')}
          autoComplete="current-password"
          error={text(errors.password?.message)}
          {...form.register('password')}
        />
        <CheckboxField label={t('login.remember')} {...form.register('rememberMe')} />
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('login.submit')}
        </Button>
      </ScriptForm>
      <p className={styles.join}>
        {t('login.no_account')} <Link to="/join">{t('login.join')}</Link>
      </p>
    </div>
  )
}

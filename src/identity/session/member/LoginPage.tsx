import { useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import type { PageArgs } from '../../../platform/browser/query.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useLocation, useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { Redirect } from '../../../platform/browser/router/redirect.ts'
import { Maintenance } from '../../../programs/content/member/embed/Maintenance.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { TextField } from '../../../ui/TextField.tsx'
import { useBotCheck } from '../../bot-check/member/embed/use-bot-check.ts'
import { memberQuery, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { type SignedIn, signIn } from '../contract.ts'
import { SignInForm } from '../forms.ts'
import { pathAfterSignIn, signInProblems } from '../rules.ts'
import { returnPathIn, withReturn } from '../sso/return-path.ts'
import { renewCsrf } from './embed/csrf.ts'
import { PasswordInput } from './embed/PasswordInput.tsx'
import { typedEmail } from './embed/typed-email.ts'
import { PasskeySignIn } from './PasskeySignIn.tsx'

/** Redirects a member who is already signed in to the requested page. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensure(memberQuery(api))
  if (!member) return
  throw new Redirect(pathAfterSignIn(member, returnPathIn(url.searchParams)))
}

export function Page() {
  const { flags } = useProgram()
  return flags.authFlags.loginMaintenance ? <Maintenance kind="login" /> : <Login />
}

function Login() {
  const t = useCopy()
  const withBotCheck = useBotCheck()
  const afterSignIn = useAfterSignIn()
  const { config } = useProgram()
  const { state } = useLocation()
  const returnTo = returnPathIn(useSearchParams())
  const toRecovery = withReturn('/recover', returnTo)
  const form = useMemberForm(
    SignInForm,
    { userName: (state as { email?: string } | null)?.email ?? '', password: '', rememberMe: false },
    { post: 'signIn', problems: (values) => signInProblems(values, config), failedText: t('login.form_error') },
  )
  const [locked, setLocked] = useState(form.failedCode === 'locked')

  const submit = form.submitting(
    async (values, send) => {
      setLocked(false)
      const signedIn = await withBotCheck(send, (gRecaptchaResponse) =>
        send(signIn, { body: { ...values, gRecaptchaResponse } }),
      )
      await afterSignIn(signedIn)
    },
    (error) => setLocked(error instanceof ApiCallError && error.code === 'locked'),
  )

  return (
    <div className={formPage.page}>
      <Meta title={t('login.title')} />
      <h1>{t('login.title')}</h1>
      <p>{t('login.lead')}</p>
      <ReferredNote />
      <MemberForm
        state={form}
        help={
          locked && (
            <Link to={toRecovery} state={typedEmail}>
              {t('login.recover_locked')}
            </Link>
          )
        }
        onSubmit={submit}
        className={formPage.form}
      >
        <TextField
          label={t(config.hasPPN ? 'login.user_name_ppn' : 'login.user_name')}
          autoComplete="username"
          required
          requiredText={t('form.required_reader')}
          {...form.field('userName')}
        />
        <PasswordInput label={t('login.password')} autoComplete="current-password" {...form.field('password')} />
        <CheckboxField label={t('login.remember')} {...form.form.register('rememberMe')} />
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('login.submit')}
        </Button>
      </MemberForm>
      <PasskeySignIn
        rememberMe={() => form.form.getValue('rememberMe')}
        onSignedIn={afterSignIn}
        onFailure={form.fail}
      />
      <p className={formPage.after}>
        <Link to={toRecovery} state={typedEmail}>
          {t('login.recover')}
        </Link>
      </p>
      <p>
        {t('login.no_account')}{' '}
        <Link to={withReturn('/join', returnTo)} state={typedEmail}>
          {t('login.join')}
        </Link>
      </p>
      <noscript>
        <p>{t('login.passkey_needs_script')}</p>
      </noscript>
    </div>
  )
}

/** Explains why an invitation led to this page. */
function ReferredNote() {
  const t = useCopy()
  const search = useSearchParams()
  const key = { '3': 'login.already_active', '4': 'login.contact_support' }[search.get('rfr') ?? '']
  return key ? <FormBanner type="warning" title={t(key)} /> : null
}

/**
 * Returns a function that continues after a sign-in: to the requested page, unless the credentials must be fixed first.
 */
function useAfterSignIn(): (signedIn: SignedIn) => Promise<void> {
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const search = useSearchParams()
  return async (signedIn) => {
    renewCsrf(signedIn.csrfToken)
    await refreshMember()
    await navigate(pathAfterSignIn(signedIn, returnPathIn(search)), { replace: true })
  }
}

import { useState } from 'react'
import { Link, redirect, useLocation, useNavigate, useSearchParams } from 'react-router'
import { useHuman } from '../../bot-check/member/embed/use-human.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { ApiError } from '../../kit/web/api.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { type PageArgs, useApi } from '../../kit/web/query.ts'
import { askMember, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { Maintenance } from '../../shell/member/embed/Maintenance.tsx'
import { Button } from '../../ui/Button.tsx'
import { CheckboxField } from '../../ui/CheckboxField.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import formPage from '../../ui/FormPage.module.css'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { type SignedIn, SignInForm, signIn } from '../contract.ts'
import { cutPassword } from '../rules.ts'
import { returnPathIn, withReturn } from '../sso/return-path.ts'
import { renewCsrf } from './embed/csrf.ts'
import { PasswordInput } from './embed/PasswordInput.tsx'
import { PasskeySignIn } from './PasskeySignIn.tsx'

/** A member who is signed in already goes on to the page that was meant. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (!member) return
  const returnTo = returnPathIn(url.searchParams)
  if (member.mustFixCredentials) throw redirect(withReturn('/fix_credentials', returnTo))
  throw redirect(returnTo || homeOf(member.memberType))
}

const homeOf = (memberType: string): string => (memberType === 'NonCardMember' ? '/add_card' : '/account/overview')

export function Page() {
  const { flags } = useProgram()
  return flags.authFlags.loginMaintenance ? <Maintenance kind="login" /> : <Login />
}

interface Failure {
  message: string
  locked: boolean
}

function Login() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const asPerson = useHuman()
  const goOn = useGoOn()
  const { config } = useProgram()
  const { state } = useLocation()
  const [search] = useSearchParams()
  const [failure, setFailure] = useState<Failure | null>(null)
  const form = useContractForm(SignInForm, {
    userName: (state as { email?: string } | null)?.email ?? '',
    password: '',
    rememberMe: false,
  })
  const { errors, isSubmitting } = form.formState
  const fail = (message: string, locked = false) => setFailure({ message, locked })

  const submit = form.handleSubmit(
    async (values) => {
      setFailure(null)
      try {
        const signedIn = await asPerson((gRecaptchaResponse) =>
          api.call(signIn, { body: { ...values, password: cutPassword(values.password), gRecaptchaResponse } }),
        )
        await goOn(signedIn)
      } catch (error) {
        if (showFieldErrors(form, error)) return fail(t('login.form_error'))
        if (!(error instanceof ApiError && error.title)) return fail(t('errors.offline'))
        fail(error.title, error.code === 'locked')
      }
    },
    () => fail(t('login.form_error')),
  )

  return (
    <div className={formPage.page}>
      <Meta title={t('login.title')} />
      <h1>{t('login.title')}</h1>
      <p>{t('login.lead')}</p>
      <ReferredNote />
      <ScriptForm onSubmit={submit} className={formPage.form}>
        {failure && (
          <FormBanner type="error" title={t('form.error_title')} message={failure.message}>
            {failure.locked && <Link to="/recover">{t('login.recover_locked')}</Link>}
          </FormBanner>
        )}
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
      <PasskeySignIn rememberMe={() => form.getValues('rememberMe') === true} onSignedIn={goOn} onFailure={fail} />
      <p className={formPage.after}>
        <Link to="/recover">{t('login.recover')}</Link>
      </p>
      <p>
        {t('login.no_account')} <Link to={withReturn('/join', returnPathIn(search))}>{t('login.join')}</Link>
      </p>
    </div>
  )
}

/** Why somebody was sent here from an invitation. */
function ReferredNote() {
  const t = useCopy()
  const [search] = useSearchParams()
  const key = { '3': 'login.already_active', '4': 'login.contact_support' }[search.get('rfr') ?? '']
  return key ? <FormBanner type="warning" title={t(key)} /> : null
}

/** What follows a sign-in: the page that was meant, unless something has to be put right first. */
function useGoOn(): (signedIn: SignedIn) => Promise<void> {
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return async ({ csrfToken, memberType, mustFixCredentials }) => {
    renewCsrf(csrfToken)
    await refreshMember()
    const returnTo = returnPathIn(search)
    const next = mustFixCredentials ? withReturn('/fix_credentials', returnTo) : returnTo || homeOf(memberType)
    navigate(next, { replace: true })
  }
}

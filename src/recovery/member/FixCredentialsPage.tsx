import { useState } from 'react'
import { redirect, useNavigate, useSearchParams } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { ApiError } from '../../kit/web/api.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { type PageArgs, useApi } from '../../kit/web/query.ts'
import { orSignIn } from '../../kit/web/redirects.ts'
import { askMember, useMember, useRefreshMember } from '../../members/member/embed/use-member.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { returnPathIn } from '../../session/sso/return-path.ts'
import { Button } from '../../ui/Button.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import formPage from '../../ui/FormPage.module.css'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { FixCredentialsForm, fixCredentials } from '../contract.ts'

/** Only for members with something to fix. */
export async function load({ api, cache, url }: PageArgs): Promise<void> {
  const member = await cache.ensureQueryData(askMember(api))
  if (!member) await orSignIn(Promise.reject(new ApiError(401, {})), url)
  else if (!member.mustFixCredentials) throw redirect(returnPathIn(url.searchParams) || '/account/overview')
}

/** Asks for an address of one's own, before anything else. */
export function Page() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const toasts = useToasts()
  const failureText = useFailureText()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const member = useMember()
  const [search] = useSearchParams()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(FixCredentialsForm, { email: '', emailConfirm: '' })
  const { errors, isSubmitting } = form.formState
  const requiredText = t('form.required_reader')

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    if (body.email.toLowerCase() !== body.emailConfirm.toLowerCase()) {
      return form.setError('emailConfirm', { message: 'recovery.emails_differ' }, { shouldFocus: true })
    }
    try {
      const { email } = await api.call(fixCredentials, { body })
      toasts.show({ kind: 'success', message: t('recovery.fix_done', { email }) })
      await refreshMember()
      const returnTo = returnPathIn(search)
      const home = member?.memberType === 'NonCardMember' ? '/add_card' : '/account/overview'
      navigate(returnTo || home, { replace: true })
    } catch (error) {
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.fix_title')} />
      <h1>{t('recovery.fix_title')}</h1>
      <p>{t('recovery.fix_lead')}</p>
      <ScriptForm onSubmit={submit} className={formPage.form}>
        {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
        <TextField
          label={t('recovery.fix_email')}
          type="email"
          autoComplete="email"
          maxLength={50}
          required
          requiredText={requiredText}
          error={text(errors.email?.message)}
          {...form.register('email')}
        />
        <TextField
          label={t('recovery.fix_email_confirm')}
          type="email"
          autoComplete="email"
          maxLength={50}
          required
          requiredText={requiredText}
          error={text(errors.emailConfirm?.message)}
          {...form.register('emailConfirm')}
        />
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('recovery.fix_submit')}
        </Button>
      </ScriptForm>
    </div>
  )
}

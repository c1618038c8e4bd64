import { useEffect, useState } from 'react'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { Link } from '../../../../platform/browser/router/Link.tsx'
import { useLocation, usePassedState } from '../../../../platform/browser/router/RouterProvider.tsx'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../../programs/partners/member/embed/Meta.tsx'
import { Button } from '../../../../ui/Button.tsx'
import formPage from '../../../../ui/FormPage.module.css'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { getVerification, sendVerification, verifyEmail } from '../../contract.ts'
import { VerifyPageForm } from '../../forms.ts'
import { verifyProblems } from '../../rules.ts'

/** Verifies the member's email address by the code that was sent to it; says so when it is verified. */
export function VerifyEmail() {
  const t = useCopy()
  const { email, verifiedAt } = useApiSuspenseQuery(getVerification, {})
  return (
    <>
      <Meta title={t('verification.page_title')} />
      <h2>{t('verification.page_title')}</h2>
      {verifiedAt ? <p>{t('verification.done_lead', { email })}</p> : <CodeForm email={email} />}
      <p className={formPage.after}>
        <Link to="/account/security">{t('verification.back')}</Link>
      </p>
    </>
  )
}

function CodeForm({ email }: { email: string }) {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const isSent = usePassedState<{ isSent: boolean }>().isSent === true
  const form = useMemberForm(
    VerifyPageForm,
    { code: '', again: false },
    { post: 'verifyEmail', problems: verifyProblems },
  )
  const { setValue } = form.form
  const isLink = useCodeOfLink((code) => setValue('code', code, { validate: true }))
  const resend = useApiMutation(sendVerification, {
    onSuccess: () => toasts.show({ kind: 'success', message: t('verification.sent', { email }) }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
  })

  const submit = form.submitting(async ({ code }, send) => {
    await send(verifyEmail, { body: { code } }).catch(atField)
    toasts.show({ kind: 'success', message: t('verification.done') })
    await cache.invalidate(apiQueryKey(getVerification))
  })

  return (
    <>
      <noscript>
        <p>{t('verification.link_needs_script')}</p>
      </noscript>
      <p>{t(isLink ? 'verification.link_ready' : 'verification.lead', { email })}</p>
      {/* In a new document, which is read from its start. */}
      {isSent && <p>{t('verification.sent', { email })}</p>}
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        <TextField
          label={t('verification.code')}
          autoComplete="one-time-code"
          spellCheck={false}
          required
          requiredText={t('form.required_reader')}
          {...form.field('code')}
        />
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('verification.confirm')}
        </Button>
        {/* Without script it posts the same form, in which it needs no code. */}
        <Button
          type="submit"
          name="again"
          value="1"
          formNoValidate
          variant="quiet"
          busy={resend.isPending ? t('form.busy') : false}
          onClick={(event) => {
            event.preventDefault()
            void resend.run({})
          }}
        >
          {t('verification.again')}
        </Button>
      </MemberForm>
    </>
  )
}

/** Passes on the code behind `#`, where no server sees it, and removes it from the address. Returns whether there is one. */
function useCodeOfLink(take: (code: string) => void): boolean {
  const { hash } = useLocation()
  const [isLink, setIsLink] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read once
  useEffect(() => {
    const code = new URLSearchParams(hash.slice(1)).get('code')
    if (!code) return
    take(code)
    setIsLink(true)
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hash])
  return isLink
}

/** Shows an invalid code as an error of its field. */
function atField(error: unknown): never {
  if (!(error instanceof ApiCallError) || error.code !== 'verificationCodeInvalid') throw error
  throw new ApiCallError(400, { code: 'fields' }, [{ field: 'code', message: 'verification.code_invalid' }])
}

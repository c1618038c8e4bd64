import { useEffect, useState } from 'react'
import { ApiCallError } from '../../../platform/browser/api.ts'
import { Link } from '../../../platform/browser/router/Link.tsx'
import { useLocation, useNavigate, useSearchParams } from '../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { Meta } from '../../../programs/partners/member/embed/Meta.tsx'
import { Button } from '../../../ui/Button.tsx'
import formPage from '../../../ui/FormPage.module.css'
import { TextField } from '../../../ui/TextField.tsx'
import { returnPathIn, withReturn } from '../../session/sso/return-path.ts'
import { confirmRecovery } from '../contract.ts'
import { CodeForm } from '../forms.ts'
import styles from './ConfirmPage.module.css'

/**
 * The second stage: the code of the email. Its link has the code behind `#`, where no server sees it, and nothing needs
 * to be typed. The code is submitted by a button and not on load, because mail scanners open links too.
 */
export function Page() {
  const t = useCopy()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const returnTo = returnPathIn(useSearchParams())
  const [isLink, setIsLink] = useState(false)
  const form = useMemberForm(CodeForm, { code: '' }, { post: 'confirmRecovery' })
  const { fail } = form
  const { setValue } = form.form

  useEffect(() => {
    const code = new URLSearchParams(hash.slice(1)).get('code')
    if (!code) return
    // Validates, which removes an earlier error.
    setValue('code', code, { validate: true })
    fail(null)
    setIsLink(true)
    // Removes the code from the address and the history.
    window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search)
  }, [hash, setValue, fail])

  const submit = form.submitting(
    async (body, send) => {
      const { resetToken } = await send(confirmRecovery, { body }).catch(atField)
      await navigate(withReturn('/recover/update', returnTo), { state: { resetToken }, replace: true })
    },
    () => {
      // After a failed link the member can type the digits.
      if (isLink) setValue('code', '')
      setIsLink(false)
    },
  )

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.confirm_title')} />
      <h1>{t('recovery.confirm_title')}</h1>
      <noscript>
        <p>{t('recovery.link_needs_script')}</p>
      </noscript>
      <p>{t(isLink ? 'recovery.link_ready' : 'recovery.confirm_lead')}</p>
      <MemberForm state={form} onSubmit={submit} className={formPage.form}>
        {!isLink && (
          <div className={styles.code}>
            <TextField
              label={t('recovery.code')}
              hint={t('recovery.code_hint')}
              autoComplete="one-time-code"
              inputMode="numeric"
              spellCheck={false}
              required
              requiredText={t('form.required_reader')}
              {...form.field('code')}
            />
          </div>
        )}
        <Button type="submit" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('recovery.confirm')}
        </Button>
      </MemberForm>
      <p className={formPage.after}>
        <Link to={withReturn('/recover', returnTo)}>{t('recovery.again')}</Link>
      </p>
    </div>
  )
}

/** Shows an invalid code as an error of its field. */
function atField(error: unknown): never {
  if (!(error instanceof ApiCallError) || error.code !== 'codeInvalid') throw error
  throw new ApiCallError(400, { code: 'fields' }, [{ field: 'code', message: 'recovery.code_invalid' }])
}

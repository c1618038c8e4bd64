import { useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { useContractForm } from '../../kit/web/form.ts'
import { useApi } from '../../kit/web/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { Button } from '../../ui/Button.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import formPage from '../../ui/FormPage.module.css'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { CodeForm, confirmRecovery } from '../contract.ts'
import styles from './ConfirmPage.module.css'

/**
 * The second stage: the code of the mail. Its link brings a code behind `#`, where no server sees it, and there is
 * nothing to type then; it is sent when the person says so, not by opening the link: mail scanners open links too.
 */
export function Page() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const failureText = useFailureText()
  const navigate = useNavigate()
  const { hash } = useLocation()
  const [failure, setFailure] = useState<string | null>(null)
  const [isLink, setIsLink] = useState(false)
  const form = useContractForm(CodeForm, { code: '' })
  const { errors, isSubmitting } = form.formState

  useEffect(() => {
    const code = new URLSearchParams(hash.slice(1)).get('code')
    if (!code) return
    form.setValue('code', code)
    form.clearErrors()
    setFailure(null)
    setIsLink(true)
    // Out of the address, the history and whatever looks at them.
    window.history.replaceState(window.history.state, '', window.location.pathname)
  }, [hash, form])

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      const { resetToken } = await api.call(confirmRecovery, { body })
      navigate('/recover/update', { state: { resetToken }, replace: true })
    } catch (error) {
      setFailure(failureText(error))
      // Whoever came with a link that does not work may have digits to type.
      if (isLink) form.setValue('code', '')
      setIsLink(false)
    }
  })

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.confirm_title')} />
      <h1>{t('recovery.confirm_title')}</h1>
      <p>{t(isLink ? 'recovery.link_ready' : 'recovery.confirm_lead')}</p>
      <ScriptForm onSubmit={submit} className={formPage.form}>
        {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
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
              error={text(errors.code?.message)}
              {...form.register('code')}
            />
          </div>
        )}
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('recovery.confirm')}
        </Button>
      </ScriptForm>
      <p className={formPage.after}>
        <Link to="/recover">{t('recovery.again')}</Link>
      </p>
    </div>
  )
}

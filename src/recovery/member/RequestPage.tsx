import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { useHuman } from '../../bot-check/member/embed/use-human.ts'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { useApi } from '../../kit/web/query.ts'
import { Meta } from '../../partners/member/embed/Meta.tsx'
import { useProgram } from '../../partners/member/embed/use-program.ts'
import { Button } from '../../ui/Button.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import formPage from '../../ui/FormPage.module.css'
import { ScriptForm } from '../../ui/ScriptForm.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { RecoverForm, requestRecovery } from '../contract.ts'
import { isUserName, nameProblem } from '../rules.ts'

/** The first stage: who wants back in. */
export function Page() {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const asPerson = useHuman()
  const failureText = useFailureText()
  const navigate = useNavigate()
  const { config } = useProgram()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(RecoverForm, { userName: '' })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async ({ userName }) => {
    setFailure(null)
    if (!isUserName(userName, config)) {
      return form.setError('userName', { message: nameProblem(config) }, { shouldFocus: true })
    }
    try {
      await asPerson((gRecaptchaResponse) => api.call(requestRecovery, { body: { userName, gRecaptchaResponse } }))
      navigate('/recover/confirm')
    } catch (error) {
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return (
    <div className={formPage.page}>
      <Meta title={t('recovery.title')} />
      <h1>{t('recovery.title')}</h1>
      <p>{t('recovery.lead')}</p>
      <ScriptForm onSubmit={submit} className={formPage.form}>
        {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
        <TextField
          label={t(config.hasPPN ? 'recovery.name_ppn' : 'recovery.name')}
          autoComplete="username"
          required
          requiredText={t('form.required_reader')}
          error={text(errors.userName?.message)}
          {...form.register('userName')}
        />
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {t('recovery.send')}
        </Button>
      </ScriptForm>
      <p className={formPage.after}>
        <Link to="/login">{t('recovery.back')}</Link>
      </p>
    </div>
  )
}

import { useState } from 'react'
import { useNavigate } from 'react-router'
import { z } from 'zod'
import { useCopy, useFill } from '../../../content/member/embed/use-copy.tsx'
import { useFieldText } from '../../../content/member/embed/use-field-text.ts'
import { useContractForm } from '../../../kit/web/form.ts'
import { useApi } from '../../../kit/web/query.ts'
import { marketingValues } from '../../../tracking/member/embed/marketing.ts'
import { Button } from '../../../ui/Button.tsx'
import { FormBanner } from '../../../ui/FormBanner.tsx'
import { ScriptForm } from '../../../ui/ScriptForm.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { ProspectForm as Prospect, registerProspect, validateEmail } from '../../contract.ts'
import styles from './ProspectForm.module.css'

const EmailOnly = z.object({ email: Prospect.shape.email })

/** One field that begins joining: a new address goes on to enrollment, a known one to sign-in. Its words are content. */
export function ProspectForm({ fields }: { fields: Record<string, unknown> }) {
  const t = useCopy()
  const fill = useFill()
  const text = useFieldText()
  const api = useApi()
  const navigate = useNavigate()
  const [failed, setFailed] = useState(false)
  const form = useContractForm(EmailOnly, { email: '' })
  const { errors, isSubmitting } = form.formState
  const words = (name: string) => fill(typeof fields[name] === 'string' ? fields[name] : '')

  const submit = form.handleSubmit(async ({ email }) => {
    setFailed(false)
    let isNew: boolean
    try {
      isNew = (await api.call(validateEmail, { query: { email } })).isValid
    } catch {
      return setFailed(true)
    }
    // Whatever comes of it: the visitor wants to join, not to be remembered.
    if (isNew) await api.call(registerProspect, { body: { email, ...marketingValues() } }).catch(() => {})
    navigate(isNew ? '/join' : '/login', { state: { email } })
  })

  return (
    <ScriptForm onSubmit={submit} className={styles.form}>
      {failed && <FormBanner type="error" title={t('form.error_title')} message={t('errors.general')} />}
      <div className={styles.row}>
        <TextField
          type="email"
          label={words('label')}
          placeholder={words('placeholder')}
          autoComplete="email"
          inputMode="email"
          maxLength={50}
          error={text(errors.email?.message)}
          {...form.register('email')}
        />
        <Button type="submit" busy={isSubmitting ? t('form.busy') : false}>
          {words('button_label')}
        </Button>
      </div>
    </ScriptForm>
  )
}

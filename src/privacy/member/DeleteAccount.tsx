import { useState } from 'react'
import { useNavigate } from 'react-router'
import { useCopy } from '../../content/member/embed/use-copy.tsx'
import { useFailureText } from '../../content/member/embed/use-failure-text.ts'
import { useFieldText } from '../../content/member/embed/use-field-text.ts'
import { showFieldErrors, useContractForm } from '../../kit/web/form.ts'
import { useApi } from '../../kit/web/query.ts'
import { useRefreshMember } from '../../members/member/embed/use-member.ts'
import { GivenUp, useProof } from '../../session/member/embed/use-proof.tsx'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormBanner } from '../../ui/FormBanner.tsx'
import { TextField } from '../../ui/TextField.tsx'
import { useToasts } from '../../ui/Toasts.tsx'
import { DeleteForm, deleteAccount } from '../contract.ts'
import styles from './Privacy.module.css'

/** The end of an account: what goes, what stays, and a word that is typed. */
export function DeleteAccount() {
  const t = useCopy()
  const [asking, setAsking] = useState(false)
  const { proven, dialog } = useProof()
  return (
    <section className={styles.part}>
      <h3>{t('privacy.delete')}</h3>
      <p>{t('privacy.delete_lead')}</p>
      <p>{t('privacy.delete_kept')}</p>
      <Button type="button" variant="danger" onClick={() => setAsking(true)}>
        {t('privacy.delete_button')}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={t('privacy.delete')} closeLabel={t('dialog.close')}>
        <Confirmation proven={proven} onClose={() => setAsking(false)} />
      </Dialog>
      {dialog}
    </section>
  )
}

interface ConfirmationProps {
  proven: ReturnType<typeof useProof>['proven']
  onClose: () => void
}

function Confirmation({ proven, onClose }: ConfirmationProps) {
  const t = useCopy()
  const text = useFieldText()
  const api = useApi()
  const toasts = useToasts()
  const failureText = useFailureText()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useContractForm(DeleteForm, { confirmation: '' })
  const { errors, isSubmitting } = form.formState
  const word = t('privacy.delete_word')

  const submit = form.handleSubmit(async (body) => {
    setFailure(null)
    try {
      await proven(() => api.call(deleteAccount, { body }))
      toasts.show({ kind: 'success', message: t('privacy.deleted') })
      navigate('/', { replace: true })
      await refreshMember()
    } catch (error) {
      if (error instanceof GivenUp) return
      if (!showFieldErrors(form, error)) setFailure(failureText(error))
    }
  })

  return (
    <form onSubmit={submit} className={styles.form} noValidate>
      <p>{t('privacy.delete_question', { word })}</p>
      {failure && <FormBanner type="error" title={t('form.error_title')} message={failure} />}
      <TextField
        label={t('privacy.delete_field', { word })}
        autoComplete="off"
        autoCapitalize="characters"
        required
        requiredText={t('form.required_reader')}
        error={text(errors.confirmation?.message)}
        {...form.register('confirmation')}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="danger" busy={isSubmitting ? t('form.busy') : false}>
          {t('privacy.delete_now')}
        </Button>
        <Button type="button" variant="quiet" onClick={onClose}>
          {t('privacy.keep_account')}
        </Button>
      </div>
    </form>
  )
}

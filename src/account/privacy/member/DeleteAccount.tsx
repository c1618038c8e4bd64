import { useState } from 'react'
import { useRefreshMember } from '../../../identity/members/member/embed/use-member.ts'
import { ReauthCanceled, useReauth } from '../../../identity/session/member/embed/use-reauth.tsx'
import { useNavigate } from '../../../platform/browser/router/RouterProvider.tsx'
import { MemberForm } from '../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../programs/content/member/embed/use-member-form.ts'
import { useProgram } from '../../../programs/partners/member/embed/use-program.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useToasts } from '../../../ui/Toasts.tsx'
import { deleteAccount } from '../contract.ts'
import { DeleteForm } from '../forms.ts'
import styles from './Privacy.module.css'

/** Deletes the account: shows what is deleted and what remains, and requires a typed word. */
export function DeleteAccount() {
  const t = useCopy()
  const { currencyType, statementCreditFromCents } = useProgram().config
  const paysCredits = currencyType === 'Credit' && statementCreditFromCents !== undefined
  const [confirming, setConfirming] = useState(false)
  const { reauthenticated, dialog } = useReauth()
  return (
    <section className={styles.part}>
      <h3>{t('privacy.delete')}</h3>
      <p>{t(paysCredits ? 'privacy.delete_lead_credit' : 'privacy.delete_lead')}</p>
      <p>{t('privacy.delete_retained')}</p>
      <p>{t('privacy.delete_owed')}</p>
      <Button type="button" variant="danger" onClick={() => setConfirming(true)}>
        {t('privacy.delete_button')}
      </Button>
      <Dialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={t('privacy.delete')}
        closeLabel={t('dialog.close')}
      >
        <Confirmation reauthenticated={reauthenticated} onClose={() => setConfirming(false)} />
      </Dialog>
      {dialog}
    </section>
  )
}

interface ConfirmationProps {
  reauthenticated: ReturnType<typeof useReauth>['reauthenticated']
  onClose: () => void
}

function Confirmation({ reauthenticated, onClose }: ConfirmationProps) {
  const t = useCopy()
  const toasts = useToasts()
  const refreshMember = useRefreshMember()
  const navigate = useNavigate()
  const form = useMemberForm(DeleteForm, { confirmation: '' })
  const word = t('privacy.delete_word')

  const submit = form.submitting(async (body, send) => {
    try {
      await reauthenticated(() => send(deleteAccount, { body }))
    } catch (error) {
      if (error instanceof ReauthCanceled) return
      throw error
    }
    toasts.show({ kind: 'success', message: t('privacy.deleted') })
    // Navigates first: without a member the account pages redirect to the sign-in page.
    await navigate('/', { replace: true })
    await refreshMember()
  })

  return (
    <MemberForm state={form} onSubmit={submit} className={styles.form}>
      <p>{t('privacy.delete_question', { word })}</p>
      <TextField
        label={t('privacy.delete_field', { word })}
        autoComplete="off"
        autoCapitalize="characters"
        required
        requiredText={t('form.required_reader')}
        {...form.field('confirmation')}
      />
      <div className={styles.actions}>
        <Button type="submit" variant="danger" busy={form.isSubmitting ? t('form.busy') : false}>
          {t('privacy.delete_now')}
        </Button>
        <Button type="button" variant="quiet" onClick={onClose}>
          {t('privacy.delete_cancel')}
        </Button>
      </div>
    </MemberForm>
  )
}

import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { apiQueryKey, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { useLocalTime } from '../../../../platform/browser/use-local-time.ts'
import { useQueryCache } from '../../../../platform/browser/use-query.ts'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useApiMutation } from '../../../../programs/content/member/embed/use-api-mutation.ts'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { listPasskeys, type Passkey, removePasskey } from '../../passkeys/contract.ts'
import { PasskeyName } from '../../passkeys/forms.ts'
import { createPasskey } from '../passkey.ts'
import { usePasskeyFailureText } from './use-passkey-failure-text.ts'
import { ReauthCanceled, useReauth } from './use-reauth.tsx'

/** Lists the member's passkeys, with a form to add one. */
export function Passkeys() {
  const t = useCopy()
  const passkeys = useApiSuspenseQuery(listPasskeys, {})
  return (
    <section className={styles.part}>
      <h3>{t('security.passkeys')}</h3>
      <p>{t('security.passkeys_lead')}</p>
      {passkeys.length === 0 ? (
        <p className={styles.muted}>{t('security.no_passkeys')}</p>
      ) : (
        <ul className={styles.list}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddPasskey />
    </section>
  )
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const t = useCopy()
  const day = useLocalTime('day')
  const cache = useQueryCache()
  const toasts = useToasts()
  const removal = useApiMutation(removePasskey, {
    onSuccess: () => toasts.show({ kind: 'success', message: t('security.passkey_removed') }),
    onFailure: (message) => toasts.show({ kind: 'error', message }),
    onSettled: () => cache.invalidate(apiQueryKey(listPasskeys)),
  })
  const remove = () => void removal.run({ query: { id: passkey.id } })

  return (
    <li>
      <div>
        <p>
          <strong>{passkey.name}</strong>
        </p>
        <p className={styles.muted}>
          {passkey.usedAt ? t('security.passkey_used', { date: day(passkey.usedAt) }) : t('security.passkey_unused')}
        </p>
      </div>
      <Button type="button" variant="quiet" busy={removal.isPending ? t('form.busy') : false} onClick={remove}>
        {t('security.passkey_remove')}
        <span className="visually-hidden"> {passkey.name}</span>
      </Button>
    </li>
  )
}

function AddPasskey() {
  const t = useCopy()
  const cache = useQueryCache()
  const toasts = useToasts()
  const { reauthenticated, dialog } = useReauth()
  const passkeyFailureText = usePasskeyFailureText()
  const form = useMemberForm(PasskeyName, { name: '' })

  const submit = form.submitting(async ({ name }, send) => {
    try {
      await reauthenticated(() => createPasskey(send, name))
    } catch (error) {
      if (!(error instanceof ReauthCanceled)) form.fail(passkeyFailureText(error))
      return
    }
    form.form.reset()
    toasts.show({ kind: 'success', message: t('security.passkey_added') })
    await cache.invalidate(apiQueryKey(listPasskeys))
  })

  return (
    <>
      <MemberForm state={form} onSubmit={submit}>
        <div className={styles.form}>
          <TextField
            label={t('security.passkey_name')}
            required
            requiredText={t('form.required_reader')}
            {...form.field('name')}
          />
          <Button type="submit" variant="secondary" busy={form.isSubmitting ? t('form.busy') : false}>
            {t('security.passkey_add')}
          </Button>
        </div>
      </MemberForm>
      {dialog}
    </>
  )
}

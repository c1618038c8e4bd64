import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { ApiCallError } from '../../../../platform/browser/api.ts'
import { apiQueryKey, useApi, useApiSuspenseQuery } from '../../../../platform/browser/query.ts'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../../programs/content/member/embed/use-failure-text.ts'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { listPasskeys, type Passkey, PasskeyName, removePasskey } from '../../passkeys/contract.ts'
import { createPasskey } from '../passkey.ts'
import { ReauthCanceled, useReauth } from './use-reauth.tsx'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

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
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const failureText = useFailureText()
  const [busy, setBusy] = useState(false)

  async function remove() {
    setBusy(true)
    try {
      await api.call(removePasskey, { query: { id: passkey.id } })
      toasts.show({ kind: 'success', message: t('security.passkey_removed') })
    } catch (error) {
      toasts.show({ kind: 'error', message: failureText(error) })
    }
    await cache.invalidateQueries({ queryKey: apiQueryKey(listPasskeys) })
    setBusy(false)
  }

  return (
    <li>
      <div>
        <p>
          <strong>{passkey.name}</strong>
        </p>
        <p className={styles.muted} suppressHydrationWarning>
          {passkey.usedAt
            ? t('security.passkey_used', { date: day.format(new Date(passkey.usedAt)) })
            : t('security.passkey_unused')}
        </p>
      </div>
      <Button type="button" variant="quiet" busy={busy ? t('form.busy') : false} onClick={remove}>
        {t('security.passkey_remove')}
        <span className="visually-hidden"> {passkey.name}</span>
      </Button>
    </li>
  )
}

function AddPasskey() {
  const t = useCopy()
  const api = useApi()
  const cache = useQueryClient()
  const toasts = useToasts()
  const { reauthenticated, dialog } = useReauth()
  const form = useMemberForm(PasskeyName, { name: '' })

  const submit = form.submitting(async ({ name }) => {
    try {
      await reauthenticated(() => createPasskey(api, name))
    } catch (error) {
      if (!(error instanceof ReauthCanceled))
        form.fail(error instanceof ApiCallError && error.title ? error.title : t('passkey.given_up'))
      return
    }
    form.form.reset()
    toasts.show({ kind: 'success', message: t('security.passkey_added') })
    await cache.invalidateQueries({ queryKey: apiQueryKey(listPasskeys) })
  })

  return (
    <>
      <MemberForm state={form} onSubmit={submit}>
        <div className={styles.form}>
          <TextField
            label={t('security.passkey_name')}
            maxLength={60}
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

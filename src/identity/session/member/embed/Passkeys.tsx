import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import styles from '../../../../account/pages/member/SecurityPage.module.css'
import { ApiError } from '../../../../platform/browser/api.ts'
import { keyOf, useAnswer, useApi } from '../../../../platform/browser/query.ts'
import { MemberForm } from '../../../../programs/content/member/embed/MemberForm.tsx'
import { useCopy } from '../../../../programs/content/member/embed/use-copy.tsx'
import { useFailureText } from '../../../../programs/content/member/embed/use-failure-text.ts'
import { useMemberForm } from '../../../../programs/content/member/embed/use-member-form.ts'
import { Button } from '../../../../ui/Button.tsx'
import { TextField } from '../../../../ui/TextField.tsx'
import { useToasts } from '../../../../ui/Toasts.tsx'
import { listPasskeys, type Passkey, PasskeyName, removePasskey } from '../../passkeys/contract.ts'
import { makePasskey } from '../passkey.ts'
import { GivenUp, useProof } from './use-proof.tsx'

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** Lists the member's passkeys, with a form to add one. */
export function Passkeys() {
  const t = useCopy()
  const passkeys = useAnswer(listPasskeys, {})
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
    await cache.invalidateQueries({ queryKey: keyOf(listPasskeys) })
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
  const { proven, dialog } = useProof()
  const form = useMemberForm(PasskeyName, { name: '' })

  const submit = form.submitting(async ({ name }) => {
    try {
      await proven(() => makePasskey(api, name))
    } catch (error) {
      if (!(error instanceof GivenUp))
        form.fail(error instanceof ApiError && error.title ? error.title : t('passkey.given_up'))
      return
    }
    form.form.reset()
    toasts.show({ kind: 'success', message: t('security.passkey_added') })
    await cache.invalidateQueries({ queryKey: keyOf(listPasskeys) })
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
